// Each kind of links in the form of link_kinds.h.
#include "link_kinds.h"

#include "fail.h"

#include <string.h>

// ---- values of the world and of the test

static bonds_owes to_owes(const value *v)
{
    return (bonds_owes){v->number, v->met, v->paid, v->witness, v->judge};
}

static value from_owes(const bonds_owes *o)
{
    return (value){o->number, o->met, o->paid, o->witness, o->judge};
}

static bonds_trusts to_trusts(const value *v)
{
    return (bonds_trusts){(uint16_t)v->number, v->met};
}

static value from_trusts(const bonds_trusts *t)
{
    return (value){.number = t->number, .met = t->met};
}

static bonds_bears to_bears(const value *v)
{
    return (bonds_bears){v->number};
}

static value from_bears(const bonds_bears *b)
{
    return (value){.number = b->number};
}

value kind_stored(kind k, const value *v)
{
    value stored = {.number = 0};
    if (k == OWES) return *v;
    if (k == TRUSTS) stored = (value){.number = v->number & UINT16_MAX, .met = v->met};
    if (k == BEARS) stored.number = v->number;
    return stored;
}

value kind_defaults(kind k)
{
    return (value){.number = k == OWES ? 3 : 0};
}

bool value_same(const value *a, const value *b)
{
    return a->number == b->number && a->met == b->met && a->paid == b->paid &&
           bonds_same(a->witness, b->witness) && bonds_same(a->judge, b->judge);
}

static void show(shown_list *list, bonds_entity from, bonds_entity to, value v)
{
    if (list->count == LINKS_MAX) fail("a loop does not end");
    list->items[list->count++] = (seen_link){from, to, v};
}

// ---- calls

#define EVERY(n, VALUE)                                                                            \
    static bool n##_remove(bonds_world *w, bonds_entity from, bonds_entity to)                     \
    {                                                                                              \
        return bonds_##n##_remove(w, from, to);                                                    \
    }                                                                                              \
    static bool n##_clear(bonds_world *w)                                                          \
    {                                                                                              \
        return bonds_##n##_clear(w);                                                               \
    }                                                                                              \
    static bool n##_has(const bonds_world *w, bonds_entity from, bonds_entity to)                  \
    {                                                                                              \
        return bonds_##n##_has(w, from, to);                                                       \
    }                                                                                              \
    static uint64_t n##_count(const bonds_world *w)                                                \
    {                                                                                              \
        return bonds_##n##_count(w);                                                               \
    }                                                                                              \
    static uint32_t n##_count_from(const bonds_world *w, bonds_entity e)                           \
    {                                                                                              \
        return bonds_##n##_count_from(w, e);                                                       \
    }                                                                                              \
    static uint32_t n##_count_to(const bonds_world *w, bonds_entity e)                             \
    {                                                                                              \
        return bonds_##n##_count_to(w, e);                                                         \
    }                                                                                              \
    static void n##_show_from(const bonds_world *w, bonds_entity e, shown_list *list)              \
    {                                                                                              \
        bonds_##n##_from_iter it = bonds_##n##_from_begin(w, e);                                   \
        while (bonds_##n##_from_next(&it)) show(list, it.from, it.to, VALUE);                      \
    }                                                                                              \
    static void n##_show_to(const bonds_world *w, bonds_entity e, shown_list *list)                \
    {                                                                                              \
        bonds_##n##_to_iter it = bonds_##n##_to_begin(w, e);                                       \
        while (bonds_##n##_to_next(&it)) show(list, it.from, it.to, VALUE);                        \
    }                                                                                              \
    static void n##_show_all(const bonds_world *w, shown_list *list)                               \
    {                                                                                              \
        bonds_##n##_iter it = bonds_##n##_begin(w);                                                \
        while (bonds_##n##_next(&it)) show(list, it.from, it.to, VALUE);                           \
    }                                                                                              \
    static bool n##_cmd_remove(bonds_cmd *cmd, bonds_entity from, bonds_entity to)                 \
    {                                                                                              \
        return bonds_cmd_##n##_remove(cmd, from, to);                                              \
    }

#define BARE(n)                                                                                    \
    EVERY(n, ((value){.number = 0}))                                                               \
    static bool n##_set(bonds_world *w, bonds_entity from, bonds_entity to, const value *v)        \
    {                                                                                              \
        (void)v;                                                                                   \
        return bonds_##n##_set(w, from, to);                                                       \
    }                                                                                              \
    static bool n##_get(const bonds_world *w, bonds_entity from, bonds_entity to, value *v)        \
    {                                                                                              \
        *v = (value){.number = 0};                                                                 \
        return bonds_##n##_has(w, from, to);                                                       \
    }                                                                                              \
    static bool n##_cmd_set(bonds_cmd *cmd, bonds_entity from, bonds_entity to, const value *v)    \
    {                                                                                              \
        (void)v;                                                                                   \
        return bonds_cmd_##n##_set(cmd, from, to);                                                 \
    }

#define VALUED(n)                                                                                  \
    EVERY(n, from_##n(it.value))                                                                   \
    static bool n##_set(bonds_world *w, bonds_entity from, bonds_entity to, const value *v)        \
    {                                                                                              \
        return bonds_##n##_set(w, from, to, to_##n(v));                                            \
    }                                                                                              \
    static bool n##_get(const bonds_world *w, bonds_entity from, bonds_entity to, value *v)        \
    {                                                                                              \
        const bonds_##n *found = bonds_##n##_get(w, from, to);                                     \
        if (found) *v = from_##n(found);                                                           \
        return found != NULL;                                                                      \
    }                                                                                              \
    static void *n##_edit(bonds_world *w, bonds_entity from, bonds_entity to)                      \
    {                                                                                              \
        return bonds_##n##_edit(w, from, to);                                                      \
    }                                                                                              \
    static void n##_write(void *at, const value *v)                                                \
    {                                                                                              \
        *(bonds_##n *)at = to_##n(v);                                                              \
    }                                                                                              \
    static bool n##_cmd_set(bonds_cmd *cmd, bonds_entity from, bonds_entity to, const value *v)    \
    {                                                                                              \
        return bonds_cmd_##n##_set(cmd, from, to, to_##n(v));                                      \
    }

VALUED(owes)
VALUED(trusts)
BARE(knows)
VALUED(bears)
BARE(needs)
BARE(shares)
BARE(sees)

#define CALLS(n)                                                                                   \
    .name = #n, .set = n##_set, .remove = n##_remove, .clear = n##_clear, .has = n##_has,          \
    .get = n##_get, .count = n##_count, .count_from = n##_count_from, .count_to = n##_count_to,    \
    .show_from = n##_show_from, .show_to = n##_show_to, .show_all = n##_show_all,                  \
    .cmd_set = n##_cmd_set, .cmd_remove = n##_cmd_remove
#define CALLS_VALUED(n) CALLS(n), .valued = true, .edit = n##_edit, .write = n##_write

const kind_calls kinds[KINDS] = {
    [OWES] = {CALLS_VALUED(owes), .tells_added = true, .tells_removed = true},
    [TRUSTS] = {CALLS_VALUED(trusts), .symmetric = true, .tells_added = true,
                .tells_removed = true},
    [KNOWS] = {CALLS(knows), .symmetric = true},
    [BEARS] = {CALLS_VALUED(bears), .from_ends = true},
    [NEEDS] = {CALLS(needs), .to_ends = true, .tells_removed = true},
    [SHARES] = {CALLS(shares), .symmetric = true, .from_ends = true, .to_ends = true,
                .tells_added = true},
    [SEES] = {CALLS(sees)},
};
