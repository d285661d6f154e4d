// Compares a world with the model.
//
// flags: hot
#include "link_run.h"

#include "fail.h"

#include <stdlib.h>
#include <string.h>

static void expect_number(const char *kind_name, const char *what, uint64_t found, uint64_t wanted)
{
    if (found == wanted) return;
    fail("%s: %s is %llu instead of %llu", kind_name, what, (unsigned long long)found,
         (unsigned long long)wanted);
}

static void expect_list(const char *kind_name, const char *what, const shown_list *found,
                        const shown_list *wanted)
{
    expect_number(kind_name, what, found->count, wanted->count);
    for (uint32_t i = 0; i < wanted->count; i++) {
        const seen_link *a = &found->items[i];
        const seen_link *b = &wanted->items[i];
        bool ends = bonds_same(a->from, b->from) && bonds_same(a->to, b->to);
        if (ends && value_same(&a->v, &b->v)) continue;
        fail("%s: link %u of %s is %x to %x (%u), not %x to %x (%u)", kind_name, (unsigned)i, what,
             (unsigned)a->from.bits, (unsigned)a->to.bits, (unsigned)a->v.number,
             (unsigned)b->from.bits, (unsigned)b->to.bits, (unsigned)b->v.number);
    }
}

// ---- hooks

static int by_kind_and_ends(const void *a, const void *b)
{
    const telling *left = (const telling *)a;
    const telling *right = (const telling *)b;
    if (left->k != right->k) return left->k < right->k ? -1 : 1;
    if (left->added != right->added) return left->added ? 1 : -1;
    if (!bonds_same(left->from, right->from)) return left->from.bits < right->from.bits ? -1 : 1;
    return left->to.bits < right->to.bits ? -1 : left->to.bits > right->to.bits;
}

void compare_hooks(run *r)
{
    tellings *wanted = &r->m.expected;
    tellings *told = &r->told;
    qsort(wanted->items, wanted->count, sizeof *wanted->items, by_kind_and_ends);
    qsort(told->items, told->count, sizeof *told->items, by_kind_and_ends);
    for (uint32_t i = 0; i < wanted->count && i < told->count; i++) {
        const telling *a = &told->items[i];
        const telling *b = &wanted->items[i];
        if (by_kind_and_ends(a, b) == 0) continue;
        fail("a hook of %s (added %d) got %x to %x, not %s (added %d) %x to %x", kinds[a->k].name,
             a->added, (unsigned)a->from.bits, (unsigned)a->to.bits, kinds[b->k].name, b->added,
             (unsigned)b->from.bits, (unsigned)b->to.bits);
    }
    expect_number("hooks", "the number of calls", told->count, wanted->count);
    told->count = wanted->count = 0;
}

// ---- one entity

static void compare_state(run *r, uint32_t index)
{
    const model *m = &r->m;
    bonds_entity e = m->handle[index];
    if (bonds_is_none(e)) return;
    if (bonds_alive(r->w, e) != (m->state[index] == ALIVE))
        fail("entity %x lives", (unsigned)e.bits);
    if (bonds_away(r->w, e) != (m->state[index] == AWAY))
        fail("entity %x is away", (unsigned)e.bits);
    if (m->state[index] != ALIVE) return;
    const bonds_charm *charm = bonds_charm_get(r->w, e);
    bonds_drift_const_columns drift = bonds_drift_get(r->w, e);
    uint32_t parent = m->parent[index];
    expect_number("id", "the number", bonds_id_get(r->w, e)->number, m->id[index]);
    expect_number("charm", "its power", charm ? (uint32_t)charm->power : UINT32_MAX,
                  m->charm[index] ? (uint32_t)m->power[index] : UINT32_MAX);
    expect_number("drift", "its x", drift.x ? (uint32_t)*drift.x : UINT32_MAX,
                  m->drift[index] ? (uint32_t)m->drift_x[index] : UINT32_MAX);
    expect_number("under", "the parent", bonds_under_parent(r->w, e).bits,
                  parent ? m->handle[parent - 1].bits : 0);
}

// Compares the links of an entity. Loops begin only at entities that are alive.
static void compare_links(run *r, kind k, uint32_t index)
{
    const kind_calls *calls = &kinds[k];
    bonds_entity e = r->m.handle[index];
    model_from(&r->m, k, index, &r->wanted);
    r->found.count = 0;
    calls->show_from(r->w, e, &r->found);
    expect_list(calls->name, "a loop from an entity", &r->found, &r->wanted);
    expect_number(calls->name, "count_from", calls->count_from(r->w, e), r->wanted.count);
    model_to(&r->m, k, index, &r->wanted);
    r->found.count = 0;
    calls->show_to(r->w, e, &r->found);
    expect_list(calls->name, "a loop to an entity", &r->found, &r->wanted);
    expect_number(calls->name, "count_to", calls->count_to(r->w, e), r->wanted.count);
}

// Compares what the calls for one link return for an entity and any other one.
static void compare_pair(run *r, kind k, uint32_t index)
{
    bonds_entity a = r->m.handle[index];
    bonds_entity b = any_end(r);
    bool exist = model_exists(&r->m, a) && model_exists(&r->m, b);
    const item *wanted = exist ? model_find(&r->m, k, INDEX(a), INDEX(b)) : NULL;
    value v;
    if (kinds[k].has(r->w, a, b) != (wanted != NULL)) fail("%s: has is wrong", kinds[k].name);
    if (kinds[k].get(r->w, a, b, &v) != (wanted != NULL)) fail("%s: get is wrong", kinds[k].name);
    if (wanted && !value_same(&v, &wanted->v)) fail("%s: another value", kinds[k].name);
}

void compare_entity(run *r, uint32_t index)
{
    compare_state(r, index);
    for (kind k = 0; k < KINDS; k++) {
        compare_links(r, k, index);
        compare_pair(r, k, index);
    }
}

// ---- queries and readers

#define SHOWN(query)                                                                               \
    static void show_##query(bonds_world *w, bool *shown)                                          \
    {                                                                                              \
        bonds_##query##_iter it = bonds_##query##_begin(w);                                        \
        while (bonds_##query##_next(&it)) {                                                        \
            for (uint32_t i = 0; i < it.count; i++) shown[INDEX(it.entities[i])] = true;           \
        }                                                                                          \
    }

SHOWN(everyone)
SHOWN(debtors)
SHOWN(borne)
SHOWN(lone)
SHOWN(owes_first)
SHOWN(owed_other)
SHOWN(owes_last)
SHOWN(trusts_other)
SHOWN(knows_last)
SHOWN(knows_first)
SHOWN(bears_first)
SHOWN(needs_last)

static void (*const show_reader[])(bonds_world *w, bool *shown) = {
    [OWES_FIRST] = show_owes_first,   [OWED_OTHER] = show_owed_other,
    [OWES_LAST] = show_owes_last,     [TRUSTS_OTHER] = show_trusts_other,
    [KNOWS_LAST] = show_knows_last,   [KNOWS_FIRST] = show_knows_first,
    [BEARS_FIRST] = show_bears_first, [NEEDS_LAST] = show_needs_last,
};

static void compare_shown(const run *r, reader which, const bool *shown)
{
    for (uint32_t i = 0; i < r->m.top; i++) {
        bool must = model_is_shown(&r->m, which, i);
        if (must == shown[i] || (shown[i] && model_may_show(&r->m, which, i))) continue;
        fail("reader %d: entity %x is%s shown", (int)which, (unsigned)r->m.handle[i].bits,
             shown[i] ? "" : " not");
    }
}

void compare_reader(run *r, reader which)
{
    bool shown[INDICES] = {false};
    show_reader[which](r->w, shown);
    compare_shown(r, which, shown);
    model_turn(&r->m, which);
}

void compare_noted(run *r)
{
    compare_shown(r, NOTE, r->noted);
    model_turn(&r->m, NOTE);
}

void forget_readers(run *r)
{
    bool shown[INDICES];
    for (reader i = 0; i < READERS; i++) {
        if (i != NOTE) show_reader[i](r->w, shown);
        model_turn(&r->m, i);
        memset(r->m.readers[i].may, 0, sizeof r->m.readers[i].may);
    }
}

static void compare_query(const run *r, const char *name, void (*show)(bonds_world *w, bool *shown),
                          bool *wanted)
{
    bool shown[INDICES] = {false};
    show(r->w, shown);
    for (uint32_t i = 0; i < r->m.top; i++) {
        bool want = wanted[i] && r->m.state[i] == ALIVE;
        if (shown[i] != want) fail("%s: entity %x", name, (unsigned)r->m.handle[i].bits);
    }
}

static void compare_queries(const run *r)
{
    const model *m = &r->m;
    bool all[INDICES], owes[INDICES], borne[INDICES], lone[INDICES];
    for (uint32_t i = 0; i < m->top; i++) {
        all[i] = true;
        owes[i] = model_any(m, OWES, false, i) && !m->asleep[i];
        borne[i] = model_any(m, BEARS, true, i) || m->purse[i];
        lone[i] = !model_any(m, KNOWS, false, i);
    }
    compare_query(r, "everyone", show_everyone, all);
    compare_query(r, "debtors", show_debtors, owes);
    compare_query(r, "borne", show_borne, borne);
    compare_query(r, "lone", show_lone, lone);
}

void compare_all(run *r)
{
    compare_hooks(r);
    for (kind k = 0; k < KINDS; k++) {
        model_all(&r->m, k, &r->wanted);
        r->found.count = 0;
        kinds[k].show_all(r->w, &r->found);
        expect_list(kinds[k].name, "a loop over all", &r->found, &r->wanted);
        expect_number(kinds[k].name, "count", kinds[k].count(r->w), r->m.count[k]);
    }
    expect_number("world", "the number of entities", bonds_stats(r->w).entities, r->m.living);
    compare_queries(r);
    uint32_t step = r->m.top > 200 ? 1 + dice_below(&r->d, 100) : 1;
    for (uint32_t i = 0; i < r->m.top; i += step) compare_entity(r, i);
}
