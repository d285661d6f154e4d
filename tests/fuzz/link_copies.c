// Clones and merges entities with their links.
//
// flags: hot
#include "link_run.h"

#include "fail.h"

#include <string.h>

static bonds_entity copy_of(const copied *c, bonds_entity e)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (bonds_same(c->from[i], e)) return c->to[i];
    }
    return (bonds_entity){0};
}

static value copied_value(const copied *c, const value *v, outside o)
{
    value to = *v;
    to.witness = copy_of(c, v->witness);
    to.judge = copy_of(c, v->judge);
    if (bonds_is_none(to.witness) && o == KEEP) to.witness = v->witness;
    return to;
}

static void copy_entity(model *m, const model *of, const copied *c, uint32_t i, outside o)
{
    uint32_t from = INDEX(c->from[i]);
    uint32_t to = INDEX(c->to[i]);
    model_spawn(m, c->to[i]);
    m->id[to] = of->id[from];
    m->asleep[to] = of->asleep[from];
    m->purse[to] = of->purse[from];
    m->drift[to] = of->drift[from];
    m->charm[to] = of->charm[from];
    m->drift_x[to] = of->drift_x[from];
    m->power[to] = of->power[from];
    if (of->parent[from] == 0) return;
    bonds_entity parent = copy_of(c, of->handle[of->parent[from] - 1]);
    if (!bonds_is_none(parent))
        m->parent[to] = INDEX(parent) + 1;
    else if (o == KEEP)
        m->parent[to] = of->parent[from];
}

// Adds the copy of a link of the list of an original.
static void copy_link(model *m, const copied *c, kind k, const seen_link *link, outside o)
{
    bonds_entity from = copy_of(c, link->from);
    bonds_entity to = copy_of(c, link->to);
    if (bonds_is_none(from) && bonds_is_none(to)) return;
    if (bonds_is_none(from) || bonds_is_none(to)) {
        bonds_entity outer = bonds_is_none(from) ? link->from : link->to;
        if (o == DROP || m->state[INDEX(outer)] != ALIVE) return;
    }
    if (bonds_is_none(from)) from = link->from;
    if (bonds_is_none(to)) to = link->to;
    value v = copied_value(c, &link->v, o);
    model_set(m, k, INDEX(from), INDEX(to), &v);
}

void model_copy(model *m, const model *of, const copied *c, outside o)
{
    static shown_list all;
    for (uint32_t i = 0; i < c->count; i++) copy_entity(m, of, c, i, o);
    for (kind k = 0; k < KINDS; k++) {
        model_all(of, k, &all);
        for (uint32_t i = 0; i < all.count; i++) copy_link(m, c, k, &all.items[i], o);
    }
}

void clone_one(model *m, bonds_entity original, bonds_entity copy)
{
    static copied c;
    c.count = 1;
    c.from[0] = original;
    c.to[0] = copy;
    model_copy(m, m, &c, KEEP);
}

static void read_map(const bonds_map *map, copied *c)
{
    c->count = (uint32_t)map->count;
    for (uint32_t i = 0; i < c->count; i++) {
        c->from[i] = map->pairs[i].from;
        c->to[i] = map->pairs[i].to;
    }
}

// Marks an entity and everything below it.
static uint32_t mark_below(const model *m, uint32_t index, bool *marked)
{
    uint32_t count = 1;
    marked[index] = true;
    for (uint32_t i = 0; i < m->top; i++) {
        if (m->state[i] == ALIVE && m->parent[i] == index + 1 && !marked[i]) {
            count += mark_below(m, i, marked);
        }
    }
    return count;
}

// Compares the links of the copies in another world.
static void compare_foreign(run *r, const copied *c)
{
    for (kind k = 0; k < KINDS; k++) {
        uint64_t links = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            for (uint32_t j = 0; j < c->count; j++) {
                if (kinds[k].symmetric && INDEX(c->from[i]) > INDEX(c->from[j])) continue;
                const item *link = model_find(&r->m, k, INDEX(c->from[i]), INDEX(c->from[j]));
                value v;
                bool found = kinds[k].get(r->other, c->to[i], c->to[j], &v);
                if (found != (link != NULL)) fail("%s: clone_into", kinds[k].name);
                if (!link) continue;
                value wanted = copied_value(c, &link->v, DROP);
                if (kinds[k].tells_added && kinds[k].valued) wanted.met = true;
                if (!value_same(&v, &wanted)) fail("%s: clone_into another value", kinds[k].name);
                links++;
            }
        }
        if (links != kinds[k].count(r->other)) fail("%s: clone_into more", kinds[k].name);
    }
}

void clone_something(run *r)
{
    static copied c;
    bool below[INDICES] = {false};
    bool into = dice_once_in(&r->d, 3);
    bonds_entity e = any_living(r);
    bonds_map map = {0};
    bool tree = dice_once_in(&r->d, 2);
    uint32_t count = mark_below(&r->m, INDEX(e), below);
    if (!tree) count = 1;
    if (!into && r->m.living + count > r->population + 20) return;
    const bonds_clone_options options = {.under = tree, .map = &map};
    r->deaf = into;
    starve(r);
    bonds_entity copy = bonds_clone_into(into ? r->other : r->w, r->w, e, &options);
    bool starved = fed(r);
    r->deaf = false;
    if (bonds_is_none(copy)) {
        if (!starved) fail("no clone: %s", bonds_error(into ? r->other : r->w));
        return;
    }
    read_map(&map, &c);
    bonds_map_close(&map);
    if (c.count != count) fail("%u clones instead of %u", (unsigned)c.count, (unsigned)count);
    if (into) {
        compare_foreign(r, &c);
        r->deaf = true;
        bonds_reset(r->other);
        r->deaf = false;
        return;
    }
    model_copy(&r->m, &r->m, &c, KEEP);
    for (uint32_t i = 0; i < c.count; i++) spawned(r, c.to[i]);
}

// ---- fragments

enum { MADE_MAX = 12, MADE_LINKS_MAX = 30 };

typedef struct made_link {
    kind k;
    uint32_t from;
    uint32_t to;
    value v;
    uint32_t witness; // among what was made
    bool removed;
} made_link;

static void make_link(run *r, bonds_world *w, const bonds_entity *made, uint32_t count,
                      made_link *l)
{
    *l = (made_link){any_kind(r),
                     dice_below(&r->d, count),
                     dice_below(&r->d, count),
                     {.number = dice_below(&r->d, 100)},
                     dice_below(&r->d, count),
                     false};
    l->v.witness = made[l->witness];
    l->v.judge = (bonds_entity){UINT32_MAX}; // dead
    l->removed = dice_once_in(&r->d, 6);
    if (!kinds[l->k].set(w, made[l->from], made[l->to], &l->v)) fail("no link in a fragment");
    if (l->removed && !kinds[l->k].remove(w, made[l->from], made[l->to])) fail("no removal");
}

static void model_merge(run *r, const bonds_entity *kept, uint32_t count, const made_link *links,
                        uint32_t link_count)
{
    model *m = &r->m;
    bool cancelled[MADE_LINKS_MAX] = {false};
    for (uint32_t i = 0; i < count; i++) model_spawn(m, kept[i]);
    // Only the last state of the fragment counts.
    for (uint32_t i = 0; i < link_count; i++) {
        for (uint32_t j = i + 1; j < link_count; j++) {
            bool same = links[i].from == links[j].from && links[i].to == links[j].to;
            bool turned = kinds[links[i].k].symmetric && links[i].from == links[j].to &&
                          links[i].to == links[j].from;
            cancelled[i] = cancelled[i] || (links[i].k == links[j].k && (same || turned));
        }
        if (cancelled[i] || links[i].removed) continue;
        value v = links[i].v;
        v.witness = kept[links[i].witness];
        v.judge = (bonds_entity){0};
        model_set(m, links[i].k, INDEX(kept[links[i].from]), INDEX(kept[links[i].to]), &v);
    }
}

void merge_fragment(run *r)
{
    bonds_entity made[MADE_MAX];
    made_link links[MADE_LINKS_MAX];
    uint32_t count = 1 + dice_below(&r->d, MADE_MAX);
    uint32_t link_count = dice_below(&r->d, MADE_LINKS_MAX);
    if (r->m.living > r->population) return;
    bonds_world *w = bonds_fragment_open(NULL);
    if (!w) fail("no fragment");
    for (uint32_t i = 0; i < count; i++) made[i] = bonds_one_spawn(w, NULL);
    for (uint32_t i = 0; i < link_count; i++) make_link(r, w, made, count, &links[i]);
    starve(r);
    weft_status status = bonds_fragment_merge(r->w, w, made, count);
    bool starved = fed(r);
    bonds_close(w);
    if (status != WEFT_OK) {
        if (!starved) fail("no merge: %s", bonds_error(r->w));
        return;
    }
    model_merge(r, made, count, links, link_count);
    for (uint32_t i = 0; i < count; i++) spawned(r, made[i]);
}
