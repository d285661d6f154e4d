// flags: hot
#include "model.h"

#include "fail.h"
#include "trees.h"

#include <stdlib.h>
#include <string.h>

static void *grown(void *items, uint32_t *capacity, uint32_t count, size_t size)
{
    if (count < *capacity) return items;
    *capacity = *capacity == 0 ? 64 : *capacity * 2;
    void *more = realloc(items, *capacity * size);
    if (!more) fail("no memory to test with");
    return more;
}

// Four indices for each entity there may be, or as many as 2^44 spawns take, in the width.
static uint64_t indices_of(const weft_schema *schema)
{
    uint64_t width = (uint64_t)1 << schema->index_bits;
    uint64_t used = 4 * ((uint64_t)schema->max_entities + schema->recycle_after);
    uint64_t lived = ((uint64_t)1 << 44) / (((uint64_t)1 << schema->generation_bits) - 1);
    uint64_t wanted = used > lived ? used : lived;
    return wanted < width ? wanted : width;
}

void model_open(model *m, const weft_schema *schema)
{
    *m = (model){
        .index_bits = schema->index_bits,
        .generation_bits = schema->generation_bits,
        .entities_max = schema->max_entities,
        .wait = schema->recycle_after,
        .index_limit = indices_of(schema),
        .singletons = singleton_defaults,
    };
}

void model_close(model *m)
{
    for (int i = 0; i < BUFFERS; i++) free(m->buffers[i].items);
    free(m->entities);
    free(m->living);
    free(m->free);
    free(m->lives);
}

// ---- handles

static uint32_t index_of(const model *m, uint64_t bits)
{
    return (uint32_t)(bits & (((uint64_t)1 << m->index_bits) - 1));
}

static uint64_t handle_of(const model *m, uint32_t index, uint32_t generation)
{
    return (uint64_t)generation << m->index_bits | index;
}

entity *model_find(model *m, uint64_t bits)
{
    uint32_t index = index_of(m, bits);
    if (index >= m->index_count) return NULL;
    entity *e = &m->entities[index];
    return e->state == ALIVE && e->bits == bits ? e : NULL;
}

bool model_alive(model *m, uint64_t bits)
{
    return model_find(m, bits) != NULL;
}

static void note_life(model *m, life_kind kind, uint64_t bits)
{
    m->lives = (life *)grown(m->lives, &m->life_capacity, m->life_count, sizeof *m->lives);
    m->lives[m->life_count++] = (life){kind, bits, OUTSIDE};
}

// Returns the index that the next spawn takes: a fresh one while at most `wait` free ones wait.
// Otherwise it is the index that was freed last if none has to wait, else the one freed first.
uint32_t model_next_index(const model *m)
{
    if (m->free_count <= m->wait) return m->index_count;
    return m->wait == 0 ? m->free[m->free_count - 1] : m->free[0];
}

// One more index than there were.
static uint32_t add_index(model *m)
{
    uint32_t had = m->index_capacity;
    m->entities =
        (entity *)grown(m->entities, &m->index_capacity, m->index_count, sizeof *m->entities);
    if (m->index_capacity != had) {
        memset(m->entities + had, 0, (m->index_capacity - had) * sizeof *m->entities);
        m->living = (uint32_t *)realloc(m->living, m->index_capacity * sizeof *m->living);
        m->free = (uint32_t *)realloc(m->free, m->index_capacity * sizeof *m->free);
        if (!m->living || !m->free) fail("no memory to test with");
    }
    m->entities[m->index_count].generation = 1;
    return m->index_count++;
}

static void unlist(model *m, uint32_t place)
{
    m->free_count--;
    memmove(m->free + place, m->free + place + 1, (m->free_count - place) * sizeof *m->free);
}

static uint32_t take_index(model *m)
{
    if (m->free_count <= m->wait) return add_index(m);
    uint32_t index = model_next_index(m);
    unlist(m, m->wait == 0 ? m->free_count - 1 : 0);
    return index;
}

static entity *entity_taken(model *m, uint32_t index)
{
    entity *e = &m->entities[index];
    e->state = TAKEN;
    e->bits = handle_of(m, index, e->generation);
    e->has = 0;
    e->stale = true;
    memset(e->ties, 0, sizeof e->ties);
    memset(e->children, 0, sizeof e->children);
    e->listed = m->living_count;
    m->living[m->living_count++] = index;
    m->taken++;
    return e;
}

entity *model_take(model *m)
{
    entity *e = entity_taken(m, take_index(m));
    note_life(m, SPAWNED, e->bits);
    return e;
}

weft_status model_may_spawn_at(const model *m, uint64_t bits)
{
    uint32_t index = index_of(m, bits);
    uint64_t generation = bits >> m->index_bits;
    const entity *e = index < m->index_count ? &m->entities[index] : NULL;
    if (generation == 0 || generation >> m->generation_bits != 0) return WEFT_BAD_VALUE;
    if (e && e->state == ALIVE) return WEFT_REFUSED;
    if (e && (e->state == RETIRED || generation < e->generation)) return WEFT_DEAD;
    return m->living_count < m->entities_max ? WEFT_OK : WEFT_FULL;
}

// The indices that it skips become free, such that the lowest of them is taken first.
entity *model_spawn_at(model *m, uint64_t bits)
{
    uint32_t index = index_of(m, bits);
    uint32_t count = m->index_count;
    while (m->index_count <= index) add_index(m);
    for (uint32_t i = count; i < index; i++) {
        uint32_t skipped = m->wait != 0 ? i : count + index - 1 - i;
        m->entities[skipped].state = FREE;
        m->free[m->free_count++] = skipped;
    }
    for (uint32_t i = 0; i < m->free_count; i++) {
        if (m->free[i] != index) continue;
        memmove(m->free + i, m->free + i + 1, (--m->free_count - i) * sizeof *m->free);
    }
    m->entities[index].generation = (uint32_t)(bits >> m->index_bits);
    entity *e = entity_taken(m, index);
    note_life(m, SPAWNED_AT, e->bits);
    model_place(m, e);
    return e;
}

void model_place(model *m, entity *e)
{
    m->taken--;
    m->changes++;
    e->state = ALIVE;
}

void model_give(model *m, entity *e)
{
    uint32_t index = index_of(m, e->bits);
    uint32_t last = m->living[--m->living_count];
    note_life(m, DIED, e->bits);
    m->taken -= e->state == TAKEN;
    m->changes += e->state != TAKEN;
    m->living[e->listed] = last;
    m->entities[last].listed = e->listed;
    if (e->generation == ((uint64_t)1 << m->generation_bits) - 1) {
        e->state = RETIRED;
        m->retired++;
    } else {
        e->state = FREE;
        e->generation++;
        m->free[m->free_count++] = index;
    }
}

// ---- spawn commands

// Returns the size of the blocks of places that are dealt out in turn, which depends on
// `max_entities`.
static uint32_t block_of(const model *m)
{
    uint32_t block = 16;
    while (block > 1 && block * BUFFERS * 16 > m->entities_max) block /= 2;
    return block;
}

// Those of a phase are dealt out in blocks, from the free indices in their order and then the
// fresh.
uint64_t model_next_handle(const model *m, buffer_id id)
{
    const uint32_t share = id == OUTSIDE ? 0 : (uint32_t)(id - 1) % BUFFERS_OF_A_PHASE;
    const uint32_t nth = m->buffers[id].spawns; // outside it is 0
    const uint32_t block = id == OUTSIDE ? 1 : block_of(m);
    const uint64_t turn = nth / block * (id == OUTSIDE ? 1 : BUFFERS_OF_A_PHASE) + share;
    const uint64_t place = turn * block + nth % block;
    const uint32_t listed = m->free_count > m->wait ? m->free_count - m->wait : 0;
    if (m->living_count + nth >= m->entities_max) return 0;
    if (place < listed) {
        uint32_t at = (uint32_t)(m->wait == 0 ? m->free_count - 1 - place : place);
        return handle_of(m, m->free[at], m->entities[m->free[at]].generation);
    }
    uint64_t index = m->index_count + place - listed;
    return index < m->index_limit ? handle_of(m, (uint32_t)index, 1) : 0;
}

bool model_is_ahead(const model *m, uint64_t bits)
{
    uint32_t index = index_of(m, bits);
    uint64_t generation = bits >> m->index_bits;
    if (index >= m->index_count) return generation == 1;
    const entity *e = &m->entities[index];
    return (e->state == FREE || e->state == TAKEN) && generation == e->generation;
}

// Calls `each` with every spawn that systems have recorded, buffer by buffer.
static void each_spawn(model *m, void (*each)(model *m, buffer_id id, uint64_t bits))
{
    for (buffer_id id = OUTSIDE + 1; id < BUFFERS; id++) {
        for (uint32_t i = 0; i < m->buffers[id].count; i++) {
            const command *c = &m->buffers[id].items[i];
            if (c->kind == COMMAND_SPAWN) each(m, id, c->target);
        }
    }
}

static void make_fresh(model *m, buffer_id id, uint64_t bits)
{
    (void)id;
    while (m->index_count <= index_of(m, bits)) {
        uint32_t index = add_index(m);
        m->entities[index].state = NEVER;
    }
}

static void take_listed(model *m, buffer_id id, uint64_t bits)
{
    uint32_t index = index_of(m, bits);
    uint32_t place = 0;
    while (place < m->free_count && m->free[place] != index) place++;
    if (place < m->free_count) unlist(m, place);
    entity *e = entity_taken(m, index);
    if (e->bits != bits) fail("handle %llx is given again", (unsigned long long)bits);
    note_life(m, PHASE_SPAWNED, bits);
    m->lives[m->life_count - 1].buffer = id;
}

// Inserts a free index before the last `behind` ones, which are taken later.
static void list_before(model *m, uint32_t index, uint32_t behind)
{
    uint32_t place = m->wait == 0 ? behind : m->free_count - behind;
    memmove(m->free + place + 1, m->free + place, (m->free_count - place) * sizeof *m->free);
    m->free[place] = index;
    m->free_count++;
}

// Fresh indices between used ones become free. They are inserted after the free indices that could
// be used, the lowest first.
void model_end_phase(model *m, uint32_t phase)
{
    uint32_t first = m->index_count;
    uint32_t behind = m->free_count < m->wait ? m->free_count : m->wait;
    note_life(m, PHASE_BEGAN, phase);
    each_spawn(m, make_fresh);
    each_spawn(m, take_listed);
    note_life(m, PHASE_ENDED, 0);
    for (uint32_t index = m->index_count; index-- > first;) {
        if (m->entities[index].state != NEVER) continue;
        m->entities[index].state = FREE;
        list_before(m, index, behind++);
    }
    for (buffer_id id = 0; id < BUFFERS; id++) m->buffers[id].spawns = 0;
}

// ---- rules

set closure_of(component c)
{
    set all = only(c);
    for (set before = 0; before != all;) {
        before = all;
        for (int i = 0; i < COMPONENTS; i++) {
            if (all >> i & 1u) all |= components[i].requires;
        }
    }
    return all;
}

static set listed_by(prefab p)
{
    set all = prefabs[p].tags;
    for (uint32_t i = 0; i < prefabs[p].member_count; i++) {
        all |= only(prefabs[p].members[i].component);
    }
    return all;
}

set prefab_closure(prefab p)
{
    set listed = p == NO_PREFAB ? 0 : listed_by(p);
    set all = 0;
    for (int i = 0; i < COMPONENTS; i++) {
        if (listed >> i & 1u) all |= closure_of((component)i);
    }
    return all;
}

// Returns whether a component of one set excludes one of the other, in either direction.
static bool exclude(set a, set b)
{
    for (int i = 0; i < COMPONENTS; i++) {
        if ((a >> i & 1u && components[i].excludes & b) ||
            (b >> i & 1u && components[i].excludes & a)) {
            return true;
        }
    }
    return false;
}

weft_status entity_may_set(const entity *e, component c)
{
    return exclude(closure_of(c), e->has) ? WEFT_REFUSED : WEFT_OK;
}

weft_status entity_may_set_prefab(const entity *e, prefab p)
{
    return exclude(prefab_closure(p), e->has) ? WEFT_REFUSED : WEFT_OK;
}

weft_status entity_may_remove(const entity *e, component c)
{
    if (!entity_has(e, c)) return WEFT_NOT_FOUND;
    for (int i = 0; i < COMPONENTS; i++) {
        if (entity_has(e, (component)i) && components[i].requires & only(c)) return WEFT_REFUSED;
    }
    return WEFT_OK;
}

weft_status model_may_spawn(const model *m, uint64_t n)
{
    uint64_t reused = m->free_count > m->wait ? m->free_count - m->wait : 0;
    uint64_t fresh = n > reused ? n - reused : 0;
    if (n > m->entities_max || n + m->living_count > m->entities_max) return WEFT_FULL;
    return fresh > m->index_limit - m->index_count ? WEFT_FULL : WEFT_OK;
}

weft_status model_may_set(model *m, uint64_t bits, component c)
{
    const entity *e = model_find(m, bits);
    return e ? entity_may_set(e, c) : WEFT_DEAD;
}

weft_status model_may_set_prefab(model *m, uint64_t bits, prefab p)
{
    const entity *e = model_find(m, bits);
    return e ? entity_may_set_prefab(e, p) : WEFT_DEAD;
}

weft_status model_may_remove(model *m, uint64_t bits, component c)
{
    const entity *e = model_find(m, bits);
    return e ? entity_may_remove(e, c) : WEFT_DEAD;
}

// ---- changes

// Adds the components that a component requires.
static void add_missing(entity *e, component by)
{
    set wanted = closure_of(by) & ~only(by);
    for (int i = 0; i < COMPONENTS; i++) {
        component c = (component)i;
        if (!(wanted & ~e->has & only(c))) continue;
        e->has |= only(c);
        if (components[c].bytes == 0) continue;
        memcpy(value_of(&e->values, c), required_value(by, c), components[c].bytes);
    }
}

void entity_write(entity *e, component c, const void *value)
{
    memcpy(value_of(&e->values, c), value, components[c].bytes);
    e->stale = true;
}

void entity_set(entity *e, component c, const void *value)
{
    add_missing(e, c);
    e->has |= only(c);
    if (components[c].bytes == 0) return;
    memcpy(value_of(&e->values, c), value ? value : const_value_of(&component_defaults, c),
           components[c].bytes);
}

void entity_set_prefab(entity *e, prefab p, const any_value *value)
{
    any_value defaults;
    if (p == NO_PREFAB) return;
    prefab_defaults(p, &defaults);
    if (!value) value = &defaults;
    e->has |= listed_by(p);
    for (int i = 0; i < COMPONENTS; i++) {
        if (listed_by(p) >> i & 1u) add_missing(e, (component)i);
    }
    for (uint32_t i = 0; i < prefabs[p].member_count; i++) {
        const prefab_member *member = &prefabs[p].members[i];
        entity_set(e, member->component, value->bytes + member->offset);
    }
}

entity *model_spawn(model *m, prefab p, const any_value *value)
{
    entity *e = model_take(m);
    entity_set_prefab(e, p, value);
    model_place(m, e);
    return e;
}

void model_set(model *m, uint64_t bits, component c, const void *value)
{
    entity *e = model_find(m, bits);
    set had = e->has;
    entity_set(e, c, value);
    e->stale = true;
    m->changes += e->has != had;
}

void model_set_prefab(model *m, uint64_t bits, prefab p, const any_value *value)
{
    entity *e = model_find(m, bits);
    set had = e->has;
    entity_set_prefab(e, p, value);
    e->stale = true;
    m->changes += e->has != had;
}

void model_remove(model *m, uint64_t bits, component c)
{
    entity *e = model_find(m, bits);
    e->has &= ~only(c);
    e->stale = true;
    m->changes++;
}

void model_strip(model *m, uint64_t bits)
{
    entity *e = model_find(m, bits);
    if (e->has == 0) return;
    e->has = 0;
    e->stale = true;
    m->changes++;
}

void model_clear(model *m, component tag)
{
    for (uint32_t i = 0; i < m->living_count; i++) {
        entity *e = &m->entities[m->living[i]];
        if (e->state != ALIVE || entity_may_remove(e, tag) != WEFT_OK) continue;
        e->has &= ~only(tag);
        e->stale = true;
        m->changes++;
    }
}

// Indices become free in the order in which recycling frees them.
void model_reset(model *m)
{
    const uint32_t count = m->index_count;
    for (uint32_t i = 0; i < count; i++) {
        entity *e = &m->entities[m->wait == 0 ? count - 1 - i : i];
        if (e->state == ALIVE) model_end(m, e);
    }
    m->singletons = singleton_defaults;
    for (hearer h = 0; h < HEARERS; h++) rumors_heard(&m->rumors, h);
}

// ---- recycling

typedef struct forgetter {
    visitor base;
    model *m;
} forgetter;

static void forget_dead(visitor *v, leaf l)
{
    forgetter *f = (forgetter *)(void *)v;
    if (l.kind != LEAF_ENTITY) return;
    uint64_t bits = leaf_bits(l);
    if (!model_alive(f->m, bits)) leaf_write(l, 0);
}

void model_load(model *m)
{
    for (uint32_t i = 0; i < m->living_count; i++) {
        entity *e = &m->entities[m->living[i]];
        e->stale = true;
        for (component c = 0; c < COMPONENTS; c++) {
            bool has = entity_has(e, c);
            if (c >= TAGS && !components[c].save) e->has &= ~((set)1 << c);
            if (c >= TAGS || !has) continue;
            value_load(&components[c], const_value_of(&component_defaults, c),
                       value_of(&e->values, c));
        }
    }
    value_load(&singletons[WEATHER], &singleton_defaults.weather, &m->singletons.weather);
    value_load(&singletons[TALLY], &singleton_defaults.tally, &m->singletons.tally);
    rumors_load(&m->rumors);
}

uint32_t model_recycle(model *m)
{
    forgetter f = {{.see = forget_dead}, m};
    uint32_t brought = m->retired;
    for (uint32_t i = 0; i < m->living_count; i++) {
        entity *e = &m->entities[m->living[i]];
        for (component c = 0; c < TAGS; c++) {
            if (entity_has(e, c)) components[c].visit(&f.base, value_of(&e->values, c));
        }
    }
    singletons[WEATHER].visit(&f.base, &m->singletons.weather);
    singletons[TALLY].visit(&f.base, &m->singletons.tally);
    rumors_visit(&m->rumors, &f.base);
    for (uint32_t i = 0; i < m->index_count; i++) {
        uint32_t index = m->wait == 0 ? m->index_count - 1 - i : i;
        if (m->entities[index].state != RETIRED) continue;
        m->entities[index].state = FREE;
        m->entities[index].generation = 1;
        m->free[m->free_count++] = index;
    }
    m->retired = 0;
    note_life(m, RECYCLED, brought);
    return brought;
}

// ---- the state as a number

uint64_t model_absorb(uint64_t h, uint64_t word)
{
    uint64_t x = (h ^ word) + 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t model_absorb_name(uint64_t h, const char *name)
{
    size_t length = strlen(name);
    h = model_absorb(h, length);
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        for (size_t k = i; k < length && k < i + 8; k++) {
            word |= (uint64_t)(unsigned char)name[k] << 8 * (k - i);
        }
        h = model_absorb(h, word);
    }
    return h;
}

static uint64_t absorb_value(uint64_t h, const value_info *info, const void *value)
{
    uint64_t words[WORDS_MAX];
    uint32_t count = value_words(info, value, true, words);
    for (uint32_t i = 0; i < count; i++) h = model_absorb(h, words[i]);
    return h;
}

uint64_t model_rumors_hash(const model *m)
{
    const rumor_list *slowest = &m->rumors.unheard[0];
    for (hearer h = 1; h < HEARERS; h++) {
        if (m->rumors.unheard[h].count > slowest->count) slowest = &m->rumors.unheard[h];
    }
    if (slowest->count == 0) return 0;
    uint64_t h = model_absorb(model_absorb_name(7, "rumor"), slowest->count);
    for (uint32_t i = 0; i < slowest->count; i++) {
        h = absorb_value(h, &rumor_info, &slowest->items[i]);
    }
    for (hearer i = 0; i < HEARERS; i++) h = model_absorb(h, m->rumors.unheard[i].count);
    return h;
}

uint64_t model_hash(const model *m)
{
    uint64_t sum = model_rumors_hash(m) + model_trees_hash(m);
    for (uint32_t i = 0; i < m->living_count; i++) {
        const entity *e = &m->entities[m->living[i]];
        sum += model_absorb(1, e->bits);
        for (component c = 0; c < COMPONENTS; c++) {
            if (!entity_has(e, c) || (c >= TAGS && !components[c].save)) continue;
            uint64_t h = model_absorb(model_absorb_name(2, components[c].name), e->bits);
            if (c < TAGS && components[c].save) {
                h = absorb_value(h, &components[c], const_value_of(&e->values, c));
            }
            sum += h;
        }
    }
    return sum + absorb_value(model_absorb_name(3, "weather"), &singletons[WEATHER],
                              &m->singletons.weather);
}
