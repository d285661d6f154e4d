// Insight: tells what of a world is not as the schema says, and who made it so. It is for
// debugging and tests: a game that does not ask for it has no code of it, but for a test a turn.
//
//     #include "colony_insight.h" // generated; links weft_json.c besides weft.c
//     weft_options options = {.insight = colony_insight(), .checks = true, .log = print};
//     colony_world *w = colony_open(&options);
//
// Invariants (weft_options.checks). What `holds` of a component or singleton says, and `min`,
// `max`, values of enums, bools, counts of lists, ends of strings and bits of handles, is looked at
//   - after the turn of each system, of what it may write;
//   - after the commands of each system are applied, and after a load, of everything;
//   - before a phase and before a save, of what the game may have written, or all if rows changed.
// What is found broken goes to the log hook and colony_error, with who broke it, the value and the
// entity, and the world goes on:
//
//     deliver broke stock: amount[bread] = -1 of 9:4
//     tick broke calendar: hour = 25.5
//     commands of build broke site: used = 9, needed = 8 of 12:1 (used <= needed)
//
// weft_stats.broken counts it. It is reported once, and again after it has held meanwhile; of
// reports in equal words, numbers aside, the log hook gets the first, second, fourth, eighth … With
// weft_options.checks_stop the first one is printed to stderr, and ends the program by abort().
//
// Who wrote it (weft_options.watch). As a writer ends, what it may have written is compared with a
// copy, and what differs goes into a ring of so many writes. <world>_trace(w, e, "needs.hunger", …)
// gives the last of them: in which tick, by which system, by the commands of which system, a load
// or a call by name, from which value to which. What the game itself does between two writers, by
// any call, is one write of "the game"; with <world>_trace before and behind a part of it, it is
// told apart. A state that comes to have another value, with what lives in the old one, is written
// by "state game"; who asked for it wrote game.next. Through pointers the game may write until the
// next structural change or phase (weft.h), and only until then writes through them are looked for;
// through the columns of a system only in its turn. A value that is written and set back by one
// writer is not noticed. Of a writer that writes more than the ring holds the first writes are
// kept, in the order of rows.
// A relation is traced as a component of two values, which are none before the first attach and
// after the end of either: "carried_by.parent" and "carried_by.next_sibling", the order of
// children, which is none of the last one. An entity that comes between two siblings, or leaves,
// writes that of the one before.
//
// While a world is looked into, its systems run one by one on the thread of the game, in the order
// in which they would without workers, and the systems of a pass one after the other; what they
// compute is equal.
#ifndef WEFT_INSIGHT_H
#define WEFT_INSIGHT_H

#include "query/query.h"
#include "world/writer.h"

WEFT_EXTERN_C_BEGIN

// A part of `holds`, or the limits of one field.
typedef struct weft_rule {
    const char *text; // as the schema writes it; NULL: limits
    uint16_t field;   // that has the limits
    uint16_t path_count;
    const char *const *paths; // of the values that it is about
} weft_rule;

// The rules of a component or singleton. Generated.
typedef struct weft_check {
    uint16_t of; // by their numbers
    bool singleton;
    uint16_t rule_count;
    const weft_rule *rules;
    // Looks at so many values, which lie side by side. Bit i: rule i is broken by one of them at
    // least; rules from 63 on share the last bit.
    uint64_t (*broken)(const void *values, uint32_t count);
} weft_check;

// ------------------------------------------------------------------------------------------------
// Last writes

#define WEFT_WRITE_TEXT_BYTES 64u // of a path or a value; longer ones are cut, strings at 24 bytes

typedef enum weft_write_kind {
    WEFT_WRITE_VALUE,   // it was another value before; "" where a list had, or has, no such item
    WEFT_WRITE_ADDED,   // the entity got the component or tag
    WEFT_WRITE_REMOVED, // it lost it, perhaps with its life
    // Hooks of stops are told these, which are no writes that are kept.
    WEFT_WRITE_EVENT,     // a system emitted an event, `owner`, whose values are in `after`
    WEFT_WRITE_DESPAWNED, // the entity has ended
} weft_write_kind;

// The handle is a number: <world>_entity_of(handle) is the entity, and reports print it as 9:4, its
// index and its generation: handle & ((1 << index_bits) - 1) and handle >> index_bits, with the
// index_bits of <world>_schema().
typedef struct weft_write {
    uint64_t tick;      // ticks done by then
    const char *writer; // a system, "load", a call, "the hooks", "state game", or "the game"
    bool commands;      // it was written by commands that this one had recorded
    weft_write_kind kind;
    uint64_t handle;                  // 0: a singleton
    const char *owner;                // the component or singleton
    char path[WEFT_WRITE_TEXT_BYTES]; // of the value in it: "amount[bread]"
    char before[WEFT_WRITE_TEXT_BYTES];
    char after[WEFT_WRITE_TEXT_BYTES];
} weft_write;

// Gives the last writes of what a path leads to, newest first: "needs.hunger" of an entity, alive
// or not, "needs" for all of its values; with handle 0 of a singleton. Returns how many they are,
// at most `most`; 0 and a report if there is no such path, or nothing is watched.
uint32_t weft_last_writes(weft_world *world, uint64_t handle, const char *path, weft_write *writes,
                          uint32_t most);

// Tells whether a value that has no last write was never written, or so long ago that the write is
// no longer kept. True: all writes are kept since the world is watched, *tick being the ticks done
// by then. False: those before *tick are forgotten, and some of that tick may be, or nothing is
// watched (UINT64_MAX). It takes O(writes that are kept).
bool weft_writes_kept(weft_world *world, uint64_t *tick);

// Begins to watch a world that is open, as with weft_options.watch from here on, and keeps so many
// writes; 0 ends it, and takes all stops away unless weft_options.checks looks into the world
// anyway. `insight` is what <world>_insight() returns. All values are copied: O(bytes of the
// world), and as many bytes more. It may be called where no phase and no hook runs, between ticks
// or phases: WEFT_BUSY. A world that is watched already goes on as it is. WEFT_BAD_VALUE: there is
// no `insight` (asserts in debug builds). WEFT_NO_MEMORY: it is not watched. WEFT_REFUSED: with
// -DWEFT_UNOBSERVED no world is.
weft_status weft_watch(weft_world *world, const weft_insight *insight, uint32_t writes);

// ------------------------------------------------------------------------------------------------
// Stopping

#define WEFT_STOP_TEXT_MAX 127u
#define WEFT_STOPS_MAX 64u

// Is called behind the writer that made a stop hold, with what it wrote. It may look at the world;
// changes are refused while a phase runs. A debugger, or a flag by which the game pauses, is what
// it is for.
typedef void (*weft_stop_hook)(void *user, const weft_write *write);

// Has a hook called whenever one of these comes to hold:
//
//     stock.amount[bread] of 9:4 < 0   a value of an entity, compared as in select/select.h
//     carried_by.parent of 9:4 == none the parent of an entity, or its .next_sibling
//     calendar.hour >= 24              one of a singleton
//     needs.hunger > 0.99 & !asleep    an expression of select/select.h, for some entity for which
//                                      it did not hold before; the hook is told of the first one
//                                      behind each writer, with its last write of what is compared
//     event died                       a system emits an event that something hears
//     despawn of 9:4                   the entity ends
//
// One that holds already is told of when it holds anew. A text has one hook, and NULL takes it
// away. It takes 9 KB, and of an expression 16 bytes an index besides. A value, an event and an end
// cost next to nothing. An expression is asked of all rows that may pass, behind each writer of
// what it is about and wherever rows come and go.
//
// WEFT_BAD_VALUE, WEFT_NOT_FOUND: the text is wrong, and the report has the column; WEFT_DEAD: the
// entity is not alive. One that has no such component yet may get it. WEFT_FULL: there are
// WEFT_STOPS_MAX; WEFT_REFUSED: the world is not looked into, or nothing ever emits that event;
// WEFT_NO_MEMORY.
weft_status weft_stop_at(weft_world *world, const char *text, weft_stop_hook hook, void *user);

// A stop that waits, and the cost of looking for it.
typedef struct weft_stop_view {
    bool holds;       // now, of one value or entity
    uint64_t rows;    // that are looked at each time; 1 unless it is an expression
    uint32_t systems; // behind whose turns it is looked at, besides commands and the game
    char behind[256]; // the first of them
    char note[192];   // why it cannot hold as things are: "9:4 has no 'needs' yet: …"; or ""
} weft_stop_view;

// Describes the stop of a text. WEFT_NOT_FOUND: there is none.
weft_status weft_stop_see(weft_world *world, const char *text, weft_stop_view *view);

// These are the functions of a weft_insight; generated code names them.
bool weft_insight_open(weft_world *world, const weft_options *options);
void weft_insight_close(weft_world *world);
void weft_insight_writer(weft_world *world, const char *name, bool commands);
void weft_insight_calls(weft_world *world, const char *call);

WEFT_EXTERN_C_END

#endif
