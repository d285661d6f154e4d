// Queries that are asked at run time, for tools: an inspector, a console, a test.
//
//     weft_select found = weft_select_begin(w, "position & !asleep & needs.hunger > 0.8");
//     if (found.status != WEFT_OK) puts(colony_error(colony));
//     while (weft_select_next(&found)) show(found.handle);
//     weft_select_end(&found);
//
// An expression is made of tests with `!`, `&`, `^`, `|` and parentheses, binding in this order, as
// in the schema's `where`:
//
//     worker                      it has the component, or the tag
//     worker.skill[2] > 5         a value of a component: == != < <= > >= with a number
//     worker.route.count >= 2     the count of a list; [i] is an item of an array or a list
//     worker.route[0].at.x <= 1   `.field` goes on into structs and externs
//     worker.lucky                a bool is a test by itself, or == and != with true and false
//     worker.job == haul          an enum, with the name of a value: == !=
//     worker.name != "Ann"        a string, with \" and \\ for a quote and a backslash: == !=
//     claim.by == 12:3            a handle, with index:generation, `none` or `alive`: == !=
//     carried_by                  it has a parent by that relation
//     carried_by == 12:3          its parent is that entity; or `none`
//     root(carried_by)            it has children and no parent
//     leaf(carried_by)            it has a parent and no children
//
// An expression has 4,096 bytes at most, 64 tests (one more for each list on the way to a value),
// and `!` and parentheses 64 levels deep (LIMITS.md: WEFT_SELECT_…).
//
// A test of a value is false for an entity that has no such component, or whose list has no such
// item, with != as well; `!(worker.job == haul)` is true for it. Numbers are compared as the type
// of the field, so one that it cannot have is refused, and one for an f32 is the float nearest to
// it. NaN is != every number; `== nan` finds it, `inf` and `-inf` are numbers. Singletons belong to
// no entity, and what was added or changed is known to readers only, so that neither is asked here.
// Rows with a tag that `hide` of the schema names are found as all others: a tool is to see them.
//
// A text that is refused is reported by colony_error with its column, in bytes from 1, and what
// would be right if a name is near:
//
//     column 13: there is no component or relation 'aslep', did you mean 'asleep'?
//
// Entities come in the order in which generated queries have them, and saves: tables by the sets of
// their components, rows ascending. Nothing here writes to the world. A selection takes one block
// of its memory, which is given back by weft_select_end, before the world is closed. The lists of
// sparse rows that it goes along are kept by the world, as those of queries are.
//
// After a structural change (see weft.h: also of tags and links, a load, a merge, a sort, reserve
// and trim) weft_select_next and _skip assert, and in release builds they end the walk and report
// it; weft_select_rewind makes the selection good again. Values may be set during a walk; it looks
// at them up to 64 rows ahead, of those that have the sparse component of the first test where few
// have it.
//
// What a walk costs beside a generated query is measured by tests/bench (`select_…`): 64 rows are
// tested at a time, rows that lack a sparse component are passed over by its list if few have it
// and the first test asks for it, and tables that lack what is asked for are passed over whole.
#ifndef WEFT_SELECT_H
#define WEFT_SELECT_H

#include "../world/world.h"

WEFT_EXTERN_C_BEGIN

typedef struct weft_select {
    weft_world *world;
    struct weft_select_program *program; // NULL: it was refused
    weft_status status;
    uint32_t column;    // of a mistake in the text, in bytes from 1; 0: there is none
    uint64_t handle;    // the entity that weft_select_next has found
    const uint64_t *at; // found ahead, up to `end`
    const uint64_t *end;
    uint32_t table; // the place of the next rows: a table in canonical order, and its row
    uint32_t row;
    uint64_t moment; // of the world in which the walk began
} weft_select;

// Begins a selection. status is WEFT_OK, or it has no entities, and may be ended or not:
// WEFT_NOT_FOUND: no such component, relation, field or value of an enum; WEFT_BAD_VALUE: the text
// is wrong in another way, or longer than it may be; WEFT_NO_MEMORY; WEFT_BUSY: a phase or a hook
// runs (asserts in debug builds).
weft_select weft_select_begin(weft_world *world, const char *text);

// Does what weft_select_next does where no entity was found ahead.
bool weft_select_step(weft_select *select);

// Steps to the next entity, whose handle is in select->handle then. False: there is none. A copy
// steps, so that a selection that is only begun, stepped and ended may stay in registers.
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

// Passes over n entities, as calling weft_select_next so often does, and returns how many there
// were. O(tables) where whole tables pass, else O(rows / 64) for each test. A window of a long
// selection, from row n on: rewind, skip n, then next.
uint64_t weft_select_skip(weft_select *select, uint64_t n);

// Counts all entities that pass now, wherever the walk stands, also after a structural change. It
// costs what skipping all of them does.
uint64_t weft_select_count(weft_select *select);

// Begins the walk anew, with the world as it is now and without reading the text again.
void weft_select_rewind(weft_select *select);

// Does what weft_select_end does with the memory of a program; NULL: there is none.
void weft_select_free(weft_world *world, struct weft_select_program *program);

// Gives the memory back. What was refused or has ended may be ended again.
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
