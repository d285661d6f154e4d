// Random handles and values for random operations.
//
// flags: hot
#include "run.h"

#include <string.h>

bool any_chance(run *r, uint32_t times)
{
    return dice_once_in(&r->dice, times);
}

uint32_t any_below(run *r, uint32_t bound)
{
    return dice_below(&r->dice, bound);
}

// A plain run mostly uses few components, so that many entities share a table, and none that
// requires tags: the components before `pilot` require none.
component any_component(run *r)
{
    static const component few[] = {PLACE, LABEL, SPECK, BULK, HEAT};
    if (!r->options.plain) return (component)any_below(r, COMPONENTS);
    return any_chance(r, 64) ? (component)any_below(r, PILOT) : few[any_below(r, 5)];
}

prefab any_prefab(run *r)
{
    if (r->options.plain) return any_chance(r, 2) ? ROCK : BOULDER;
    return (prefab)any_below(r, PREFABS);
}

relation any_relation(run *r)
{
    return (relation)any_below(r, RELATIONS);
}

// The first append makes rings of all lists of a relation for good. Three worlds of four have a
// relation without appends, whose first children lead to no last one.
how any_how(run *r, relation i)
{
    how h = (how)any_below(r, HOWS);
    return h == LINK_LAST && r->options.seed % (RELATIONS + 1) == i ? LINK_FIRST : h;
}

// ---- handles

fuzz_entity any_living(run *r)
{
    const model *m = &r->model;
    if (m->living_count == 0) return (fuzz_entity){0};
    return fuzz_entity_of(m->entities[m->living[any_below(r, m->living_count)]].bits);
}

// Often one of the last: those are of spawn commands that may not be applied yet.
static fuzz_entity any_kept(run *r)
{
    uint32_t count = r->kept_count < HANDLES_KEPT ? r->kept_count : HANDLES_KEPT;
    uint32_t ago = any_below(r, any_chance(r, 2) && count > 8 ? 8 : count);
    if (count == 0) return (fuzz_entity){0};
    return fuzz_entity_of(r->kept[(r->kept_count - 1 - ago) % HANDLES_KEPT]);
}

static fuzz_entity any_foreign(run *r)
{
    fuzz_everyone_iter it = fuzz_everyone_begin(r->foreign);
    if (!fuzz_everyone_next(&it)) return (fuzz_entity){0};
    return it.entities[any_below(r, it.count)];
}

// The handle of a living entity with one bit flipped: in its index, its generation, or above them.
static fuzz_entity any_forged(run *r)
{
    fuzz_entity e = any_living(r);
    uint32_t bits = (uint32_t)sizeof e.bits * 8;
    return fuzz_entity_of((uint64_t)e.bits ^ (uint64_t)1 << any_below(r, bits));
}

fuzz_entity any_handle(run *r)
{
    switch (any_below(r, 32)) {
    case 0:
        return (fuzz_entity){0};
    case 1:
        return fuzz_entity_of(dice_bits(&r->dice));
    case 2:
        return any_foreign(r);
    case 3:
        return any_forged(r);
    case 4:
    case 5:
    case 6:
        return any_kept(r);
    default:
        return any_living(r);
    }
}

// ---- values

typedef struct chooser {
    visitor base;
    run *r;
} chooser;

static void choose_text(run *r, leaf l)
{
    char *text = (char *)l.at;
    uint32_t length = any_below(r, l.limit);
    for (uint32_t i = 0; i < l.limit; i++) text[i] = (char)(1 + any_below(r, 127));
    text[length] = '\0'; // the bits above them are unused
}

static void choose(visitor *v, leaf l)
{
    run *r = ((chooser *)(void *)v)->r;
    switch (l.kind) {
    case LEAF_NUMBER:
        leaf_write(l, dice_bits(&r->dice));
        break;
    case LEAF_BOOL:
        leaf_write(l, any_below(r, 2));
        break;
    case LEAF_ENUM:
        leaf_write(l, any_below(r, l.limit));
        break;
    case LEAF_ENTITY:
        leaf_write(l, any_handle(r).bits);
        break;
    case LEAF_COUNT:
        leaf_write(l, any_below(r, l.limit + 1));
        break;
    case LEAF_TEXT:
        choose_text(r, l);
        break;
    }
}

// Padding and bytes that are not part of the value are filled with rubbish.
void any_value_of(run *r, const value_info *info, void *value)
{
    chooser c = {{.see = choose}, r};
    if (info->bytes == 0) return;
    memset(value, (int)any_below(r, 256), info->bytes);
    info->visit(&c.base, value);
}

typedef struct changer {
    visitor base;
    run *r;
    uint32_t left; // leaves before the one that is changed
} changer;

static void change_leaf(visitor *v, leaf l)
{
    changer *c = (changer *)(void *)v;
    if (c->left-- == 0 && l.kind != LEAF_COUNT) choose(&(chooser){{.see = choose}, c->r}.base, l);
}

void any_leaf_of(run *r, const value_info *info, any_value *value)
{
    changer c = {{.see = change_leaf}, r, any_below(r, 16)};
    info->visit(&c.base, value->bytes);
}

typedef struct copier {
    visitor base;
    const unsigned char *from;
    unsigned char *to;
} copier;

static void copy_leaf(visitor *v, leaf l)
{
    const copier *c = (const copier *)(const void *)v;
    size_t at = (size_t)((const unsigned char *)l.at - c->from);
    size_t bytes = l.bytes;
    if (l.kind == LEAF_TEXT && memchr(l.at, '\0', bytes)) bytes = strlen((const char *)l.at) + 1;
    memcpy(c->to + at, l.at, bytes);
}

void any_spoil(run *r, const value_info *info, any_value *value)
{
    any_value spoilt;
    copier c = {{.see = copy_leaf}, value->bytes, spoilt.bytes};
    memset(spoilt.bytes, (int)any_below(r, 256), sizeof spoilt.bytes);
    info->visit(&c.base, value->bytes);
    *value = spoilt;
}

void any_value_of_prefab(run *r, prefab p, any_value *value)
{
    for (uint32_t i = 0; i < prefabs[p].member_count; i++) {
        const prefab_member *m = &prefabs[p].members[i];
        any_value_of(r, &components[m->component], value->bytes + m->offset);
    }
}
