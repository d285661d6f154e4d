// What the generator worked out about a world, as const tables that the runtime runs on.
//
// Columns. Every array that a table can have is numbered once for the whole world:
//     column 0                   the handles of the rows
//     1 … first_bitset - 1        table components in schema order: one (aos), or one a field (soa)
//     first_bitset … columns - 1  bitsets: one bit a row, for tags and for who has sparse components
// A bitset's number is its column less first_bitset.
//
// Sets of components are bit sets over component ids (schema order), `set_words` words each.
#ifndef WEFT_PLAN_H
#define WEFT_PLAN_H

#include "../weft.h"

#define WEFT_NONE 0xFFFFu // no bitset, no sparse store, no table component

// How a handle is cut: index in the low bits, then generation; the rest is 0. Passed by value to
// inline functions as a constant, so that in generated code every shift and mask is an immediate.
typedef struct weft_format {
    uint8_t index_bits;
    uint8_t generation_bits;
    uint8_t handle_bytes; // 2, 4 or 8
    bool wide;            // more than 32 bits in all: 12-byte records instead of 8
    bool waits;           // recycle_after is not 0: the free list is FIFO
} weft_format;

typedef struct weft_column_plan {
    uint32_t size;      // bytes an element; 0 for a bitset
    uint32_t offset;    // soa: of the field in the plain struct; else 0
    uint16_t component; // id; WEFT_NONE for column 0
} weft_column_plan;

struct weft_world;
struct weft_command;

// Runs commands of one kind on one component from the first on, up to one that is not of them, has
// others on its entity, or is not the common case of the direct call. Returns that one. Generated:
// see change/runs.h.
typedef struct weft_command *(*weft_command_run)(struct weft_world *world,
                                                 struct weft_command *first,
                                                 const struct weft_command *end);

// A hook of the game, with the types of the runtime; see record/hook.h. Generated.
struct weft_hook_ctx;
typedef void (*weft_hook)(const struct weft_hook_ctx *ctx, uint64_t handle, const void *value);

typedef struct weft_component_plan {
    uint32_t size;               // of the plain struct, 0 for a tag
    uint16_t first_column;       // table components; else WEFT_NONE
    uint16_t column_count;       // table components; else 0
    uint16_t bitset;             // tags and sparse components; else WEFT_NONE
    uint16_t sparse;             // sparse components: which store; else WEFT_NONE
    const void *defaults;        // the plain struct; NULL for a tag
    const uint64_t *closure;     // itself and all it requires, transitively
    const uint64_t *conflicts;   // all that excludes a member of the closure or is excluded by one
    const uint64_t *required_by; // all that requires it, transitively
    uint16_t added;   // the change set where it is marked as added, WEFT_NONE: nobody reads that
    uint16_t changed; // the same of being changed
    uint16_t first_removal; // of who reads that it is gone
    uint16_t removal_count;
    bool ruled; // whether closure, conflicts or required_by hold anything but the component itself
    bool has_entities;         // whether a field, at any depth, is a handle
    weft_command_run run_sets; // NULL where rules or arrays of fields make it more than one step
    weft_command_run run_removals; // the same
    weft_hook on_add;              // NULL: nobody is told
    weft_hook on_remove;           // the same
} weft_component_plan;

// What one reader wants to know of one component: change sets of marks (store/change_bits.h), numbered once
// for the world. Incoming of table components come first.
typedef struct weft_watch_plan {
    uint16_t component;
    uint16_t incoming; // where the marks come in
    uint16_t unseen;   // what the reader has not seen; the incoming where it is alone with it
    uint16_t visible;  // what a turn shows it; a query of the game has one of its own for that
    bool own;          // the reader marks the component itself, which it does not see
    uint16_t listener_count;
    const uint16_t
        *listeners; // the unseen change sets of everybody who watches it, but for the incoming
} weft_watch_plan;

// A system that reads the removals of a component.
typedef struct weft_removal_plan {
    uint16_t component;
    uint16_t incoming; // the change sets that say who got it since the reader's last turn
    uint16_t unseen;   // of the reader; the incoming where it is alone
    uint16_t reader;
    bool value; // it gets last values
} weft_removal_plan;

typedef struct weft_reader_plan {
    const weft_watch_plan *watches;
    uint16_t watch_count;
} weft_reader_plan;

struct weft_table;

// Copies the columns of a prefab (not the handle, no bitsets) from a row to another one, in tables
// that have them all. Generated: the sizes are constants.
typedef void (*weft_prefab_copy)(const struct weft_table *from, uint32_t from_row,
                                 const struct weft_table *to, uint32_t to_row);

// Moves a row to the end of another table: the columns of a prefab, which both tables have, the
// handle and its record; and fills the hole with the last row. There is room and there are no
// bitsets. Pointers are invalid then. Returns the new row. Generated: the whole of it with
// constants, so that whoever calls has little to keep meanwhile.
typedef uint32_t (*weft_prefab_shift)(struct weft_world *world, uint64_t handle, uint32_t row,
                                      struct weft_table *from, struct weft_table *to);

// Ends a row of a table with just the columns of a prefab, whose bits and marks are gone: gives the
// index of its entity back and fills the hole with the last row. Returns true. Generated, as the
// one before.
typedef bool (*weft_prefab_end)(struct weft_world *world, uint64_t handle, uint32_t row,
                                struct weft_table *table);

typedef struct weft_prefab_plan {
    const uint64_t *set; // closure of its components: table components, tags and sparse ones
    const uint16_t
        *components;         // as listed, without tags: the members of the plain struct, in order
    const uint32_t *offsets; // of those members in the plain struct
    uint32_t component_count;
    uint32_t tag_count;
    const uint16_t *tags;    // component ids of listed tags
    uint32_t size;           // of the plain struct
    weft_prefab_copy copy;   // NULL without table components
    weft_prefab_shift shift; // the same
    weft_prefab_end end;     // the same
} weft_prefab_plan;

// Parts that a parallel system is cut into, at most: however many workers there are, so that what
// comes of it does not depend on them.
#define WEFT_PARTS_MAX 64u

// Who records commands: outside of systems, then systems as they run.
typedef struct weft_recorder_plan {
    uint16_t phase; // WEFT_NONE: outside
    bool parallel;  // it has a buffer for each of WEFT_PARTS_MAX parts, else one
} weft_recorder_plan;

// A system whose rows are cut into parts (query/part.h).
typedef struct weft_parallel_plan {
    uint16_t query;
    uint32_t unit_rows;    // parts begin at multiples of so many rows
    bool commands;         // it records commands,
    uint32_t first_buffer; // the parts into buffers from this one on
} weft_parallel_plan;

// A system in the schedule. Systems are numbered in the order they run one by one, all phases
// through. Any two that conflict, or that the schema orders, are ordered by these waits or by what
// follows.
typedef struct weft_system_plan {
    uint16_t waits_for; // how many systems of its phase must have ended before it begins
    uint16_t follower_count;
    const uint16_t *followers; // the systems that wait for it, ascending
} weft_system_plan;

typedef struct weft_phase_plan {
    uint16_t first; // its systems are first … first + system_count - 1
    uint16_t system_count;
    uint16_t ready_count;
    const uint16_t *ready; // the systems that wait for nothing, ascending
} weft_phase_plan;

// Where a system stages an event: in so many stages, a part each, from the first on and so many
// apart.
typedef struct weft_stages_plan {
    uint32_t first;
    uint16_t step;
    uint16_t count;
} weft_stages_plan;

// An event. Its hearers are first_hearer … first_hearer + hearer_count - 1, as they run. One that
// nobody hears has no stages.
typedef struct weft_event_plan {
    uint32_t size; // of the plain struct
    uint32_t max;  // unread at once
    uint32_t first_hearer;
    uint16_t hearer_count;
    uint16_t stage_count;
    bool has_entities;              // whether a field, at any depth, is a handle
    const weft_stages_plan *stages; // one a system that emits it, as they run
} weft_event_plan;
// What a system with `order` walks: the rows of its query, by a relation.
typedef struct weft_depth_order_plan {
    uint16_t query;
    uint16_t relation;
} weft_depth_order_plan;

// Whether a table can ever have a row of a query, decided by its components.
typedef bool (*weft_matches)(const struct weft_table *table);

typedef struct weft_plan {
    const weft_schema *schema;
    weft_format format;
    uint32_t max_entities;
    uint32_t recycle_after;
    uint16_t component_count;
    uint16_t set_words; // (component_count + 63) / 64, at least 1
    uint16_t column_count;
    uint16_t first_bitset;
    uint16_t sparse_count;
    uint16_t prefab_count;
    uint16_t query_count; // queries, then systems with columns
    uint16_t recorder_count;
    uint32_t buffer_count; // one, or one a part, a recorder, in their order
    uint16_t phase_count;
    uint16_t system_count;
    const weft_column_plan *columns;
    const weft_component_plan *components;
    const uint16_t *sparse_components; // by store: the component id
    const weft_prefab_plan *prefabs;
    const weft_matches *query_matches; // by query
    const weft_recorder_plan *recorders;
    uint16_t parallel_count;
    const weft_parallel_plan *parallels; // by parallel system
    uint16_t depth_order_count;
    const weft_depth_order_plan *depth_orders;
    const weft_phase_plan *phases;
    const weft_system_plan *systems;
    uint16_t event_count;
    uint32_t stage_count;  // one, or one a part, for each event of a system that somebody hears
    uint32_t hearer_count; // one for each event and system that hears it
    const weft_event_plan *events;
    const uint16_t *hearer_events;  // by hearer: the event
    const uint16_t *hearer_systems; // by hearer: the system
    size_t world_bytes;             // of the generated struct that begins with the weft_world
    uint32_t clocks_offset;         // of its clocks in it
    uint16_t clock_count;
    const uint16_t *clock_systems; // by clock: the system
    uint16_t change_set_count;
    uint16_t added_change_sets; // the first ones: incoming of table components
    uint16_t reader_count;
    const uint16_t *change_set_components; // by change set
    const weft_reader_plan *readers;
    uint16_t removal_count;
    const weft_removal_plan *removals; // component by component
    const char *const *reader_names;   // of the system or query
} weft_plan;

static inline bool weft_set_has(const uint64_t *set, uint32_t component)
{
    return set[component / 64] >> (component % 64) & 1u;
}

static inline void weft_set_add(uint64_t *set, uint32_t component)
{
    set[component / 64] |= (uint64_t)1 << (component % 64);
}

static inline void weft_set_drop(uint64_t *set, uint32_t component)
{
    set[component / 64] &= ~((uint64_t)1 << (component % 64));
}

#endif
