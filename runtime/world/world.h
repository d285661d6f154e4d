// The world: entities, tables, sparse stores and queries. This header declares state; only its
// small helpers change it.
//
// `struct <world>_world` in generated code starts with a weft_world. All changes to the component
// set of an entity go through edit/batch.h, or inline through edit/direct.h. These invariants hold
// between calls:
//   - the record of every living entity points to the row that holds its handle;
//   - every query's list contains the tables with rows that match it, in canonical order;
//   - a bit of a sparse component is set if and only if its store has a value for the index.
// A call that fails leaves all of this, and every value, unchanged.
//
// Values passed to a call must not lie in the world itself, because the call may move them.
#ifndef WEFT_WORLD_H
#define WEFT_WORLD_H

#include "../base/observable.h"
#include "../base/workers.h"
#include "../store/sparse.h"
#include "../store/tables.h"

// The tables with rows of a query, in canonical order. A few of them may be empty
// (world/listing.h).
typedef struct weft_query {
    weft_table **tables;
    weft_table *first; // the first table, so that a walk need not load the list; NULL: there is
                       // none
    uint32_t count;
    uint32_t capacity;
    uint32_t places;  // space for all tables that were ever listed
    uint32_t fetched; // the column that a walk over many tables prefetches: that of its key
} weft_query;

// Why the last call was refused. Converted to text only when the game asks.
typedef struct weft_refusal {
    weft_status status;
    uint16_t component; // the component of the call; WEFT_NONE: none
    uint16_t other;     // REFUSED: the component that requires or excludes it
    bool excluded;      // REFUSED: `other` excludes it; else requires it
    uint64_t handle;    // the entity of the call; 0: none
} weft_refusal;

// Scratch memory for applying commands (edit/apply.c).
typedef struct weft_chains {
    weft_region last; // by entity index, uint32_t: the stamp of its last command; 0: none
    uint32_t stamps;  // stamps so far; each command gets a greater one than those before
} weft_chains;

// The changes that a query shows to one system: used by that system's grant (run/grant.h).
typedef struct weft_view {
    struct weft_world *world;
    uint32_t number; // number of the system among those that list the query, from 1
} weft_view;

// The indices reserved for spawn commands of a phase (record/places.h).
typedef struct weft_places {
    weft_region indices;   // index by place, uint32_t, as far as recorders have asked
    uint32_t count;        // number of them
    uint32_t unused_count; // those whose next generation is 1
    uint32_t next;         // the free index after those taken from the list
    uint32_t block_bits;   // a recorder gets blocks of 1 << block_bits places
} weft_places;

// A row, or a range of rows, that the game may write (record/loans.h).
typedef struct weft_lent_row {
    const weft_table *table;
    uint32_t row;
    uint16_t change_set; // the incoming change set of the component
} weft_lent_row;

typedef struct weft_lent_rows {
    const weft_table *table;
    uint32_t first; // with a mask: a multiple of 64
    uint32_t count;
    const uint16_t *sets; // incoming change sets of the values that may be written; NULL: all
                          // values
    uint32_t set_count;
    bool masked; // only some rows, see weft_loans.masks
    bool stays;  // the rows were also lent by an earlier loan, which has been overwritten
} weft_lent_rows;

// The lent rows of a range with a mask: one bit each, from its first row.
typedef struct weft_lent_mask {
    uint64_t *words;
    uint32_t capacity; // of words
} weft_lent_mask;

#define WEFT_LENT_NOTHING UINT64_MAX
#define WEFT_RANGES_LENT 8u // a power of two

typedef struct weft_loans {
    uint64_t version;    // version of the world for which the rest is valid, or WEFT_LENT_NOTHING
    weft_lent_row *next; // the next entry to write
    weft_lent_row *limit;
    weft_lent_row *rows; // NULL: `spare`
    uint32_t capacity;   // capacity of `rows`
    uint32_t numbers;    // number of loans so far, wrapping
    uint32_t turns;      // turns of readers of the game so far, wrapping
    bool all;            // every marked value counts as lent
    bool *flags;         // by change set of a singleton: whether it is lent; NULL: none is watched
    uint64_t *owners;    // set of components, then singletons; NULL: no insight
    uint32_t words;      // words of that set
    weft_lent_row spare;
    uint32_t lent[WEFT_RANGES_LENT]; // by position: the number of the loan in `ranges`; 0: none
    weft_lent_rows ranges[WEFT_RANGES_LENT];
    weft_lent_mask masks[WEFT_RANGES_LENT];
} weft_loans;

// Counts how often a message was reported to the log hook, ignoring numbers. The position depends
// on a hash of the words; a newer message replaces an older one.
typedef struct weft_repeat {
    uint32_t words;
    uint64_t count;
} weft_repeat;

#define WEFT_REPEATS 64u

// Reasons to begin or end a phase by the slow path. One comparison tests them all (run/phase.h).
typedef struct weft_asides {
    bool recorded; // a buffer may contain commands, or have lost some; systems set it in parallel
    bool owed;     // some indices may lack records (weft_entities.owed)
    bool measured; // there is a profiler
    bool tags_written; // in this phase, directly and one by one, see run/system.h
} weft_asides;

WEFT_STATIC_ASSERT(sizeof(weft_asides) == sizeof(uint32_t), "it is read as one word");

// What runs now, and the version of the world.
typedef struct weft_world_now {
    uint32_t in_place; // structural changes that left all rows in place, wrapping
    uint32_t idle;     // the value of `running` while nothing runs: 0, or WEFT_GAME_RUNS
    uint32_t version; // number of structural changes, wrapping; with `during` it is the weft_moment
    uint32_t during;  // like `running`, but without the hooks of systems that run in parallel
    uint32_t running; // structural calls are refused; 0: no phase runs, see weft_world_runs
    weft_asides asides;
    bool has_events;   // the plan has events
    bool places_open;  // a phase runs, so spawn commands get places
    bool in_parallel;  // systems run in parallel now
    bool observed;     // turns are measured, watched or held, see weft_world_observe
    uint32_t reserved; // zero; aligns the next member to a cache line
} weft_world_now;

// Change tracking: who reads which changes.
typedef struct weft_world_changes {
    bool *listening;              // by change set: whether its reader listens (record/reader.h)
    uint64_t *flags;              // by change set of a singleton; NULL: none is watched
    struct weft_removed *removed; // by removal of the plan (record/removals.h)
    struct weft_lost *lost;       // by index of the plan (record/lost.h)
    weft_view *views;             // by number of a system in a query of changes, minus 1
} weft_world_changes;

// Systems, the threads that run them, and ticks.
typedef struct weft_world_run {
    struct weft_lock *lock;                // NULL: without workers
    struct weft_team *team;                // see run/team.h; NULL: without workers
    struct weft_parallel *parallels;       // by parallel system, see run/parts.h
    struct weft_depth_order *depth_orders; // by ordered system, see query/depth.h
    struct weft_dirty *dirty; // by ordered system with changed_parent, see query/dirty.h
    bool *held;               // by system, see run/held.h; NULL: none is held
    // The thread that owns the world; NULL: a fragment, which any thread may use.
    const char *thread;
    uint64_t ticking; // during a tick: tick + 1; else not above `tick`
    uint64_t ticks_dropped;
    bool scheduled; // run/schedule.h runs segments, for measurements, held systems or workers
} weft_world_run;

// Events between their emission and their readers.
typedef struct weft_world_events {
    struct weft_stage *stages;   // by stage, see record/event.h
    struct weft_event_log *logs; // by event
    uint32_t *heard;     // by hearer: the number of values of its event's log that it has heard
    weft_status trouble; // why events were lost in this phase
    uint64_t lost;
    const struct weft_event_tap *tap; // see record/event.h; NULL: no other listener
} weft_world_events;

// Commands that wait in their buffers.
typedef struct weft_world_commands {
    struct weft_commands *buffers; // by buffer
    // Applies a clone command, see copy/clone.h. The room that applies commands is below it.
    weft_status (*clone)(struct weft_world *world, struct weft_command *command);
    weft_places places;
    uint64_t dropped;
    uint64_t lost;
} weft_world_commands;

// The lists of tables that queries walk.
typedef struct weft_world_lists {
    weft_query every_table;         // all tables with rows, like a query of all entities
    weft_by_component by_component; // queries by component, see world/listing.c
    uint32_t emptied;     // tables that lost their last row since empty tables were last unlisted
    uint32_t emptied_max; // if `emptied` reaches this, empty tables are unlisted (world/listing.h)
    bool stay;            // empty tables may be about to get rows, so they stay listed
} weft_world_lists;

// Data that all tables share.
typedef struct weft_world_shared {
    weft_table **prefab_tables; // by prefab
    weft_table_kit kit;         // data shared by all tables
    uint64_t *table_set;        // all table components; plan->set_words words
    uint32_t phase_enlarged;    // the last phase that began while large tables had small pages
} weft_world_shared;

// Memory that one call at a time uses.
typedef struct weft_world_scratch {
    uint64_t *set;            // of the same size, used by one call at a time
    struct weft_batch *batch; // see edit/batch.h
    unsigned char *trees;     // see edit/composite.h; NULL: no prefab is composite
    weft_chains chains;
    weft_region members; // of a copy (copy/members.h), kept for the next one
    weft_region copying; // the other memory of a copy
} weft_world_scratch;

// How many rows the running system was given in its turn, as far as insight knows.
typedef enum weft_rows_given {
    WEFT_ROWS_UNKNOWN, // none, or it is not known: no system runs, or it walks rows that it changes
    WEFT_ROWS_ONE,
    WEFT_ROWS_SEVERAL,
} weft_rows_given;

// Tools that look into the world while it runs.
typedef struct weft_world_observers {
    const struct weft_insight *insight; // NULL: nothing observes who writes
    struct weft_watching *watching;     // state of insight
    weft_rows_given given;              // to the current writer
    uint64_t row;                       // handle of the only row, if it is one
    struct weft_profiler *sampler; // profiler of some ticks only, see run/sampler.h; NULL: none
} weft_world_observers;

// The save that is written in the background, and the saves that were loaded.
typedef struct weft_world_saving {
    struct weft_background
        *background; // see save/background.h; NULL: no save whose result is still to be reported
    weft_status (*end)(struct weft_world *world); // waits for that save and reports it
    weft_thread *writer;                          // thread of that save; NULL: it has finished
    weft_region copy;                             // copy of the world for saves in the background
    uint32_t loads;                               // that have replaced all entities
} weft_world_saving;

// Refused calls, and the words for them.
typedef struct weft_world_report {
    void (*log)(void *user, const char *line);
    weft_refusal refusal;
    uint64_t wanted;   // FULL: the number of entities without space, if it was more than one
    uint64_t broken;   // broken rules of values that were found
    bool reported;     // `text` already has the words of the last refusal
    const char *about; // a path that starts each message; NULL: none
    char text[512];
    weft_repeat repeats[WEFT_REPEATS];
} weft_world_report;

typedef struct weft_world {
    // The first cache line contains the members that a phase reads and writes, and the next begins
    // with the members of `entities` that it writes. Rows that fill the cache evict every line that
    // a phase touches, so a phase should touch few.
    void *user;
    weft_query *queries;            // by query
    uint64_t tick;                  // completed ticks
    struct weft_profiler *profiler; // see world/zone.h; NULL: not measured
    weft_world_now now;
    weft_entities entities;
    const weft_plan *plan;
    weft_heap heap;
    weft_tables tables;              // by id
    weft_sparse *sparse;             // by store
    struct weft_relation *relations; // by relation
    struct weft_links *links;        // by kind of links (world/links.h)
    struct weft_index *indexes;      // by index of the plan (index/index.h)
    struct weft_hooks *hooks;        // see record/hook.h; NULL: the schema has none
    weft_world_changes changes;
    weft_world_run run;
    uint64_t seed; // seed of the rng in components and singletons
    weft_world_events events;
    weft_world_commands commands;
    weft_world_lists lists;
    weft_world_shared shared;
    weft_world_scratch scratch;
    uint32_t attached;  // entities with a parent, summed over all relations
    uint64_t linked;    // links, summed over all kinds
    weft_region ending; // uint32_t by index, see edit/despawn.c; only if links despawn entities
    void (*relocate)(struct weft_world *world); // hard mode, see weft_world_changed
    weft_world_observers observers;
    weft_loans loans;
    weft_world_saving saving;
    weft_world_report report;
} weft_world;

WEFT_STATIC_ASSERT(sizeof(void *) != 8 || offsetof(weft_world, entities) == WEFT_LINE_BYTES,
                   "what a phase touches of the world lies in two lines");
WEFT_STATIC_ASSERT(offsetof(weft_world, now.during) ==
                       offsetof(weft_world, now.version) + sizeof(uint32_t),
                   "both are read as one moment");

// ------------------------------------------------------------------------------------------------
// Workers

// Systems that run in parallel must do shared, rare work between these calls: taking memory,
// refusals, and beginning and ending turns. Without workers they cost one test. The lock is
// recursive.
static inline void weft_world_lock(weft_world *world)
{
    if (WEFT_UNLIKELY(world->run.lock != NULL)) weft_lock_take(world->run.lock);
}

static inline void weft_world_unlock(weft_world *world)
{
    if (WEFT_UNLIKELY(world->run.lock != NULL)) weft_lock_give(world->run.lock);
}

// Makes the calling thread the owner of the world. A fragment has no owner, so it stays without
// one.
static inline void weft_world_take_over(weft_world *world)
{
    if (world->run.thread) world->run.thread = &weft_this_thread;
}

// Asserts that the calling thread may change the world: it owns it, or runs its systems now.
static inline void weft_world_used(const weft_world *world)
{
    (void)world;
    WEFT_ASSERT(world->run.thread != NULL && world->run.thread != &weft_this_thread &&
                    !world->now.in_parallel,
                ==, false,
                "another thread uses the world than the one that opened it or took it over");
}

// ------------------------------------------------------------------------------------------------
// The phase that runs, and structural changes

// weft_world.now.running is 0, 1 + the index of a phase, or one of these values, which are larger than
// those of all phases.
#define WEFT_OTHERS_RUN (UINT32_MAX - 3u)
#define WEFT_SORT_RUNS (WEFT_OTHERS_RUN + 0u) // rows are being compared
#define WEFT_GAME_RUNS (WEFT_OTHERS_RUN + 1u) // nothing runs, and insight observes the game's calls
#define WEFT_QUERY_RUNS (WEFT_OTHERS_RUN + 2u) // a query runs in parts
#define WEFT_HOOK_RUNS (WEFT_OTHERS_RUN + 3u)  // inside a hook
WEFT_STATIC_ASSERT(WEFT_HOOK_RUNS == UINT32_MAX, "all of them lie above the phases");

// Returns whether a value of weft_world.now.running belongs to a phase.
static inline bool weft_is_phase(uint32_t running)
{
    return running - 1u < WEFT_OTHERS_RUN - 1u;
}

// Notes that a phase (1 + its index) or a hook runs from now on. Inline structural calls then find
// no entity and take the general path, which refuses them. If insight observes the game's calls,
// `running` is never 0, so that all calls take the general path, which reports them. While systems
// run in parallel, `during` does not change for hooks, so that iterators of other threads stay
// valid.
static inline void weft_world_runs(weft_world *world, uint32_t running)
{
    world->now.running = running;
    if (!world->now.in_parallel) world->now.during = running;
    weft_entities_let(&world->entities, running == 0);
}

// Notes that nothing runs any more.
static inline void weft_world_rests(weft_world *world)
{
    weft_world_runs(world, WEFT_OBSERVABLE ? world->now.idle : 0);
}

// Returns whether a phase or a hook runs, or a query in parts or a sort, so that structural calls
// are refused.
static inline bool weft_world_is_running(const weft_world *world)
{
    return world->now.running != (WEFT_OBSERVABLE ? world->now.idle : 0);
}

// Counts a structural change, which invalidates pointers and iterators. Hard mode moves everything,
// so that a stale pointer is found at once.
static inline void weft_world_changed(weft_world *world)
{
    weft_world_used(world);
    world->now.version++;
#ifdef WEFT_HARD
    world->relocate(world);
#endif
}

// Counts changes that leave all rows in place.
static inline void weft_world_counts_in_place(weft_world *world, uint32_t changes)
{
    world->now.in_place += changes;
    world->now.version += changes;
}

// Counts one change that leaves all rows in place: of tags, sparse components or links.
static inline void weft_world_changed_in_place(weft_world *world)
{
    weft_world_counts_in_place(world, 1);
#ifdef WEFT_HARD
    world->relocate(world);
#endif
}

// Returns the number of structural changes so far, wrapping.
static inline uint32_t weft_version(const weft_world *world)
{
    return world->now.version;
}

// Returns the number of structural changes that moved rows, wrapping.
static inline uint32_t weft_moves(const weft_world *world)
{
    return world->now.version - world->now.in_place;
}

// Returns the version of a world, and what runs in it, as one number. An iterator can only be used
// in the moment in which it began. A structural change starts a new moment, and so do the begin and
// the end of a phase or a hook.
static inline uint64_t weft_moment(const weft_world *world)
{
    uint64_t moment;
    memcpy(&moment, (const unsigned char *)world + offsetof(weft_world, now.version),
           sizeof moment);
    return moment;
}

// The moment of a walk that was refused, or that has ended and was reported. Such a walk has no
// rows, because this number is never the moment of a world: no schema has that many phases. Its
// halves are equal, so the number is the same for both byte orders.
#define WEFT_NO_MOMENT ((WEFT_OTHERS_RUN - 1u) * (uint64_t)0x100000001)

#endif
