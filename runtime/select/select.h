// Selections: queries that are written at run time, for tools such as an inspector, a console or a
// test.
//
//     weft_select found = weft_select_begin(w, "position & !asleep & needs.hunger > 0.8");
//     if (found.status != WEFT_OK) puts(colony_error(colony));
//     while (weft_select_next(&found)) show(found.handle);
//     weft_select_end(&found);
//
// An expression consists of tests with `!`, `&`, `^`, `|` and parentheses. The operators bind in
// this order, strongest first, as in the schema's `where`:
//
//     worker                      the entity has the component or tag
//     worker.skill[2] > 5         a value of a component: == != < <= > >= with a number
//     worker.route.count >= 2     the count of a list; [i] is an item of an array or a list
//     worker.route[0].at.x <= 1   `.field` goes into structs and externs
//     worker.lucky                a bool is a test itself; also == and != with true and false
//     worker.job == haul          an enum and the name of a value: == !=
//     worker.name != "Ann"        a string; write \" for a quote and \\ for a backslash: == !=
//     worker.name ~ "ann"         a string contains a text, in upper or lower case (ASCII): ~ !~
//     claim.by == 12:3            a handle as index:generation, `none` or `alive`: == !=
//     carried_by                  the entity has a parent in this relation
//     carried_by == 12:3          its parent is this entity; or `none`
//     root(carried_by)            it has children and no parent
//     leaf(carried_by)            it has a parent and no children
//     from(owes), to(owes)        there is at least one link from it, or to it
//
// An expression has at most 4,096 bytes and 64 tests (one more for each list on the path to a
// value), and at most 64 nested `!` and parentheses (LIMITS.md: WEFT_SELECT_…).
//
// A test of a value is false for an entity that lacks the component, or whose list lacks the item,
// even with !=. So `!(worker.job == haul)` is true for such an entity. Numbers are compared in the
// type of the field: a number that the type cannot hold is refused, and for an f32 field the
// nearest float is used. NaN is != every number; `== nan` finds it. `inf` and `-inf` are numbers.
//
// Singletons cannot be tested, because they belong to no entity. Neither can added and changed,
// which only readers know. Rows with a tag that the schema names in `hide` are found like all
// others, because tools should see them.
//
// If a text is refused, colony_error reports the column, in bytes from 1, and the nearest name if
// there is one:
//
//     column 13: there is no component or relation 'aslep', did you mean 'asleep'?
//
// Entities are found in the same order as in generated queries and saves: tables ordered by their
// components, then rows ascending. A selection never writes to the world. It takes one block of the
// world's memory; free it with weft_select_end before the world is closed. The world keeps the
// lists of sparse rows that selections use, as it does for queries.
//
// After a structural change (see weft.h; this includes tags, links, loads, merges, sorts, reserve
// and trim) weft_select_next and weft_select_skip assert. In release builds they end the walk and
// report it. weft_select_rewind makes the selection usable again. Values may be set during a walk,
// but the walk tests them up to 64 rows ahead. (For listed sparse rows, this means 64 rows that
// have the component.)
//
// Costs: 64 rows are tested at a time. Tables that cannot match are skipped as a whole. If the
// first test needs a sparse component that few rows have, only those rows are tested. tests/bench
// (`select_…`) compares selections with generated queries.
#ifndef WEFT_SELECT_H
#define WEFT_SELECT_H

#include "../world/world.h"

WEFT_EXTERN_C_BEGIN

typedef struct weft_select {
    weft_world *world;
    struct weft_select_program *program; // NULL if the text was refused
    weft_status status;
    uint32_t column;    // of the mistake in the text, in bytes from 1; 0 if there is none
    uint64_t handle;    // found by weft_select_next
    const uint64_t *at; // handles found ahead, up to `end`
    const uint64_t *end;
    uint32_t table; // the next rows: the table in canonical order, and the first row in it
    uint32_t row;
    uint64_t moment; // of the world when the walk began
} weft_select;

// Begins a selection. If status is not WEFT_OK, the selection finds no entities, and need not be
// ended: WEFT_NOT_FOUND if there is no such component, relation, field or value of an enum;
// WEFT_BAD_VALUE if the text is wrong in another way, or too long; WEFT_NO_MEMORY; WEFT_BUSY if a
// phase or a hook runs (asserts in debug builds).
weft_select weft_select_begin(weft_world *world, const char *text);

// Does the work of weft_select_next when no entity was found ahead.
bool weft_select_step(weft_select *select);

// Moves to the next entity, and stores its handle in select->handle. Returns false at the end. It
// passes a copy to weft_select_step, so that the compiler can keep the caller's selection in
// registers.
static inline bool weft_select_next(weft_select *select)
{
    if (WEFT_UNLIKELY(select->at == select->end || select->moment != weft_moment(select->world))) {
        weft_select copy = *select;
        bool found = weft_select_step(&copy);
        *select = copy;
        return found;
    }
    select->handle = *select->at++;
    return true;
}

// Skips n entities, as n calls of weft_select_next would, and returns how many it skipped.
// O(tables) for tables that pass as a whole, otherwise O(rows / 64) for each test. To show a window
// of a long selection from row n on: rewind, skip n, then next.
uint64_t weft_select_skip(weft_select *select, uint64_t n);

// Counts all entities that pass now, independent of the walk, even after a structural change. Costs
// as much as skipping all of them.
uint64_t weft_select_count(weft_select *select);

// Restarts the walk with the world as it is now, without reading the text again.
void weft_select_rewind(weft_select *select);

// Frees a program; NULL is allowed. Call weft_select_end instead.
void weft_select_free(weft_world *world, struct weft_select_program *program);

// Frees the memory. May be called for a refused selection, and more than once.
static inline void weft_select_end(weft_select *select)
{
    weft_select_free(select->world, select->program);
    select->program = NULL;
    select->at = NULL;
    select->end = NULL;
    select->column = 0;
}

WEFT_EXTERN_C_END

#endif
