// The plan: what the generator worked out about a world, as const tables that the runtime reads.
//
// Every array that a table can have is a column, numbered once for the whole world:
//     column 0                    the handles of the rows
//     1 … first_bitset - 1        table components in schema order: one (aos), or one a field (soa)
//     first_bitset … columns - 1  bitsets: one bit a row, for tags and for sparse components
// The number of a bitset is its column less first_bitset.
//
// Sets of components are bits over component ids (schema order) in `set_words` words each; see
// base/bits.h. WEFT_NONE stands for a number where there is none.
#ifndef WEFT_PLAN_H
#define WEFT_PLAN_H

#include "../base/bits.h"

#define WEFT_NONE 0xFFFFu

// How a handle is cut: the index in the low bits, the generation above it, and 0 in the rest; and
// how a table finds a column. It is passed by value to inline functions as a constant, so that in
// generated code every shift and mask is an immediate.
typedef struct weft_format {
    uint8_t index_bits;
    uint8_t generation_bits;
    uint8_t handle_bytes; // 2, 4 or 8
    bool wide;            // more than 32 bits in all: 12-byte records instead of 8
    bool waits;           // recycle_after is not 0: the free list is FIFO
    bool grouped;         // the schema has so many columns that tables have groups, see table.h
} weft_format;

typedef struct weft_column_plan {
    uint32_t size;      // bytes an element; 0 for a bitset
    uint32_t offset;    // soa: of the field in the plain struct; else 0
    uint16_t component; // id; WEFT_NONE for column 0
} weft_column_plan;

struct weft_world;
struct weft_table;
struct weft_command;

// Runs commands of one kind on one component from `first` on. Returns the first of another kind,
// with others on its entity, or beyond the common case of a direct call (edit/runs.h).
typedef struct weft_command *(*weft_command_run)(struct weft_world *world,
                                                 struct weft_command *first,
                                                 const struct weft_command *end);

// A hook of the game, with the types of the runtime; see record/hook.h. Generated.
struct weft_hook_ctx;
typedef void (*weft_hook)(const struct weft_hook_ctx *ctx, uint64_t handle, const void *value);
typedef void (*weft_add_hook)(const struct weft_hook_ctx *ctx, uint64_t handle, void *value);
typedef void (*weft_replace_hook)(const struct weft_hook_ctx *ctx, uint64_t handle,
                                  const void *old_value, const void *new_value);

// A value that a component begins with where others bring it along, instead of its own defaults.
typedef struct weft_required_value {
    uint16_t component;
    const void *value; // the plain struct
} weft_required_value;

typedef struct weft_component_plan {
    uint32_t size;               // of the plain struct, 0 for a tag
    uint16_t first_column;       // table components; else WEFT_NONE
    uint16_t column_count;       // table components; else 0
    uint16_t bitset;             // tags and sparse components; else WEFT_NONE
    uint16_t sparse;             // sparse components: their store; else WEFT_NONE
    const void *defaults;        // the plain struct; NULL for a tag
    const uint64_t *closure;     // itself and all it requires, transitively
    const uint64_t *conflicts;   // all that excludes a member of the closure or is excluded by one
    const uint64_t *required_by; // all that requires it, transitively
    const weft_required_value *required_values; // of what it requires; NULL: defaults for all
    uint16_t required_value_count;
    uint16_t added;             // the change set of its additions; WEFT_NONE: it has no reader
    uint16_t changed;           // the change set of its changes, likewise
    uint16_t first_removal;     // its readers of removals: first_removal …
    uint16_t removal_count;     // … first_removal + removal_count - 1
    uint16_t first_removal_set; // and those with bits of it, likewise
    uint16_t removal_set_count;
    bool ruled;           // closure, conflicts or required_by hold more than the component itself
    bool has_entities;    // a field, at any depth, is a handle
    bool indexed;         // an index asks about it
    weft_command_run run; // sets and removals; NULL: rules or arrays of fields make it more steps
    weft_add_hook on_add; // NULL: the game has none
    weft_hook on_remove;  // likewise
    weft_replace_hook on_replace;
} weft_component_plan;

// Names the change sets (store/change_bits.h) by which one reader sees changes of one component.
// They are numbered once for the world; the incoming ones of table components come first.
typedef struct weft_watch_plan {
    uint16_t component;        // or singleton, by their numbers
    uint16_t incoming;         // collects the changes of the component for all readers
    uint16_t unseen;           // what the reader has yet to see; incoming itself for an only reader
    uint16_t visible;          // what a turn shows it; a query of the game has one of its own
    bool own;                  // the reader changes the component itself, which it does not see
    bool removed;              // it watches for rows that lost it, see weft_removal_set_plan
    bool singleton;            // its change sets are flags, see record/reader.h
    uint16_t listener_count;   // of the unseen change sets of all who watch it, without incoming
    const uint16_t *listeners; // those change sets
} weft_watch_plan;

// A system or listener that reads the removals of a component.
typedef struct weft_removal_plan {
    uint16_t component;
    uint16_t incoming; // the change sets of rows that got it since the reader's last turn
    uint16_t unseen;   // of the reader; incoming itself for an only reader
    uint16_t reader;
    bool value; // it gets last values
} weft_removal_plan;

// A reader that asks which of the rows that live have lost a component.
typedef struct weft_removal_set_plan {
    uint16_t incoming; // as above
    uint16_t unseen;
    uint16_t reader;
    uint16_t change_set; // of rows that lost it: both incoming and unseen of the reader's watch
} weft_removal_set_plan;

typedef struct weft_reader_plan {
    const weft_watch_plan *watches;
    uint16_t watch_count;
    bool starts_over; // at its first turn after a load everything is new to it
    bool listener;    // it begins its turns as a query does, and listens from the start
} weft_reader_plan;

// Copies the columns of a prefab (not the handle, no bitsets) from a row to another one, in tables
// that have them all. It is generated, so that the sizes are constants.
typedef void (*weft_prefab_copy)(const struct weft_table *from, uint32_t from_row,
                                 const struct weft_table *to, uint32_t to_row);

// Moves a row to the end of another table, which has space, and fills the hole with the last row:
// the columns of a prefab, which both tables have, the handle and its record; not bitsets. Returns
// the new row. Generated as a whole, so that its caller has few values to keep over the call.
typedef uint32_t (*weft_prefab_shift)(struct weft_world *world, uint64_t handle, uint32_t row,
                                      struct weft_table *from, struct weft_table *to);

// Ends a row, whose bits are gone already, of a table with just the columns of a prefab: gives the
// index of its entity back and fills the hole with the last row. Returns true.
typedef bool (*weft_prefab_end)(struct weft_world *world, uint64_t handle, uint32_t row,
                                struct weft_table *table);

// Appends a row for a handle, whose index was taken, with the plain struct of a prefab, to its
// table, which has space. Only a prefab has this function whose rows have nothing but its members,
// all in tables, and whose removals nobody reads: so a new row takes no memory but that of its
// table.
typedef void (*weft_prefab_append)(struct weft_world *world, uint64_t handle,
                                   struct weft_table *table, const void *value);

typedef struct weft_prefab_plan {
    const uint64_t *set;        // of its components: table components, tags, sparse ones
    const uint16_t *components; // the members of the plain struct, the tags that it lists, and then
                                // what these require
    const uint32_t *offsets;    // of the members in the plain struct
    uint32_t component_count;
    uint32_t member_count;
    const weft_required_value *required_values; // of what is not listed; NULL: defaults for all
    uint16_t required_value_count;
    uint32_t size;         // of the plain struct
    const void *defaults;  // a plain struct with the values that the schema gives
    weft_prefab_copy copy; // NULL without table components, as the two that follow
    weft_prefab_shift shift;
    weft_prefab_end end;
    weft_prefab_append append; // NULL: a new row takes more than that
} weft_prefab_plan;

// The most parts that a parallel system is cut into, whatever the number of workers is.
#define WEFT_PARTS_MAX 64u

// A recorder of commands: first the one outside of systems, then systems as they run.
typedef struct weft_recorder_plan {
    uint16_t segment; // WEFT_NONE: outside
    bool parallel;    // it has a buffer for each of WEFT_PARTS_MAX parts, else one
} weft_recorder_plan;

// A system whose rows are cut into parts (run/turn.h).
typedef struct weft_parallel_plan {
    uint16_t query;
    uint32_t unit_rows;   // parts begin at multiples of so many rows
    uint16_t depth_order; // WEFT_NONE: its rows come table by table
    bool keeps;           // its parts keep commands, events or tag writes, in the order of the rows
    bool commands;        // its parts record commands,
    uint32_t first_buffer; // into buffers from this one on
} weft_parallel_plan;

// A system in the schedule. Systems are numbered through all phases, in the order of running one by
// one. Waits order any two that conflict or that the schema orders, some through others.
typedef struct weft_system_plan {
    uint16_t waits_for; // how many systems of its segment must have ended before it begins
    uint16_t follower_count;
    const uint16_t *followers; // the systems that wait for it, ascending
} weft_system_plan;

// A segment: the systems of a phase, or of what a flush cuts off. Commands are applied between two
// segments of a phase.
typedef struct weft_segment_plan {
    uint16_t first; // its systems are first … first + system_count - 1
    uint16_t system_count;
    uint16_t ready_count;
    const uint16_t *ready; // the systems that wait for nothing, ascending
} weft_segment_plan;

// The stages that a system emits an event into, one a part: `count` from `first` on, `step` apart.
typedef struct weft_stages_plan {
    uint32_t first;
    uint16_t step;
    uint16_t count;
} weft_stages_plan;

// An event. Its hearers are first_hearer … first_hearer + hearer_count - 1, listeners of the game
// behind systems; without any it has no stages.
typedef struct weft_event_plan {
    uint32_t size; // of the plain struct
    uint32_t max;  // unread at once
    uint32_t first_hearer;
    uint16_t hearer_count;
    uint16_t listener_count; // the last of them
    uint16_t stage_count;
    bool has_entities;              // a field, at any depth, is a handle
    const weft_stages_plan *stages; // one for each system that emits it, as they run
} weft_event_plan;

// A changed_parent(name) of a system, as change sets.
typedef struct weft_changed_parent_plan {
    uint16_t unseen;   // what the system has yet to see of changes of the component
    uint16_t incoming; // where its own writes come in; WEFT_NONE: it does not write it
} weft_changed_parent_plan;

// The rows that a system with `order` walks: those of its query, parents first by the relation.
// Where it asks changed_parent it walks dirty rows (query/dirty.h).
typedef struct weft_depth_order_plan {
    uint16_t query;
    uint16_t relation;
    uint32_t run_rows; // of a parallel system: runs end at multiples of this power of 2; 0: nowhere
    bool with_parents; // each of its walks asks where the parent of each row is
    bool unchanged;    // rows may pass that have no change, and whose parents have none
    uint16_t changed_count;
    const uint16_t *changed; // the change sets of rows that may pass for changes of their own
    uint16_t parent_count;   // 0: it does not ask changed_parent
    const weft_changed_parent_plan *parents;
} weft_depth_order_plan;

// Says what the world does when a relation links two entities. The rows of entities with a parent,
// and of those with children, have a bit each where something asks for it: that of a tag of which
// the schema does not know.
typedef struct weft_relation_plan {
    uint16_t attached;   // the component that rows with a parent have; WEFT_NONE: nothing asks
    uint16_t parents;    // the one of rows with children, likewise
    bool append;         // attaching makes an entity the last child, not the first
    weft_hook on_attach; // is given the handle of the parent as its value; NULL: the game has none
    weft_hook on_detach; // likewise
} weft_relation_plan;

// Tells by the components of a table whether it can ever have a row of a query.
typedef bool (*weft_matches)(const struct weft_table *table);

typedef struct weft_query_plan {
    uint16_t key; // a component in tables that each of its tables has; WEFT_NONE: it needs none
    weft_matches matches;
} weft_query_plan;

// A filter of query/query.h, which tells what rows of a table an index has.
typedef const uint64_t *(*weft_index_filter)(const struct weft_table *table, uint32_t first_word,
                                             uint32_t words, uint64_t *mask);

// An index, which finds the rows of a query by values of a component; see index/index.h. Its reader
// stands behind those that saves and hashes know, so that they have nothing of it. It watches the
// component first, then what decides whether a row is in the index.
typedef struct weft_index_plan {
    weft_index_kind kind;
    uint16_t component;
    uint16_t query; // of the rows that it has
    uint16_t reader;
    uint16_t field_count;
    const uint16_t *fields;   // of the component, by number
    uint32_t words;           // of a key, of 64 bits each; 0: a grid has none
    double cell;              // of a grid: the side of a cell
    double per_cell;          // and 1 / that
    bool wide;                // of a grid: coordinates are kept as f64, else as f32
    uint8_t id_bytes;         // of a grid: of an entity index, 3 or 4
    weft_index_filter filter; // NULL: all rows of its tables
} weft_index_plan;

typedef struct weft_plan {
    const weft_schema *schema;
    weft_format format;
    uint32_t max_entities;
    uint32_t recycle_after;
    uint16_t component_count; // those of the schema, then the tags of relations
    uint16_t set_words;       // of a set of components, at least 1
    uint16_t column_count;
    uint16_t first_bitset;
    uint16_t sparse_count;
    uint16_t prefab_count;
    uint16_t query_count; // queries, then systems with columns, then passes of systems
    uint16_t recorder_count;
    uint32_t buffer_count; // one, or one a part, for each recorder in their order
    uint16_t segment_count;
    uint16_t system_count;
    uint16_t view_count; // the most systems that list one query of changes
    const weft_column_plan *columns;
    const weft_component_plan *components;
    const uint16_t *sparse_components; // by store: the component id
    const weft_prefab_plan *prefabs;
    const weft_query_plan *queries; // by query
    const weft_recorder_plan *recorders;
    uint16_t parallel_count;
    const weft_parallel_plan *parallels; // by parallel system
    uint16_t depth_order_count;
    uint16_t dirty_count; // the first of them ask changed_parent
    const weft_depth_order_plan *depth_orders;
    const weft_segment_plan *segments; // phase by phase
    const weft_system_plan *systems;
    uint16_t event_count;
    uint32_t stage_count;  // one, or one a part, for each event with hearers of each system
    uint32_t hearer_count; // one for each event and system or listener that hears it
    const weft_event_plan *events;
    const uint16_t *hearer_events;       // by hearer: the event
    const char *const *hearer_names;     // by hearer: of the system or listener
    const weft_relation_plan *relations; // by relation; NULL: nothing follows from links
    weft_hook on_despawn;    // of every entity, with NULL for its value; NULL: the game has none
    size_t world_bytes;      // of the generated struct that begins with the weft_world
    size_t resources_offset; // of what loads leave at its end: pointers of the game, partial
                             // results of systems; 0: none
    uint32_t clocks_offset;  // of its clocks in it
    uint16_t clock_count;
    const uint16_t *clock_systems;  // by clock: the system
    uint32_t switches_offset;       // of the switches of systems in it: bools, true is off
    uint16_t switch_count;          // of those that are saved, which come first
    uint16_t unsaved_switch_count;  // of the others
    const uint16_t *switch_systems; // by switch: the system
    uint16_t change_set_count;
    uint16_t added_change_sets; // the first ones: incoming sets of table components
    uint16_t reader_count;
    uint16_t flag_count;                   // change sets of singletons, numbered behind all others
    const uint16_t *change_set_components; // by change set; WEFT_NONE: rows that lost one
    const uint16_t *singleton_changed; // by singleton: its incoming flag, or WEFT_NONE; NULL: none
    const weft_reader_plan *readers;
    uint16_t removal_count;
    const weft_removal_plan *removals;         // component by component
    const weft_removal_set_plan *removal_sets; // likewise
    const char *const *reader_names;           // of the system, query or listener
    uint16_t index_count;
    const weft_index_plan *indexes;
    const bool *indexes_only; // by change set: only indexes use it; NULL: there are no indexes
    uint16_t rng;             // 1 + the extern that the field type rng is; 0: no field has it
} weft_plan;

// Returns the plain struct that is meant for a prefab; NULL: the one that the schema gives.
static inline const void *weft_prefab_given(const weft_prefab_plan *prefab, const void *value)
{
    return value ? value : prefab->defaults;
}

#endif
