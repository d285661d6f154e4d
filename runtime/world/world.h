// The world: entities, tables, sparse stores and queries. It is state only; nothing here acts.
//
// `struct <world>_world` in generated code starts with a weft_world. All changes to the set of an
// entity go through edit/batch.h, or inlined through edit/direct.h. Between calls these hold:
//   - the record of every living entity names the row that holds its handle;
//   - every query's list has the tables with rows that match it, in canonical order;
//   - a bit in a sparse component's bitset is set exactly if the store has a value for that index.
// A call that fails has changed none of this, nor any value.
//
// Values passed in must not lie in the world itself, as the call may move them.
#ifndef WEFT_WORLD_H
#define WEFT_WORLD_H

#include "../base/observable.h"
#include "../base/workers.h"
#include "../store/sparse.h"
#include "../store/tables.h"

// The tables that have rows of a query, and perhaps a few that have none (world/listing.h), in
// canonical order.
typedef struct weft_query {
    weft_table **tables;
    weft_table *first; // of them, so that a walk has it without the list; NULL: there is none
    uint32_t count;
    uint32_t capacity;
    uint32_t places;  // there is space for all tables that ever were listed
    uint32_t fetched; // the column that a walk over many tables fetches ahead: that of its key
} weft_query;

// Why the last call was refused. It is put into words only when the game asks.
typedef struct weft_refusal {
    weft_status status;
    uint16_t component; // what it was about, WEFT_NONE: nothing
    uint16_t other;     // REFUSED: the component that requires or excludes it
    bool excluded;      // REFUSED: `other` excludes it, else requires it
    uint64_t handle;    // 0: it was about no entity
} weft_refusal;

// Scratch memory for applying commands (edit/apply.c).
typedef struct weft_linking {
    weft_region last; // uint32_t by entity index: the stamp of the last command on it, 0: none
    uint32_t stamps;  // given so far; every command gets a greater one than those before
} weft_linking;

// The changes that a query shows one system: the door of that system's grant (run/grant.h).
typedef struct weft_view {
    struct weft_world *world;
    uint32_t number; // of the system among those that list the query, from 1
} weft_view;

// The indices that spawn commands of a phase may get (record/places.h).
typedef struct weft_places {
    weft_region indices;   // uint32_t by place, as far as a recorder has asked
    uint32_t count;        // of them
    uint32_t unused_count; // of them: free indices whose next generation is 1
    uint32_t next;         // the free index behind those that are from the list
    uint32_t block_bits;   // a recorder gets blocks of 1 << block_bits places
} weft_places;

// A row that the game may write, or rows side by side (record/loans.h).
typedef struct weft_lent_row {
    const weft_table *table;
    uint32_t row;
    uint16_t change_set; // the incoming one of the component
} weft_lent_row;

typedef struct weft_lent_rows {
    const weft_table *table;
    uint32_t first; // with a mask a multiple of 64
    uint32_t count;
    const uint16_t *sets; // the incoming change sets of what may be written; NULL: of all values
    uint32_t set_count;
    bool masked; // only some of them, see weft_loans.masks
    bool stays;  // they are lent by a loan before as well, whose place another one took
} weft_lent_rows;

// Which rows are lent of a range with a mask: bits, from its first row on.
typedef struct weft_lent_mask {
    uint64_t *words;
    uint32_t capacity; // of them
} weft_lent_mask;

#define WEFT_LENT_NOTHING UINT64_MAX
#define WEFT_RANGES_LENT 8u // a power of two

typedef struct weft_loans {
    uint64_t version;    // of the world for which the rest counts, or WEFT_LENT_NOTHING
    weft_lent_row *next; // where the next row goes
    weft_lent_row *limit;
    weft_lent_row *rows; // NULL: `spare`
    uint32_t capacity;   // of them
    uint32_t numbers;    // of loans so far, wrapping
    uint32_t turns;      // that readers of the game had so far, wrapping
    bool all;            // whatever is marked is lent
    bool *flags;         // by change set of a singleton: it is lent; NULL: none is watched
    uint64_t *owners;    // set of components, then singletons; NULL: nothing looks into the world
    uint32_t words;      // of that set
    weft_lent_row spare;
    uint32_t lent[WEFT_RANGES_LENT]; // by its place: the number of the loan of a range; 0: none
    weft_lent_rows ranges[WEFT_RANGES_LENT];
    weft_lent_mask masks[WEFT_RANGES_LENT];
} weft_loans;

// Counts how often the log hook would have been told of refusals in equal words, numbers aside. A
// hash of the words decides its place, and newer words take the place of older ones.
typedef struct weft_repeat {
    uint32_t words;
    uint64_t count;
} weft_repeat;

#define WEFT_REPEATS 64u

// Why a phase does not begin or end inline: one comparison asks for all of it (run/phase.h).
typedef struct weft_asides {
    bool recorded; // some buffer may have commands, or have lost some; systems set it in parallel
    bool owed;     // some indices may have no records yet (weft_entities.owed)
    bool measured; // there is a profiler
    bool tags_written; // in this phase, at once and one by one, see run/system.h
} weft_asides;

WEFT_STATIC_ASSERT(sizeof(weft_asides) == sizeof(uint32_t), "it is read as one word");

typedef struct weft_world {
    // The first line of the cache has what a phase asks and writes, and the next begins with what
    // of the entities it writes: rows that fill the cache put out each line that a phase touches.
    void *user;
    weft_query *queries;            // by query
    uint64_t tick;                  // ticks done
    struct weft_profiler *profiler; // see world/zone.h; NULL: nothing is measured
    uint32_t in_place;              // structural changes that left all rows in place, wrapping
    uint32_t idle;                  // what `running` is while nothing runs: 0, or WEFT_GAME_RUNS
    uint32_t version; // all structural changes, wrapping; with `during` it is the weft_moment
    uint32_t during;  // `running`, without the hooks of systems that run in parallel
    uint32_t running; // structural calls are refused; 0: no phase runs, see weft_world_runs
    weft_asides asides;
    bool has_events;   // the plan has some
    bool places_open;  // a phase runs, so that spawn commands get places
    bool in_parallel;  // systems run in parallel now
    bool observed;     // turns are asked about or told of, see weft_world_observe
    uint32_t reserved; // zero; makes the next begin a cache line
    weft_entities entities;
    const weft_plan *plan;
    weft_heap heap;
    void (*log)(void *user, const char *line);
    weft_tables tables;                    // by id
    weft_query every_table;                // those with rows, as in a query of all entities
    weft_table **prefab_tables;            // by prefab
    weft_table_kit kit;                    // what all tables have in common
    weft_by_component lists_of;            // queries, see world/listing.c
    weft_sparse *sparse;                   // by store
    struct weft_commands *buffers;         // by buffer
    struct weft_relation *relations;       // by relation
    struct weft_depth_order *depth_orders; // by ordered system, see query/depth.h
    struct weft_dirty *dirty; // by ordered system that asks changed_parent, see query/dirty.h
    weft_linking linking;
    weft_places places;
    weft_view *views;                // by the number of a system in a query of changes, less 1
    struct weft_stage *stages;       // by stage, see record/event.h
    struct weft_event_log *events;   // by event
    uint32_t *heard;                 // by hearer: how many values of its event's log it has heard
    weft_status events_trouble;      // why events were lost in this phase
    uint64_t *table_set;             // all table components; plan->set_words words
    uint64_t *scratch_set;           // as long, for one call at a time
    struct weft_batch *batch;        // see edit/batch.h
    struct weft_hooks *hooks;        // see record/hook.h; NULL: the schema has none
    struct weft_removed *removed;    // by removal of the plan (record/removals.h)
    struct weft_index *indexes;      // by index of the plan (index/index.h)
    struct weft_lost *lost;          // likewise (record/lost.h)
    bool *listening;                 // by change set: whether its reader listens (record/reader.h)
    uint64_t *flags;                 // by change set, of singletons; NULL: none is watched
    struct weft_team *team;          // see run/team.h; NULL: without workers
    struct weft_lock *lock;          // NULL: without workers
    struct weft_parallel *parallels; // by parallel system, see run/parts.h
    uint64_t seed;                   // of the rng in components and singletons
    uint32_t attached;               // entities with a parent, counted in each relation
    uint32_t phase_enlarged; // the last phase that began while large tables lacked large pages
    uint32_t emptied;        // tables that lost their last row since the lists were looked through
    uint32_t emptied_max;    // so many, and they are looked through again, see world/listing.h
    bool lists_stay;         // tables without rows may be about to get some
    bool scheduled;          // run/schedule.h runs segments, likewise, or for workers
    const char *thread;      // that it belongs to; NULL: a fragment, of any
    void (*relocate)(struct weft_world *world); // hard mode: see weft_world_changed
    uint64_t commands_dropped;
    uint64_t commands_lost;
    uint64_t events_lost;
    uint64_t ticks_dropped;
    uint64_t ticking;                   // tick + 1 in a tick, after which `tick` is greater
    uint64_t broken;                    // rules that values were found to break
    const struct weft_insight *insight; // NULL: nothing asks who writes
    struct weft_watching *watching;     // what insight keeps
    struct weft_profiler *sampler;      // that of some ticks only, see run/sampler.h; NULL: none
    bool *held;                         // by system, see run/held.h; NULL: none is
    const struct weft_event_tap *tap;   // see record/event.h; NULL: nothing else hears events
    weft_loans loans;
    weft_refusal refusal;
    uint64_t wanted; // FULL: how many entities there was no space for, where it was not one
    struct weft_background *background; // see save/background.h; NULL: no save is to be told of
    weft_status (*end_background)(struct weft_world *world); // waits for it, and tells
    weft_thread *writer;    // the thread of that save; NULL: it writes no more
    weft_region saved_copy; // of the world, for saves in the background
    bool reported;          // error_text already has the words of the last refusal
    const char *about;      // a path that words begin with; NULL: none
    char error_text[512];
    weft_repeat repeats[WEFT_REPEATS];
} weft_world;

WEFT_STATIC_ASSERT(sizeof(void *) != 8 || offsetof(weft_world, entities) == WEFT_LINE_BYTES,
                   "what a phase touches of the world lies in two lines");
WEFT_STATIC_ASSERT(offsetof(weft_world, during) == offsetof(weft_world, version) + sizeof(uint32_t),
                   "both are read as one moment");

// ------------------------------------------------------------------------------------------------
// Workers

// Systems that run in parallel share rare work (taking memory, refusals, turns that begin and end),
// which is done between these calls. Without workers they cost a test. A thread that has the lock
// may take it again.
static inline void weft_world_lock(weft_world *world)
{
    if (WEFT_UNLIKELY(world->lock != NULL)) weft_lock_take(world->lock);
}

static inline void weft_world_unlock(weft_world *world)
{
    if (WEFT_UNLIKELY(world->lock != NULL)) weft_lock_give(world->lock);
}

// Makes the world one of the thread that calls, unless it is a fragment, which belongs to none.
static inline void weft_world_take_over(weft_world *world)
{
    if (world->thread) world->thread = &weft_this_thread;
}

// Asserts that the thread may change the world: it is its own, or one of those that run its systems
// now.
static inline void weft_world_used(const weft_world *world)
{
    (void)world;
    WEFT_ASSERT(world->thread != NULL && world->thread != &weft_this_thread && !world->in_parallel,
                ==, false,
                "another thread uses the world than the one that opened it or took it over");
}

// ------------------------------------------------------------------------------------------------
// The phase that runs, and structural changes

// weft_world.running is 0, 1 + the index of a phase, or one of these, which lie above all phases.
#define WEFT_OTHERS_RUN (UINT32_MAX - 3u)
#define WEFT_SORT_RUNS (WEFT_OTHERS_RUN + 0u)  // while rows are compared
#define WEFT_GAME_RUNS (WEFT_OTHERS_RUN + 1u)  // while nothing runs, and the game's calls are noted
#define WEFT_QUERY_RUNS (WEFT_OTHERS_RUN + 2u) // while a query runs in parts
#define WEFT_HOOK_RUNS (WEFT_OTHERS_RUN + 3u)  // inside a hook
WEFT_STATIC_ASSERT(WEFT_HOOK_RUNS == UINT32_MAX, "all of them lie above the phases");

// Returns whether a value of weft_world.running is that of a phase.
static inline bool weft_is_phase(uint32_t running)
{
    return running - 1u < WEFT_OTHERS_RUN - 1u;
}

// Says that a phase (1 + its index) or hook runs from here on, so that inlined structural
// calls find no entity and go the general way, which refuses. A world that notes what the game
// calls sends these calls the general way at all times, where they are noted. While systems run in
// parallel only the thread that calls a hook knows of it: the iterators of the others stay valid.
static inline void weft_world_runs(weft_world *world, uint32_t running)
{
    world->running = running;
    if (!world->in_parallel) world->during = running;
    weft_entities_let(&world->entities, running == 0);
}

// Says that nothing runs any more.
static inline void weft_world_rests(weft_world *world)
{
    weft_world_runs(world, WEFT_OBSERVABLE ? world->idle : 0);
}

// Tells whether a phase, a hook or what counts as one runs, so that structural calls are refused.
static inline bool weft_world_is_running(const weft_world *world)
{
    return world->running != (WEFT_OBSERVABLE ? world->idle : 0);
}

// Counts a structural change: pointers and iterators are invalid from here on. Hard mode relocates
// everything, so that they are so at once.
static inline void weft_world_changed(weft_world *world)
{
    weft_world_used(world);
    world->version++;
#ifdef WEFT_HARD
    world->relocate(world);
#endif
}

// Counts changes that leave all rows in place.
static inline void weft_world_counts_in_place(weft_world *world, uint32_t changes)
{
    world->in_place += changes;
    world->version += changes;
}

// Counts a change that leaves all rows in place: of tags, sparse components or links.
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
    return world->version;
}

// Returns the number of structural changes that moved rows, wrapping.
static inline uint32_t weft_moves(const weft_world *world)
{
    return world->version - world->in_place;
}

// Returns the version of a world, and what runs in it, as one number. An iterator may be used only
// in the moment in which it began: a structural change ends it, and so do the begin and the end of
// a phase or a hook, while that runs.
static inline uint64_t weft_moment(const weft_world *world)
{
    uint64_t moment;
    memcpy(&moment, (const unsigned char *)world + offsetof(weft_world, version), sizeof moment);
    return moment;
}

// The moment of a walk that was refused, or that has ended and was reported. It equals no moment of
// a world, since no schema has that many phases, so the walk has no rows. It is the same number on
// machines of either byte order.
#define WEFT_NO_MOMENT ((WEFT_OTHERS_RUN - 1u) * (uint64_t)0x100000001)

#endif
