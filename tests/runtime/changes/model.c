// See model.h.
//
// flags: hot
#include "model.h"

#include "fail.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void model_open(model *m, uint32_t indices)
{
    memset(m, 0, sizeof *m);
    m->now = 1;
    m->by_index = (uint32_t *)calloc(indices, sizeof *m->by_index);
}

void model_close(model *m)
{
    free(m->entities);
    free(m->ages);
    free(m->by_index);
    free(m->loans);
    for (removal r = 0; r < REMOVALS; r++) free(m->lost[r].items);
}

// ------------------------------------------------------------------------------------------------
// Entities

static uint32_t index_of(uint64_t bits)
{
    return (uint32_t)(bits & (((uint64_t)1 << chg_entity_format.index_bits) - 1));
}

// Forgets the dead.
static void tidy(model *m)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        if (!m->entities[i].alive) continue;
        m->entities[kept] = m->entities[i];
        if (kept != i) memcpy(m->ages[kept], m->ages[i], sizeof *m->ages);
        if (m->entities[kept].bits != 0) m->by_index[index_of(m->entities[kept].bits)] = kept + 1;
        kept++;
    }
    m->count = kept;
}

entity *model_add(model *m, uint32_t key)
{
    bool full = m->count == m->capacity;
    if (full) tidy(m);
    if (full && m->count >= m->capacity / 2) {
        m->capacity = m->capacity == 0 ? 64 : m->capacity * 2;
        m->entities = (entity *)realloc(m->entities, m->capacity * sizeof *m->entities);
        m->ages = (ages(*)[THINGS])realloc(m->ages, m->capacity * sizeof *m->ages);
    }
    memset(m->ages[m->count], 0, sizeof *m->ages);
    entity *e = &m->entities[m->count++];
    memset(e, 0, sizeof *e);
    e->alive = true;
    e->key = key;
    m->living++;
    return e;
}

// An unread removal may be of an entity that had no handle when it happened. A reader's losses
// contain no entity twice, and losses of one command are equal until they get names.
static void name_loss(losses *lost, uint32_t key, uint64_t bits)
{
    for (uint32_t i = 0; i < lost->count; i++) {
        loss *l = &lost->items[i];
        if (l->unnamed != key) continue;
        *l = (loss){.bits = bits, .value = l->value};
        return;
    }
}

void model_name(model *m, entity *e, uint64_t bits)
{
    for (removal r = 0; r < REMOVALS; r++) name_loss(&m->lost[r], e->key, bits);
    e->bits = bits;
    m->by_index[index_of(bits)] = (uint32_t)(e - m->entities) + 1;
}

entity *model_find(model *m, uint64_t bits)
{
    uint32_t at = bits == 0 ? 0 : m->by_index[index_of(bits)];
    if (at == 0 || at > m->count) return NULL;
    entity *e = &m->entities[at - 1];
    return e->alive && e->bits == bits ? e : NULL;
}

entity *model_unnamed(model *m, uint32_t key)
{
    for (uint32_t i = m->count; i-- > 0;) {
        entity *e = &m->entities[i];
        if (e->key == key && e->alive && e->bits == 0) return e;
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------------
// Changes

static ages *ages_of(const model *m, const entity *e, thing t)
{
    return &m->ages[e - m->entities][t];
}

static void gain(model *m, entity *e, thing t, uint32_t value, who author)
{
    m->now++;
    e->of[t] = (held){.has = true, .value = value, .last = m->now, .last_by = author};
    ages *by = ages_of(m, e, t);
    memset(by, 0, sizeof *by);
    by->added[author] = m->now;
}

static const struct {
    who reader;
    thing of;
} removals[REMOVALS] = {
    [LOOK_PLACE] = {LOOK, PLACE},
    [LOOK_SPEED] = {LOOK, SPEED},
    [LAMPS_LIT] = {LAMPS, LIT},
    [LAMPS_GHOST] = {LAMPS, GHOST},
    [MEDDLE_BURN] = {MEDDLE, BURN},
    [MEDDLE_PLACE] = {MEDDLE, PLACE},
    [MEDDLE_SPARK] = {MEDDLE, SPARK},
    [SLOW_PLACE] = {SLOW, PLACE},
    [SLOW_FREIGHT] = {SLOW, FREIGHT},
    [SLOW_LONE] = {SLOW, LONE},
    [LOOK_ROWS] = {LOOK, PLACE},
    [LAMPS_ROWS] = {LAMPS, LIT},
    [MEDDLE_ROWS] = {MEDDLE, BURN},
    [SLOW_FREIGHT_ROWS] = {SLOW, FREIGHT},
    [SLOW_BURN_ROWS] = {SLOW, BURN},
    [COUNTING_ROWS] = {COUNTING, GHOST},
    [FRESH_ROWS] = {FRESH, BURN},
    [SHINING_ROWS] = {SHINING, GHOST},
    [NEVER_ROWS] = {NEVER, SPEED},
    [DROPPED_SPARK_ROWS] = {DROPPED, SPARK},
    [DROPPED_PEBBLE_ROWS] = {DROPPED, PEBBLE},
    [DROPPED_GLINT_ROWS] = {DROPPED, GLINT},
};

static void tell(model *m, const entity *e, thing t, losses *lost)
{
    if (lost->count == lost->capacity) {
        lost->capacity = lost->capacity == 0 ? 64 : lost->capacity * 2;
        lost->items = (loss *)realloc(lost->items, lost->capacity * sizeof *lost->items);
    }
    uint32_t value = m->applying ? e->of[t].before : e->of[t].value;
    lost->items[lost->count++] = (loss){e->bits, e->bits == 0 ? e->key : 0, value};
    lost->shuffled |= m->shuffling;
}

static void lose(model *m, entity *e, thing t, who author)
{
    m->now++;
    e->of[t].has = false;
    for (removal r = 0; r < REMOVALS; r++) {
        if (removals[r].of != t || !e->had[r]) continue;
        e->had[r] = false;
        if (removals[r].reader == author) continue;
        e->lost[r] = true;
        if (r < LISTED) tell(m, e, t, &m->lost[r]);
    }
}

static bool excluded(const entity *e, thing t)
{
    return (t == LIT && e->of[GHOST].has) || (t == GHOST && e->of[LIT].has);
}

bool model_set(model *m, entity *e, thing t, uint32_t value)
{
    if (excluded(e, t)) return false;
    if (t == FREIGHT && !e->of[PLACE].has) gain(m, e, PLACE, 0, GAME);
    if (!e->of[t].has) {
        gain(m, e, t, value, GAME);
    } else if (t < LIT) {
        e->of[t].value = value;
        model_write(m, e, t, GAME);
    }
    return true;
}

bool model_replace(model *m, entity *e, thing t, uint32_t value)
{
    if (!e->of[t].has) return false;
    return value == e->of[t].value || model_set(m, e, t, value);
}

void model_prefab(model *m, entity *e, uint32_t prefab, uint32_t value)
{
    if (prefab == 0) {
        model_set(m, e, PLACE, value);
        model_set(m, e, SPEED, 0);
    } else if (prefab == 1) {
        model_set(m, e, PLACE, value);
        model_set(m, e, BURN, 3);
        model_set(m, e, LIT, 0);
    } else if (prefab == 2) {
        model_set(m, e, FREIGHT, value);
        model_set(m, e, LONE, 0);
        model_set(m, e, PEBBLE, 0);
    }
}

bool model_remove(model *m, entity *e, thing t, who author)
{
    if (!e->of[t].has || (t == PLACE && e->of[FREIGHT].has)) return false;
    lose(m, e, t, author);
    return true;
}

bool model_write_tag(model *m, entity *e, thing tag, who author)
{
    if (excluded(e, tag)) return false;
    if (!e->of[tag].has) gain(m, e, tag, 0, author);
    return true;
}

void model_write(model *m, entity *e, thing t, who author)
{
    ages_of(m, e, t)->written[author] = e->of[t].last = ++m->now;
    e->of[t].last_by = author;
}

void model_lend(model *m, const entity *e, thing t, uint32_t walk)
{
    if (m->loan_count == m->loan_capacity) {
        m->loan_capacity = 2 * m->loan_capacity + 16;
        m->loans = (loan *)realloc(m->loans, m->loan_capacity * sizeof *m->loans);
    }
    m->loans[m->loan_count++] = (loan){e->bits, t, walk};
}

void model_return(model *m, uint32_t walk)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->loan_count; i++) {
        if (m->loans[i].walk != walk) m->loans[kept++] = m->loans[i];
    }
    m->loan_count = kept;
}

void model_despawn(model *m, entity *e)
{
    for (thing t = 0; t < THINGS; t++) {
        if (e->of[t].has) lose(m, e, t, GAME);
    }
    e->alive = false;
    m->living--;
}

void model_clear(model *m, thing tag)
{
    bool shuffling = m->shuffling;
    m->shuffling = true;
    for (uint32_t i = 0; i < m->count; i++) {
        entity *e = &m->entities[i];
        bool kept = tag == PLACE && e->of[FREIGHT].has;
        if (e->alive && e->of[tag].has && !kept) lose(m, e, tag, GAME);
    }
    m->shuffling = shuffling;
}

void model_recycle(model *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        if (!m->entities[i].alive) m->entities[i].bits = 0; // another may soon have that handle
    }
    for (removal r = 0; r < REMOVALS; r++) {
        for (uint32_t i = 0; i < m->lost[r].count; i++) {
            uint64_t *bits = &m->lost[r].items[i].bits;
            if (!model_find(m, *bits)) *bits = 0;
        }
    }
}

void model_apply(model *m, bool applying)
{
    m->applications++;
    m->applying = m->shuffling = applying;
}

void model_applied(model *m, entity *e)
{
    if (e->applied == m->applications) return;
    e->applied = m->applications;
    for (thing t = 0; t < THINGS; t++) e->of[t].before = e->of[t].value;
}

// ------------------------------------------------------------------------------------------------
// The changes that a reader has yet to see

static bool since(const uint64_t *by, uint64_t turn, who reader)
{
    for (who author = 0; author < AUTHORS; author++) {
        if (author != reader && by[author] > turn) return true;
    }
    return false;
}

static bool added(const model *m, const entity *e, thing t, who reader)
{
    const held *h = &e->of[t];
    uint64_t turn = m->turn[reader];
    return h->has && h->last > turn && since(ages_of(m, e, t)->added, turn, reader);
}

static bool changed(const model *m, const entity *e, thing t, who reader)
{
    const held *h = &e->of[t];
    uint64_t turn = m->turn[reader];
    if (!h->has || h->last <= turn) return false;
    if (h->last_by != reader) return true;
    const ages *by = ages_of(m, e, t);
    return since(by->added, turn, reader) || since(by->written, turn, reader);
}

static bool removed(const entity *e, thing t, who reader)
{
    for (removal r = LISTED; r < REMOVALS; r++) {
        if (removals[r].reader == reader && removals[r].of == t) return e->lost[r];
    }
    fail("reader %d asks for removals of %d, which it is not known for", (int)reader, (int)t);
}

#define HAS(t) (e->of[t].has)
#define ADDED(t) added(m, e, t, reader)
#define CHANGED(t) changed(m, e, t, reader)
#define REMOVED(t) removed(e, t, reader)

bool model_passes(const model *m, const entity *e, who rows, who reader)
{
    switch (rows) {
    case DRIVE:
        return HAS(SPEED) && HAS(PLACE);
    case LOOK:
        return CHANGED(PLACE) || REMOVED(PLACE);
    case NUDGE:
        return CHANGED(PLACE) && !HAS(LIT);
    case TINKER:
        return HAS(FREIGHT) && (CHANGED(FREIGHT) || !CHANGED(PLACE));
    case STOKE:
        return HAS(BURN) && (!CHANGED(BURN) || ADDED(LIT));
    case LAMPS:
        return ADDED(LIT) || CHANGED(PLACE) != HAS(GHOST) || (REMOVED(LIT) && !HAS(LIT));
    case SLOW:
        return ADDED(PLACE) || (CHANGED(SPEED) && !ADDED(BURN)) || ADDED(GHOST) ||
               (REMOVED(FREIGHT) && HAS(PLACE)) || REMOVED(BURN);
    case ALONE:
        return CHANGED(LONE);
    case COUNTING:
        return ADDED(FREIGHT) || HAS(LIT);
    case EVERYONE:
        return true;
    case MOVERS:
        return HAS(PLACE) && !HAS(GHOST);
    case MOVED:
        return CHANGED(PLACE);
    case FRESH:
        return HAS(SPEED) && (ADDED(SPEED) || CHANGED(BURN) || REMOVED(BURN));
    case SHINING:
        return HAS(BURN) && (ADDED(LIT) || !CHANGED(PLACE) || REMOVED(GHOST));
    case DROPPED:
        return (HAS(PEBBLE) && !CHANGED(PEBBLE)) != ADDED(PEBBLE) ||
               (ADDED(SPARK) && !ADDED(GLINT)) || REMOVED(SPARK) != REMOVED(PEBBLE) ||
               REMOVED(GLINT);
    case NEVER:
        return ((ADDED(PLACE) || ADDED(FREIGHT)) && HAS(PLAIN)) || CHANGED(LONE) != REMOVED(SPEED);
    case GAME:
    case MEDDLE:
    case READERS:
        break;
    }
    return false;
}

uint32_t model_expect(model *m, who rows, who reader, uint32_t depth)
{
    uint32_t count = 0;
    m->walk[depth]++;
    for (uint32_t i = 0; i < m->count; i++) {
        entity *e = &m->entities[i];
        if (!e->alive || !model_passes(m, e, rows, reader)) continue;
        e->due[depth] = m->walk[depth];
        count++;
    }
    return count;
}

void model_meet(const model *m, entity *e, uint32_t depth)
{
    uint64_t walk = m->walk[depth];
    if (e->due[depth] != walk) fail("entity %" PRIx64 " is no row of it", e->bits);
    if (e->met[depth] == walk) fail("entity %" PRIx64 " was met twice", e->bits);
    e->met[depth] = walk;
}

static int by_bits(const void *one, const void *other)
{
    const loss *a = (const loss *)one;
    const loss *b = (const loss *)other;
    if (a->bits != b->bits) return a->bits < b->bits ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

static void compare_losses(removal r, const loss *told, const loss *lost, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (by_bits(&told[i], &lost[i]) == 0) continue;
        fail("removal %d of %d: %" PRIx64 " with %" PRIu32 " instead of %" PRIx64 " with %" PRIu32,
             (int)i, (int)r, told[i].bits, told[i].value, lost[i].bits, lost[i].value);
    }
}

// All calls of a turn must give the order that the first call gives.
static void settle_order(removal r, losses *lost, const loss *told)
{
    size_t bytes = lost->count * sizeof *told;
    loss *sorted = (loss *)malloc(bytes);
    memcpy(sorted, told, bytes);
    qsort(sorted, lost->count, sizeof *sorted, by_bits);
    qsort(lost->items, lost->count, sizeof *sorted, by_bits);
    compare_losses(r, sorted, lost->items, lost->count);
    memcpy(lost->items, told, bytes);
    lost->shuffled = false;
    free(sorted);
}

void model_check_removed(model *m, removal r, const chg_entity *handles, uint32_t count,
                         const void *values, size_t size)
{
    losses *lost = &m->lost[r];
    if (count != lost->count) fail("%" PRIu32 " lost it, not %" PRIu32, lost->count, count);
    if (count == 0) return;
    loss *told = (loss *)calloc(count, sizeof *told);
    for (uint32_t i = 0; i < count; i++) {
        told[i].bits = handles[i].bits;
        if (values) memcpy(&told[i].value, (const char *)values + i * size, sizeof told[i].value);
        if (!values) lost->items[i].value = 0;
    }
    if (lost->shuffled) settle_order(r, lost, told);
    compare_losses(r, told, lost->items, count);
    free(told);
}

void model_turn(model *m, who reader)
{
    for (removal r = 0; r < REMOVALS; r++) {
        if (removals[r].reader != reader) continue;
        for (uint32_t i = 0; i < m->count; i++) {
            m->entities[i].had[r] = m->entities[i].of[removals[r].of].has;
            m->entities[i].lost[r] = false;
        }
        m->lost[r].count = 0;
        m->lost[r].shuffled = false;
    }
    m->turn[reader] = m->now++;
    for (uint32_t i = 0; reader >= AUTHORS && i < m->loan_count; i++) {
        model_write(m, model_find(m, m->loans[i].bits), m->loans[i].what, GAME);
    }
}
