// The world: entities, tables, sparse stores, queries, and every structural change.
//
// `struct <world>_world` in generated code starts with a weft_world. All changes to the set of an
// entity go through here (directly) or through change/batch.h (several at once). What holds between
// calls:
//   - the record of every living entity names the row that holds its handle;
//   - every query's list has exactly the tables that match it, in canonical order;
//   - a bit in a sparse component's plane is set exactly if the store has a value for that index.
// A call that fails has changed none of this, nor any value.
//
// Values passed in must not lie in the world itself: the call may move what they point at.
#ifndef WEFT_WORLD_H
#define WEFT_WORLD_H

#include "../store/sparse.h"
#include "../base/workers.h"

WEFT_EXTERN_C_BEGIN

// The tables that can have rows of a query, in canonical order.
typedef struct weft_query {
    weft_table **tables;
    uint32_t count;
    uint32_t capacity;
} weft_query;

// Why the last call was refused; put into words only when somebody asks.
typedef struct weft_refusal {
    weft_status status;
    uint16_t component; // what it was about, WEFT_NONE: nothing
    uint16_t other;     // REFUSED: the component that requires or excludes it
    bool excluded;      // REFUSED: `other` excludes it, else requires it
    uint64_t handle;    // 0: it was about no entity
} weft_refusal;

// Provisional handles, and what applying commands needs besides the buffers (record/command.h).
typedef struct weft_provisional {
    uint32_t first;      // the number that was 0 when the first commands were recorded
    weft_region handles; // uint64_t by spawn command of the buffer at hand: what it resolves to
    weft_region last;    // uint32_t by entity index: the stamp of the last command on it, 0: none
    uint32_t stamps;     // given so far: every command gets a greater one than those before it
} weft_provisional;

struct weft_batch;
struct weft_commands;
struct weft_event_log;
struct weft_handle_places;
struct weft_hooks;
struct weft_lock;
struct weft_parallel;
struct weft_recipe;
struct weft_team;
struct weft_stage;
struct weft_relation;
struct weft_removed;
struct weft_descent;

typedef struct weft_world {
    const weft_plan *plan;
    weft_heap heap;
    void *user;
    void (*log)(void *user, const char *line);
    weft_entities entities;
    weft_tables tables;                       // by id
    weft_query every_table;                   // the same, in canonical order
    weft_table **prefab_tables;               // by prefab
    struct weft_recipe *recipes;              // by prefab, see change/layout.h
    struct weft_handle_places *handle_places; // by component, see world/handles.h
    weft_query *queries;                      // by query
    weft_sparse *sparse;                      // by store
    struct weft_commands *buffers;            // by buffer
    struct weft_relation *relations;          // by relation
    struct weft_descent *descents;            // by ordered system, see query/depth.h
    weft_provisional provisional;
    struct weft_stage *stages;       // by stage, see record/event.h
    struct weft_event_log *events;   // by event
    uint32_t *heard;                 // by hearer: how many values of its event's log it has heard
    weft_status events_trouble;      // why events were lost in this phase
    uint64_t *table_set;             // all table components; plan->set_words words
    uint64_t *scratch_set;           // as long, for one call at a time
    struct weft_batch *batch;        // see change/batch.h
    struct weft_hooks *hooks;        // see record/hook.h; NULL: the schema has none
    struct weft_removed *removed;    // by removal of the plan (record/removals.h)
    bool *listening;                 // by stream: whether marks are handed over to it (record/reader.h)
    struct weft_team *team;          // see run/schedule.h; NULL: without workers
    struct weft_lock *lock;          // the same
    struct weft_parallel *parallels; // by parallel system, see query/part.h
    uint64_t tick;                   // ticks done
    uint32_t moves;                  // structural changes that moved rows, wrapping
    uint32_t in_place;               // those that left all rows where they were, the same
    uint32_t attached;               // entities with a parent, counted in each relation
    bool beside;                     // systems run beside each other now
    uint32_t running; // structural calls are refused: 1 + the phase that runs; 0: none. See
                      // weft_world_runs
    uint64_t commands_dropped;
    uint64_t commands_lost;
    uint64_t events_lost;
    weft_refusal refusal;
    uint64_t wanted;   // FULL: how many entities there was no room for, where it was not one
    bool said;         // error_text already has the words of the last refusal
    const char *about; // a path that words begin with; NULL: none
    char error_text[512];
} weft_world;

#define WEFT_SHOWN_PATH_BYTES 256 // of the path of a save in words

// The struct of a generated world, `bytes` long and beginning with its weft_world, opened, with
// every singleton at its defaults. NULL: no memory, or wrong options. Destroy closes it, but for a
// world in which a phase runs; NULL is fine.
weft_world *weft_world_create(const weft_plan *plan, size_t bytes, const weft_options *options);
void weft_world_destroy(weft_world *world, size_t bytes);

// A world without entities; options: NULL for all defaults. False: no memory, everything given
// back; or memory hooks or an executor that are half set, which asserts, and in release builds is
// told to the log hook.
bool weft_world_open(weft_world *world, const weft_plan *plan, const weft_options *options);
void weft_world_close(weft_world *world);

// The table of a set of table components, made (and given to the queries it matches) if it is not
// there yet. NULL: no memory.
weft_table *weft_world_table(weft_world *world, const uint64_t *set);

// The table an entity of `table` is in after adding (with its closure) or removing a table
// component. O(1) when it was asked before. NULL: no memory.
weft_table *weft_world_table_with(weft_world *world, weft_table *table, uint32_t component);
weft_table *weft_world_table_without(weft_world *world, weft_table *table, uint32_t component);

void weft_world_tables_close(weft_world *world);

// Moves a living entity's row to another table: shared columns and all planes are copied, columns
// only the new table has are left for the caller to write. Gives the new row. False: no memory,
// nothing changed.
bool weft_world_move(weft_world *world, uint64_t handle, weft_place from, weft_table *to,
                     uint32_t *row);

// Takes the memory that this needs, so that it cannot fail. False: no memory.
bool weft_world_move_ready(weft_world *world, weft_place from, weft_table *to);

// The value of a component that a row has, as the plain struct: where it lies, or if it is in
// several columns put together in `room`, which has its size. NULL: it is a tag.
const void *weft_row_value(const weft_world *world, const weft_table *table, uint32_t row,
                           uint32_t component, void *room);

// ------------------------------------------------------------------------------------------------
// Direct structural calls, for generated code. All refuse dead handles and a running phase.

// Adds or overwrites a table or sparse component; overwriting is no structural change.
bool weft_component_set(weft_world *world, uint64_t handle, uint32_t component, const void *value);

// Takes any component or tag away. False also if it was not there (WEFT_NOT_FOUND).
bool weft_component_remove(weft_world *world, uint64_t handle, uint32_t component);

bool weft_tag_set(weft_world *world, uint64_t handle, uint32_t component);

// Takes a tag from everybody, but not where something present requires it. O(rows / 64), or
// O(members) where something may require it.
bool weft_tag_clear(weft_world *world, uint32_t component);

bool weft_component_has(const weft_world *world, uint64_t handle, uint32_t component);

// Gives an existing entity all components of a prefab, or none of them.
bool weft_prefab_set(weft_world *world, uint64_t handle, uint32_t prefab, const void *value);

// One more entity without components; 0: refused.
uint64_t weft_spawn_empty(weft_world *world);

// n entities of a prefab. value: its plain struct for all of them; NULL: table components that are
// members are left for the caller to fill in (spawn_rows), sparse ones get their defaults. The new
// rows are contiguous from *first_row in the prefab's table; handles go to out (n handles of
// plan->format.handle_bytes; may be NULL). All n or nothing.
bool weft_spawn_many(weft_world *world, uint32_t prefab, size_t n, const void *value, void *out,
                     uint32_t *first_row);

// Makes sure that the planes and stores of a prefab have room for one more; part of a generated
// spawn. False: no memory, remembered.
bool weft_prefab_ready(weft_world *world, uint32_t prefab);

// Room for n more entities, so that the next n without components take no memory; for n more of a
// prefab. The memory is taken, and touched, now: some 10 ns an entity. No handle or row changes,
// but pointers and iterators are invalid after it. WEFT_BUSY, WEFT_FULL, WEFT_NO_MEMORY.
weft_status weft_world_reserve(weft_world *world, size_t n);
weft_status weft_prefab_reserve(weft_world *world, uint32_t prefab, size_t n);

// Sets every dead handle in components, singletons (they start at the address of the world + their
// offset), events and commands not yet applied to none, then brings retired indices back. Returns
// how many. O(world). Refused while a phase runs (0).
size_t weft_world_recycle(weft_world *world);

weft_stats weft_world_stats(const weft_world *world);

// ------------------------------------------------------------------------------------------------
// Refusals

// Remembers why a call is refused and tells the log hook; always returns false.
bool weft_refuse(weft_world *world, weft_refusal refusal);
const char *weft_world_error(weft_world *world); // in words; "" if nothing was refused yet

// The same where a refusal is not about components: remembers the status and the caller's own words
// (cut to what error_text holds), which weft_world_error says until the next refusal, and tells the
// log hook. Returns the status.
weft_status weft_world_say(weft_world *world, weft_status status, const char *format, ...)
    WEFT_PRINTS(3, 4);

// The same for attaching and detaching: always returns false.
bool weft_refuse_link(weft_world *world, weft_status status, uint32_t relation, uint64_t child,
                      uint64_t parent);

// That something ended since it was used after a structural change. The world of who iterates is
// const, and what it says is no part of its state.
void weft_world_say_stale(const weft_world *world, const char *what);

// What to do instead of a call, behind its name: those that have a twin are recorded.
#define WEFT_RECORDED " is to be recorded as a command instead"
#define WEFT_WAITS " has to wait until that is over"

// True, and remembered, if a phase or a hook runs; asserts in debug builds. `call` is which call
// that is refused, and what to do instead.
bool weft_busy_refused(weft_world *world, const char *call); // the slow end: says why
static inline bool weft_busy(weft_world *world, const char *call)
{
    return WEFT_UNLIKELY(world->running) && weft_busy_refused(world, call);
}

// The same for a put or command that the rules drop, which is counted. Systems may be running.
bool weft_drop(weft_world *world, weft_refusal refusal);

// ------------------------------------------------------------------------------------------------
// Workers

// What systems that run at the same time have in common but is rare (taking memory, refusals, turns
// that begin and end) is done between these. Free without workers. The holder may take it again.
static inline void weft_world_lock(weft_world *world)
{
    if (WEFT_UNLIKELY(world->lock != NULL)) weft_lock_take(world->lock);
}

static inline void weft_world_unlock(weft_world *world)
{
    if (WEFT_UNLIKELY(world->lock != NULL)) weft_lock_give(world->lock);
}

// ------------------------------------------------------------------------------------------------
// Phases

// Whether a tick or a phase may run for dt seconds: WEFT_OK, or said in words WEFT_BUSY (weft_busy
// has `call`), WEFT_REFUSED: dt is negative, infinite or no number.
weft_status weft_run_check(weft_world *world, const char *call, double dt);

// From here on the phase or hook runs that `running` says, and direct structural calls find nobody;
// or none does (0).
static inline void weft_world_runs(weft_world *world, uint32_t running)
{
    world->running = running;
    weft_entities_let(&world->entities, running == 0);
}

// Begin applies the commands recorded outside of systems, and from then on direct structural calls
// are refused; end applies what was recorded since (record/command.h). The status is that of
// applying, or says that events were lost; the phase has begun or ended whatever it is, but for
// WEFT_BUSY: a phase runs already.
// phase: its index in the schema.
weft_status weft_phase_begin(weft_world *world, uint32_t phase);
weft_status weft_phase_end(weft_world *world);

// ------------------------------------------------------------------------------------------------
// The parts that generated code instantiates with its own constants

#ifdef WEFT_HARD
// Moves and poisons everything that pointers may not be kept to over a structural change.
void weft_world_shake(weft_world *world);
#endif

// Says that pointers and iterators are invalid from here on; in hard mode also makes them so.
static inline void weft_world_changed(weft_world *world)
{
    world->moves++;
#ifdef WEFT_HARD
    weft_world_shake(world);
#endif
}

// The same for a change that leaves all rows where they are: of tags, sparse components, links.
static inline void weft_world_changed_in_place(weft_world *world)
{
    world->in_place++;
#ifdef WEFT_HARD
    weft_world_shake(world);
#endif
}

// Structural changes so far, wrapping: iterators compare it.
static inline uint32_t weft_version(const weft_world *world)
{
    return world->moves + world->in_place;
}

// The value of a sparse component; NULL: dead, or not there.
WEFT_ALWAYS_INLINE void *weft_sparse_get(const weft_world *world, weft_format f, uint32_t store,
                                         uint64_t handle)
{
    weft_place at;
    if (!weft_find(&world->entities, f, handle, &at)) return NULL;
    return weft_sparse_find(&world->sparse[store], weft_handle_index(f, handle));
}

// A row at the end of `table` for a handle; its memory is there.
WEFT_ALWAYS_INLINE uint32_t weft_row_append(weft_world *world, weft_format f, weft_table *table,
                                            uint64_t handle)
{
    uint32_t row = table->count++;
    weft_record_place(&world->entities, f, handle, table->id, row);
    weft_handle_store(f, weft_column(table, 0), row, handle);
    return row;
}

// What generated spawn functions build on: a row at the end of `table` with a fresh handle in
// column 0, the rest of the row for the caller to write. Costs an append: no hash, no copy.
typedef struct weft_row {
    weft_table *table;
    uint32_t row;
    uint32_t index;
    uint64_t handle; // 0: refused
} weft_row;

bool weft_spawn_refused(weft_world *world); // the slow end of weft_spawn: says why

WEFT_ALWAYS_INLINE weft_row weft_spawn(weft_world *world, weft_format f, weft_table *table)
{
    weft_entities *entities = &world->entities;
    weft_row at = {table, table->count, 0, 0};
    uint32_t generation;
    if ((WEFT_UNLIKELY(!weft_index_at_hand(entities)) &&
         (world->running || !weft_index_ready(entities, &world->heap))) ||
        (WEFT_UNLIKELY(at.row == table->capacity) &&
         !weft_table_grow(&world->heap, world->plan, table, at.row + 1))) {
        weft_spawn_refused(world);
        return at;
    }
    weft_index_take(entities, f, &at.index, &generation);
    at.handle = weft_handle(f, at.index, generation);
    WEFT_TAKEN(at.handle != 0);
    weft_record_put(entities, f, at.index, generation, table->id, at.row);
    weft_handle_store(f, weft_column(table, 0), at.row, at.handle);
    table->count = at.row + 1;
    weft_world_changed(world);
    return at;
}

// Notes all that a row is about to lose with its entity, for who reads that (record/removals.h).
void weft_removed_row(weft_world *world, const weft_table *table, uint32_t row);

// Drops a row, after saying where the entity is then that fills the hole.
static inline void weft_row_leave(weft_world *world, weft_format f, weft_table *table, uint32_t row)
{
    uint32_t last = table->count - 1;
    if (row != last) {
        uint64_t moved = weft_handle_load(f, weft_column(table, 0), last);
        weft_record_place(&world->entities, f, moved, table->id, row);
    }
    weft_row_drop(world->plan, f, table, row);
}

// Puts the last row of `from` in the place of a row, as to handle and record, and appends the row
// to another table, whose row it gives: what moving a row is beside its columns and planes. Says
// that pointers are invalid.
WEFT_ALWAYS_INLINE uint32_t weft_row_pass(weft_world *world, weft_format f, uint64_t handle,
                                          uint32_t row, weft_table *from, weft_table *to)
{
    void *handles = weft_column(from, 0);
    uint64_t last = weft_handle_load(f, handles, --from->count);
    weft_handle_store(f, handles, row, last);
    weft_record_place(&world->entities, f, last, from->id, row);
    uint32_t end =
        weft_row_append(world, f, to, handle); // then: the last row may be the one that moves
    weft_world_changed(world);
    return end;
}

// Gives the index of an entity back and puts the last row in the place of its own, as to handle and
// record: what ending a row is beside its columns and planes. Returns true, as what ends with it
// does.
WEFT_ALWAYS_INLINE bool weft_row_end(weft_world *world, weft_format f, uint64_t handle,
                                     uint32_t row, weft_table *table)
{
    void *handles = weft_column(table, 0);
    uint32_t last = --table->count;
    weft_entities_give(&world->entities, f, weft_handle_index(f, handle),
                       (uint32_t)(handle >> f.index_bits));
    if (row != last) {
        uint64_t moved = weft_handle_load(f, handles, last);
        weft_handle_store(f, handles, row, moved);
        weft_record_place(&world->entities, f, moved, table->id, row);
    }
    weft_world_changed(world);
    return true;
}

// Despawns where the table has planes or marks.
bool weft_despawn_with_bits(weft_world *world, uint64_t handle, uint32_t row, weft_table *table);

// The core of despawn, for an entity that is alive, has no links, and no phase running: the one
// place where an entity ends. Returns true: nothing is left to do after the last call, so that
// inlined nothing has to be kept over it.
WEFT_ALWAYS_INLINE bool weft_despawn_at(weft_world *world, uint64_t handle, weft_place at)
{
    weft_table *table = world->tables.items[at.table];
    if (WEFT_UNLIKELY((table->plane_count | table->marks.streams) != 0)) {
        return weft_despawn_with_bits(world, handle, at.row, table);
    }
    return table->end(world, handle, at.row, table);
}

// For all worlds.
bool weft_despawn(weft_world *world, uint64_t handle);

// The same with the constants of generated code, in worlds without relations; refusals go through
// weft_despawn.
WEFT_ALWAYS_INLINE bool weft_despawn_as(weft_world *world, weft_format f, uint64_t handle)
{
    weft_place at;
    if (WEFT_UNLIKELY(!weft_find_direct(&world->entities, f, handle, &at))) {
        return weft_despawn(world, handle);
    }
    return weft_despawn_at(world, handle, at);
}

WEFT_EXTERN_C_END

#endif
