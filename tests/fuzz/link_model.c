// The naive model of links: see link_model.h.
//
// flags: hot
#include "link_model.h"

#include "fail.h"

#include <stdlib.h>
#include <string.h>

const struct reader_info readers[READERS] = {
    [OWES_FIRST] = {OWES, false, FIRST},   [OWED_OTHER] = {OWES, true, OTHER},
    [OWES_LAST] = {OWES, false, LAST},     [TRUSTS_OTHER] = {TRUSTS, false, OTHER},
    [KNOWS_LAST] = {KNOWS, true, LAST},    [KNOWS_FIRST] = {KNOWS, true, FIRST},
    [BEARS_FIRST] = {BEARS, false, FIRST}, [NEEDS_LAST] = {NEEDS, true, LAST},
    [NOTE] = {OWES, false, OTHER},
};

void model_free(model *m)
{
    for (kind k = 0; k < KINDS; k++) {
        for (uint32_t i = 0; i < m->top; i++) free(m->links[k][i].items);
    }
}

void model_expect(model *m, kind k, bool added, uint32_t from, uint32_t to)
{
    if (!(added ? kinds[k].tells_added : kinds[k].tells_removed)) return;
    if (m->expected.count == TELLINGS_MAX) fail("more hooks than the test can list");
    m->expected.items[m->expected.count++] = (telling){k, added, m->handle[from], m->handle[to]};
}

// ---- readers

bool model_any(const model *m, kind k, bool to, uint32_t index)
{
    uint32_t count = kinds[k].symmetric ? m->from[k][index] + m->to[k][index]
                     : to               ? m->to[k][index]
                                        : m->from[k][index];
    return count != 0;
}

// Notes a change of an entity at one side of a link.
static void note(model *m, kind k, bool to, uint32_t index, change c)
{
    for (reader r = 0; r < READERS; r++) {
        const struct reader_info *info = &readers[r];
        if (info->k != k || (info->to != to && !kinds[k].symmetric)) continue;
        reader_state *marks = &m->readers[r];
        if (c == FIRST) marks->added[index] = true;
        if (info->change == LAST && c == LAST) {
            if (!marks->added[index]) marks->must[index] = true;
        } else if (info->change == c || (info->change == OTHER && c == FIRST)) {
            marks->must[index] = true;
        }
    }
}

static void note_ends(model *m, kind k, uint32_t from, uint32_t to)
{
    note(m, k, false, from, OTHER);
    note(m, k, true, to, OTHER);
}

void model_written(model *m, kind k, uint32_t from, uint32_t to)
{
    bool turned = kinds[k].symmetric && from > to;
    note_ends(m, k, turned ? to : from, turned ? from : to);
}

void model_lend(model *m, kind k, uint32_t from, uint32_t to)
{
    model_written(m, k, from, to);
    m->lent[k][0][from] = m->lent[k][1][to] = true;
    if (kinds[k].symmetric) m->lent[k][1][from] = m->lent[k][0][to] = true;
}

void model_loans_end(model *m)
{
    memset(m->lent, 0, sizeof m->lent);
}

bool model_is_shown(const model *m, reader r, uint32_t index)
{
    const struct reader_info *info = &readers[r];
    if (m->state[index] != ALIVE || !m->readers[r].must[index]) return false;
    return info->change == LAST || model_any(m, info->k, info->to, index);
}

bool model_may_show(const model *m, reader r, uint32_t index)
{
    const struct reader_info *info = &readers[r];
    bool may = m->state[index] == ALIVE && m->readers[r].may[index];
    return model_is_shown(m, r, index) ||
           (may && info->change == OTHER && model_any(m, info->k, info->to, index));
}

void model_turn(model *m, reader r)
{
    const struct reader_info *info = &readers[r];
    for (uint32_t i = 0; i < m->top; i++) {
        m->readers[r].must[i] = m->readers[r].added[i] = false;
        m->readers[r].may[i] = m->lent[info->k][info->to][i];
    }
}

static void forget_marks(model *m, uint32_t index)
{
    for (reader r = 0; r < READERS; r++) {
        m->readers[r].must[index] = m->readers[r].may[index] = m->readers[r].added[index] = false;
    }
    for (kind k = 0; k < KINDS; k++) m->lent[k][0][index] = m->lent[k][1][index] = false;
}

// An entity that returns has a new row, so readers see all of it as added.
void model_returned(model *m, uint32_t index)
{
    forget_marks(m, index);
    for (kind k = 0; k < KINDS; k++) {
        if (model_any(m, k, false, index)) note(m, k, false, index, FIRST);
        if (model_any(m, k, true, index)) note(m, k, true, index, FIRST);
    }
}

// ---- links

// Orders the ends of a symmetric link.
static void store_ends(kind k, uint32_t *from, uint32_t *to)
{
    if (!kinds[k].symmetric || *from <= *to) return;
    uint32_t lower = *to;
    *to = *from;
    *from = lower;
}

item *model_find(const model *m, kind k, uint32_t from, uint32_t to)
{
    store_ends(k, &from, &to);
    const item_list *list = &m->links[k][from];
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].to == to) return &list->items[i];
    }
    return NULL;
}

static item *append(item_list *list)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 4;
        list->items = (item *)realloc(list->items, list->capacity * sizeof *list->items);
        if (!list->items) fail("no memory to test with");
    }
    return &list->items[list->count++];
}

static void note_first(model *m, kind k, uint32_t from, uint32_t to)
{
    bool had_from = model_any(m, k, false, from);
    bool had_to = model_any(m, k, true, to);
    m->from[k][from]++;
    m->to[k][to]++;
    note(m, k, false, from, had_from ? OTHER : FIRST);
    note(m, k, true, to, had_to ? OTHER : FIRST);
}

static void note_last(model *m, kind k, uint32_t from, uint32_t to)
{
    m->from[k][from]--;
    m->to[k][to]--;
    note(m, k, false, from, model_any(m, k, false, from) ? OTHER : LAST);
    note(m, k, true, to, model_any(m, k, true, to) ? OTHER : LAST);
}

void model_set(model *m, kind k, uint32_t from, uint32_t to, const value *v)
{
    store_ends(k, &from, &to);
    item *found = model_find(m, k, from, to);
    value stored = kind_stored(k, v);
    if (found) {
        found->v = stored;
        if (kinds[k].valued) note_ends(m, k, from, to);
        return;
    }
    bool meets = kinds[k].tells_added && kinds[k].valued;
    if (meets) stored.met = true;
    *append(&m->links[k][from]) = (item){to, stored};
    m->count[k]++;
    note_first(m, k, from, to);
    model_loans_end(m);
    model_expect(m, k, true, from, to);
}

bool model_remove(model *m, kind k, uint32_t from, uint32_t to)
{
    store_ends(k, &from, &to);
    item *found = model_find(m, k, from, to);
    item_list *list = &m->links[k][from];
    if (!found) return false;
    model_expect(m, k, false, from, to);
    *found = list->items[--list->count];
    m->count[k]--;
    note_last(m, k, from, to);
    model_loans_end(m);
    return true;
}

void model_clear(model *m, kind k)
{
    for (uint32_t i = 0; i < m->top; i++) {
        while (m->links[k][i].count != 0) model_remove(m, k, i, m->links[k][i].items[0].to);
    }
}

void model_remove_all_of(model *m, uint32_t index)
{
    for (kind k = 0; k < KINDS; k++) {
        while (m->links[k][index].count != 0) {
            model_remove(m, k, index, m->links[k][index].items[0].to);
        }
        for (uint32_t i = 0; m->to[k][index] != 0 && i < m->top; i++) {
            if (m->links[k][i].count != 0) model_remove(m, k, i, index);
        }
    }
}

// ---- entities

bool model_alive(const model *m, bonds_entity e)
{
    uint32_t i = INDEX(e);
    return !bonds_is_none(e) && m->state[i] == ALIVE && bonds_same(m->handle[i], e);
}

bool model_exists(const model *m, bonds_entity e)
{
    uint32_t i = INDEX(e);
    return !bonds_is_none(e) && m->state[i] != DEAD && bonds_same(m->handle[i], e);
}

void model_spawn(model *m, bonds_entity e)
{
    uint32_t i = INDEX(e);
    if (m->state[i] != DEAD) fail("index %u is given twice", (unsigned)i);
    if (i >= m->top) m->top = i + 1;
    m->state[i] = ALIVE;
    m->handle[i] = e;
    m->id[i] = 0;
    m->asleep[i] = m->purse[i] = m->drift[i] = m->charm[i] = false;
    m->drift_x[i] = m->power[i] = 0;
    m->parent[i] = 0;
    m->living++;
    model_loans_end(m);
    forget_marks(m, i);
}

void model_forget_entity(model *m, uint32_t index)
{
    if (m->state[index] == ALIVE) m->living--;
    m->state[index] = DEAD;
    m->parent[index] = 0;
    forget_marks(m, index);
    model_loans_end(m);
}

// Marks what is despawned with an entity: its children, and the other ends of links that end.
static void spread(const model *m, uint32_t index, bool *ends)
{
    for (uint32_t i = 0; i < m->top; i++) {
        if (m->state[i] == ALIVE && m->parent[i] == index + 1) ends[i] = true;
    }
    for (kind k = 0; k < KINDS; k++) {
        if (!kinds[k].from_ends && !kinds[k].to_ends) continue;
        const item_list *list = &m->links[k][index];
        for (uint32_t i = 0; kinds[k].from_ends && i < list->count; i++) {
            if (m->state[list->items[i].to] == ALIVE) ends[list->items[i].to] = true;
        }
        for (uint32_t i = 0; kinds[k].to_ends && m->to[k][index] != 0 && i < m->top; i++) {
            bool linked = m->links[k][i].count != 0 && model_find(m, k, i, index);
            if (linked && m->state[i] == ALIVE) ends[i] = true;
        }
    }
}

// An entity that is away is given up, alone.
void model_despawn(model *m, bonds_entity e)
{
    uint32_t index = INDEX(e);
    if (!model_exists(m, e)) return;
    if (m->state[index] == AWAY) {
        model_remove_all_of(m, index);
        model_forget_entity(m, index);
        return;
    }
    bool ends[INDICES] = {false};
    bool done[INDICES] = {false};
    ends[index] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < m->top; i++) {
            if (!ends[i] || done[i]) continue;
            done[i] = more = true;
            spread(m, i, ends);
        }
    }
    for (uint32_t i = 0; i < m->top; i++) {
        if (ends[i]) model_remove_all_of(m, i);
    }
    for (uint32_t i = 0; i < m->top; i++) {
        if (ends[i]) model_forget_entity(m, i);
    }
}

// ---- lists in the order of loops

static int by_from_and_to(const void *a, const void *b)
{
    const seen_link *left = (const seen_link *)a;
    const seen_link *right = (const seen_link *)b;
    if (INDEX(left->from) != INDEX(right->from)) {
        return INDEX(left->from) < INDEX(right->from) ? -1 : 1;
    }
    return INDEX(left->to) < INDEX(right->to) ? -1 : INDEX(left->to) > INDEX(right->to);
}

static void show(const model *m, uint32_t from, uint32_t to, const value *v, shown_list *list)
{
    if (list->count == LINKS_MAX) fail("more links than the test can list");
    list->items[list->count++] = (seen_link){m->handle[from], m->handle[to], *v};
}

void model_all(const model *m, kind k, shown_list *list)
{
    list->count = 0;
    for (uint32_t i = 0; i < m->top; i++) {
        const item_list *own = &m->links[k][i];
        for (uint32_t j = 0; j < own->count; j++) {
            show(m, i, own->items[j].to, &own->items[j].v, list);
        }
    }
    qsort(list->items, list->count, sizeof *list->items, by_from_and_to);
}

// Lists the links in the list of an entity.
static void show_own(const model *m, kind k, uint32_t index, shown_list *list)
{
    const item_list *own = &m->links[k][index];
    for (uint32_t i = 0; i < own->count; i++)
        show(m, index, own->items[i].to, &own->items[i].v, list);
}

// Lists the links to an entity in the lists of others. The entity stands first if `turned`.
static void show_others(const model *m, kind k, uint32_t index, bool turned, shown_list *list)
{
    for (uint32_t i = 0; m->to[k][index] != 0 && i < m->top; i++) {
        const item_list *other = &m->links[k][i];
        if (turned && i == index) continue;
        for (uint32_t j = 0; j < other->count; j++) {
            if (other->items[j].to != index) continue;
            show(m, turned ? index : i, turned ? i : index, &other->items[j].v, list);
        }
    }
}

void model_from(const model *m, kind k, uint32_t index, shown_list *list)
{
    list->count = 0;
    if (m->state[index] != ALIVE) return;
    show_own(m, k, index, list);
    if (kinds[k].symmetric) show_others(m, k, index, true, list);
    qsort(list->items, list->count, sizeof *list->items, by_from_and_to);
}

void model_to(const model *m, kind k, uint32_t index, shown_list *list)
{
    list->count = 0;
    if (m->state[index] != ALIVE) return;
    show_others(m, k, index, false, list);
    if (kinds[k].symmetric) {
        const item_list *own = &m->links[k][index];
        for (uint32_t i = 0; i < own->count; i++) {
            if (own->items[i].to == index) continue; // listed
            show(m, own->items[i].to, index, &own->items[i].v, list);
        }
    }
    qsort(list->items, list->count, sizeof *list->items, by_from_and_to);
}
