// Insight: finds values that break a rule of the schema, and which code wrote them. It is for
// debugging and tests. A game that does not enable it pays for one test a turn.
//
//     #include "burrow_insight.h" // generated; link weft_json.c as well as weft.c
//     weft_options options = {.insight = burrow_insight(), .checks = true, .log = print};
//     burrow_world *w = burrow_open(&options);
//
// Checks (weft_options.checks). The runtime checks the conditions in `holds` of components and
// singletons, and `min`, `max`, values of enums and bools, counts of lists, NULs of strings and
// bits of handles:
//   - after the turn of each system: the components and singletons that it may write;
//   - after the commands of each system are applied, and after a load: everything;
//   - before a phase and before a save: what the game may have written, or everything if rows
//     changed. A broken rule is reported to the log hook and burrow_error, with the writer, the
//     value and the entity. The world continues to run. For example:
//
//     eat broke stock: amount[carrot] = 120, space = 100 of 9:4
//     tick broke hunger: level = 1.25 of 3:1
//     commands of die broke health: points = -1 of 12:1 (points >= 0)
//
// weft_stats.broken counts the reports. A rule is reported once, and again if it was met in
// between. Of reports that differ only in their numbers, the log hook gets the first, second,
// fourth, eighth and so on. With weft_options.checks_stop, the first report is printed to stderr,
// and abort() ends the program.
//
// Last writes (weft_options.watch). When a writer ends, the runtime compares the values that it may
// have written with a copy, and stores the differences in a ring with room for `watch` writes.
// <world>_trace(w, e, "needs.hunger", …) returns the last of them: the tick, the writer (a system,
// the commands of a system, a load, or a call by name), the old and the new value.
//
// Everything that the game itself does between two writers is one write by "the game", whatever
// calls it uses. To distinguish parts of it, call <world>_trace before and after a part. If a state
// `game` takes another value, the writer of the change and of its despawns (`lives`) is "state
// game", and the caller who requested the change is the writer of game.next. The game may write
// through a pointer until the next structural change or phase (weft.h), and the runtime looks for
// such writes only until then. Writes through the columns of a system are found only in its turn.
// If one writer changes a value and sets it back, there is no write. If a writer makes more writes
// than the ring can hold, the first ones are kept, in the order of rows.
//
// A relation is traced like a component with two values: "carried_by.parent", and
// "carried_by.next_sibling" for the order of children. Both are none before the first attach and
// after either entity is despawned; the next sibling of the last child is none. An entity that is
// inserted between two siblings, or leaves them, also changes the next sibling of the one before
// it.
//
// While checks or watching are on, systems run one by one on the thread of the game, in the same
// order as without workers, and the systems of a pass run one after the other. Their results are
// equal.
#ifndef WEFT_INSIGHT_H
#define WEFT_INSIGHT_H

#include "query/query.h"
#include "world/writer.h"

WEFT_EXTERN_C_BEGIN

// A part of `holds`, or the limits of one field.
typedef struct weft_rule {
    const char *text; // as in the schema; NULL for limits
    uint16_t field;   // the field that has the limits
    uint16_t path_count;
    const char *const *paths; // the values that the rule uses
} weft_rule;

// The rules of a component or singleton. Generated.
typedef struct weft_check {
    uint16_t of; // number of the component or singleton
    bool singleton;
    uint16_t rule_count;
    const weft_rule *rules;
    // Checks `count` values that are stored one after the other. Bit i is set if any of them breaks
    // rule i; rules from 63 on share the last bit.
    uint64_t (*broken)(const void *values, uint32_t count);
} weft_check;

// ------------------------------------------------------------------------------------------------
// Last writes

#define WEFT_WRITE_TEXT_BYTES 64u // of a path or value; longer ones are cut, strings at 24 bytes

typedef enum weft_write_kind {
    WEFT_WRITE_VALUE,   // the value changed; "" stands for an item that the list lacks
    WEFT_WRITE_ADDED,   // the entity got the component or tag
    WEFT_WRITE_REMOVED, // the entity lost it, perhaps because it was despawned
    // Only stops use these two; the ring does not store them.
    WEFT_WRITE_EVENT,     // a system emitted the event `owner`, whose values are in `after`
    WEFT_WRITE_DESPAWNED, // the entity was despawned
} weft_write_kind;

// `handle` is a number: <world>_entity_of(handle) converts it to an entity. Reports print it as
// index:generation, for example 9:4. The index is handle & ((1 << index_bits) - 1), and the
// generation is handle >> index_bits, with the index_bits of <world>_schema().
typedef struct weft_write {
    uint64_t tick;      // ticks that were done before the write
    uint64_t number;    // a later write has a larger number; 0 if the write is not stored
    const char *writer; // a system, "load", a call, "the hooks", "state game", or "the game"
    bool commands;      // made by commands that the writer had recorded
    weft_write_kind kind;
    uint64_t handle; // 0 for a singleton
    // On behalf of which entity it was written. A system processes many rows in a turn, and the
    // runtime sees only what differs after the turn. So the row is known only if the system was
    // given one row (WEFT_ROWS_ONE); otherwise, and for commands and calls, `row` is 0.
    uint64_t row;
    weft_rows_given given;
    double change;                    // after - before; NAN unless both are numbers
    const char *owner;                // name of the component or singleton
    char path[WEFT_WRITE_TEXT_BYTES]; // of the value in it, for example "amount[bread]"
    char before[WEFT_WRITE_TEXT_BYTES];
    char after[WEFT_WRITE_TEXT_BYTES];
} weft_write;

// Gets the last writes to the values of a path, newest first: for example "needs.hunger" of an
// entity, or "needs" for all of its values. The entity may be dead. Handle 0 means a singleton.
// Returns how many were stored in `writes`, at most `most`. Returns 0 and reports if there is no
// such path or the world is not watched.
uint32_t weft_last_writes(weft_world *world, uint64_t handle, const char *path, weft_write *writes,
                          uint32_t most);

// Selects writes. A filter of zeros selects all of them.
typedef struct weft_write_filter {
    const char *writer; // only those by this writer or its commands, as weft_write names it
    uint64_t until;     // only writes with a smaller number, unless this is 0
    uint32_t skip;      // how many of the selected writes are left out at the start
    bool by_size;       // the largest changes first; values that are not numbers are last
} weft_write_filter;

// Like weft_last_writes, but only gets the writes that `filter` selects. To read a long list page
// by page, pass the number of the first write + 1 as `until`, and raise `skip`: the pages then stay
// parts of one list while the world runs. O(stored writes), with `by_size` times their logarithm.
// Also returns 0 and reports if there is no memory to sort them.
uint32_t weft_find_writes(weft_world *world, uint64_t handle, const char *path,
                          const weft_write_filter *filter, weft_write *writes, uint32_t most);

// What one writer did to one value.
typedef struct weft_write_sum {
    const char *writer; // as in weft_write
    bool commands;
    char path[WEFT_WRITE_TEXT_BYTES]; // of the value; "" for the component as a whole
    uint64_t writes;
    uint64_t added; // how often the writer added or removed the component
    uint64_t removed;
    bool is_number;
    double change; // sum of after - before of a number; NAN if a value was NaN
    uint64_t last; // tick of the last write
} weft_write_sum;

// Sums up the stored writes to the values of a path by value and writer, from the tick `since` to
// before the tick `until`: "produce +40, eat -31". `handle` and `path` are those of
// weft_last_writes, but handle 0 of a component stands for all entities. The sums are
// sorted by value, and the sums of a value by the size of their change, largest first. A write that
// adds or removes an item of a list counts, but changes no sum. weft_writes_kept returns since which
// tick all writes are stored.
//
// Returns how many sums there are, of which at most `most` were stored in `sums`. Returns 0 and
// reports if there is no such path, if the world is not watched, or if there is no memory. O(writes
// since the tick `since`).
uint32_t weft_sum_writes(weft_world *world, uint64_t handle, const char *path, uint64_t since,
                         uint64_t until, weft_write_sum *sums, uint32_t most);

// Returns whether the ring still contains all writes since watching began. If a value has no last
// write, this shows whether it was never written, or its write was dropped from the ring. If true,
// *tick is the number of ticks done when watching began. If false, writes before *tick were
// dropped, and perhaps some of that tick; *tick is UINT64_MAX if the world is not watched. O(kept
// writes).
bool weft_writes_kept(weft_world *world, uint64_t *tick);

// Starts watching an open world, as if weft_options.watch had been set to `writes`, the number of
// writes that the ring stores. 0 ends watching, and removes all stops unless weft_options.checks is
// on. `insight` is the result of <world>_insight(). All values are copied, so this takes O(bytes of
// the world), and as much memory again. If the world is watched already, the call changes nothing.
//
// Call it while no phase or hook runs, else it returns WEFT_BUSY. Other errors: WEFT_BAD_VALUE if
// `insight` is NULL (asserts in debug builds); WEFT_NO_MEMORY, and the world is not watched;
// WEFT_REFUSED from inside a stop hook, or if the runtime was built with -DWEFT_UNOBSERVED.
weft_status weft_watch(weft_world *world, const weft_insight *insight, uint32_t writes);

// ------------------------------------------------------------------------------------------------
// Stopping

#define WEFT_STOP_TEXT_MAX 127u
#define WEFT_STOPS_MAX 64u

// Called after the writer that made the condition of a stop true; `write` is the last write to the
// compared value. The hook may read the world; changes are refused while a phase runs. Use it to
// enter a debugger, or to set a flag that pauses the game.
typedef void (*weft_stop_hook)(void *user, const weft_write *write);

// Calls a hook each time that a condition becomes true. A text is one of these:
//
//     stock.amount[bread] of 9:4 < 0   a value of an entity, compared as in select/select.h
//     carried_by.parent of 9:4 == none the parent of an entity, or its .next_sibling
//     calendar.hour >= 24              a value of a singleton
//     needs.hunger > 0.99 & !asleep    an expression of select/select.h. The hook is called when it
//                                      becomes true for any entity: once after each writer, for the
//                                      first such entity, with the last write to a compared value
//     stock.amount[bread] of 9:4 falls by more than 10
//                                      a writer lowers a number by more than 10; also `rises`, and
//                                      without `by more than` by any amount
//     calendar.day changes             a writer changes a value
//     needs.hunger of 9:4 written by eat
//                                      the system `eat` or its commands change a value; also `load`,
//                                      `the hooks`, and `the game`, which is every other writer. It
//                                      can follow a change: `falls written by eat`
//     stock.amount[bread] falls        a change of any entity: `of` is left out. The hook is called
//                                      once after each writer, for the first such entity. It needs
//                                      weft_options.watch, and misses writes that the ring drops
//     event died                       a system emits an event that has a hearer
//     despawn of 9:4                   the entity is despawned
//
// A condition that is already true is reported only when it becomes true again. A change is
// reported each time. It is what one writer did in one turn: a value that is set back by the same
// writer has not changed, nor has one whose component or list item was just added. Each text has one
// hook; pass NULL to remove it. A stop takes 9 KB of memory; an expression takes another 16 bytes
// for each entity index. Stops on a value, an event or a despawn cost almost nothing. An expression
// is evaluated for every row that may match, after each writer of a component that it uses, and
// whenever rows are added or removed.
//
// Errors: WEFT_BAD_VALUE or WEFT_NOT_FOUND if the text is wrong (the report has the column);
// WEFT_DEAD if the entity is not alive, although it may lack the component and get it later;
// WEFT_FULL if there are already WEFT_STOPS_MAX stops; WEFT_REFUSED if neither checks nor watching
// are on, or if no system emits that event; WEFT_NO_MEMORY.
weft_status weft_stop_at(weft_world *world, const char *text, weft_stop_hook hook, void *user);

// The state of a stop, and the cost of evaluating it.
typedef struct weft_stop_view {
    bool holds;       // the condition is true now, for one value or at least one entity
    uint64_t rows;    // evaluated each time; 0 if it reads the stored writes
    uint32_t systems; // after whose turns it is evaluated (also after commands and the game)
    char behind[256]; // the first of these systems
    char note[192];   // why it cannot become true now ("9:4 has no 'needs' yet: …"); else ""
} weft_stop_view;

// Describes the stop of a text. Returns WEFT_NOT_FOUND if there is no such stop.
weft_status weft_stop_see(weft_world *world, const char *text, weft_stop_view *view);

// The functions of a weft_insight. Generated code refers to them by name.
bool weft_insight_open(weft_world *world, const weft_options *options);
void weft_insight_close(weft_world *world);
void weft_insight_writer(weft_world *world, const char *name, bool commands);
void weft_insight_calls(weft_world *world, const char *call);

WEFT_EXTERN_C_END

#endif
