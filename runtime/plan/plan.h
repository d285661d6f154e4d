// The plan: const tables that the generator computes from the schema and the runtime reads.
//
// Every array that a table can have is a column. Columns are numbered once for the whole world:
//     column 0                    the handles of the rows
//     1 … first_bitset - 1        table components in schema order: one (aos), or one a field (soa)
//     first_bitset … columns - 1  bitsets: one bit a row, for tags and for sparse components
// The number of a bitset is its column number minus first_bitset.
//
// A set of components has one bit for each component id (schema order), in `set_words` words; see
// base/bits.h. WEFT_NONE means that there is no component, column, system and so on.
#ifndef WEFT_PLAN_H
#define WEFT_PLAN_H

#include "../base/bits.h"

#define WEFT_NONE 0xFFFFu

// The layout of a handle (the index in the low bits, then the generation, then 0), and how a table
// finds a column. Inline functions take it by value as a constant, so that every shift and mask in
// generated code is an immediate.
typedef struct weft_format {
    uint8_t index_bits;
    uint8_t generation_bits;
    uint8_t handle_bytes; // 2, 4 or 8
    bool wide;            // more than 32 bits in total: records have 12 bytes instead of 8
    bool waits;           // recycle_after is not 0: the free list is FIFO
    bool grouped;         // the schema has so many columns that tables use groups, see table.h
} weft_format;

typedef struct weft_column_plan {
    uint32_t size;      // bytes of an element; 0 for a bitset
    uint32_t offset;    // soa: offset of the field in the plain struct; else 0
    uint16_t component; // id; WEFT_NONE for column 0
} weft_column_plan;

struct weft_world;
struct weft_table;
struct weft_command;

// Runs commands of one kind on one component, beginning with `first`. Returns the first command
// that differs in kind or component, has other commands on its entity, or is not the common case of
// a direct call (edit/runs.h).
typedef struct weft_command *(*weft_command_run)(struct weft_world *world,
                                                 struct weft_command *first,
                                                 const struct weft_command *end);

// A hook of the game, with types of the runtime; see record/hook.h. It is generated.
struct weft_hook_ctx;
typedef void (*weft_hook)(const struct weft_hook_ctx *ctx, uint64_t handle, const void *value);
typedef void (*weft_add_hook)(const struct weft_hook_ctx *ctx, uint64_t handle, void *value);
typedef void (*weft_replace_hook)(const struct weft_hook_ctx *ctx, uint64_t handle,
                                  const void *old_value, const void *new_value);

// The initial value of a required component, which replaces the component's own defaults.
typedef struct weft_required_value {
    uint16_t component;
    const void *value; // the plain struct
} weft_required_value;

typedef struct weft_component_plan {
    uint32_t size;               // of the plain struct; 0 for a tag
    uint16_t first_column;       // table components; else WEFT_NONE
    uint16_t column_count;       // table components; else 0
    uint16_t bitset;             // tags and sparse components; else WEFT_NONE
    uint16_t sparse;             // sparse components: their store; else WEFT_NONE
    const void *defaults;        // the plain struct; NULL for a tag
    const uint64_t *closure;     // the component and everything it requires, transitively
    const uint64_t *conflicts;   // everything that excludes a member of the closure or that a
                                 // member excludes
    const uint64_t *required_by; // everything that requires it, transitively
    const weft_required_value *required_values; // of required components; NULL: all use their
                                                // defaults
    uint16_t required_value_count;
    uint16_t added;             // change set of its additions; WEFT_NONE: no reader needs it
    uint16_t changed;           // change set of its changes; WEFT_NONE: no reader needs it
    uint16_t first_removal;     // its readers of removals are first_removal …
    uint16_t removal_count;     // … first_removal + removal_count - 1
    uint16_t first_removal_set; // its removal sets, numbered in the same way
    uint16_t removal_set_count;
    bool ruled;           // closure, conflicts or required_by contain other components
    bool has_entities;    // a field, at any depth, is a handle
    bool indexed;         // an index uses it
    weft_command_run run; // for sets and removals; NULL: rules or arrays of fields need more steps
    weft_add_hook on_add; // each hook is NULL if the game has none
    weft_hook on_remove;
    weft_replace_hook on_replace;
} weft_component_plan;

// The change sets (store/change_bits.h) that show one reader the changes of one component. Change
// sets are numbered once for the world; the incoming sets of table components come first.
typedef struct weft_watch_plan {
    uint16_t component; // number of the component or singleton
    uint16_t incoming;  // collects the changes of the component for all readers
    uint16_t unseen;    // changes that the reader has not seen yet; equals incoming if it is
                        // the only reader
    uint16_t visible;   // the changes that a turn shows; a query of the game has its own set
    bool own;           // the reader changes the component itself, and does not see these changes
    bool removed;       // watches for rows that lost the component, see weft_removal_set_plan
    bool singleton;     // its change sets are flags, see record/reader.h
    uint16_t listener_count;   // number of unseen change sets of all readers that watch it, without
                               // incoming
    const uint16_t *listeners; // their numbers
} weft_watch_plan;

// A system or listener that reads the removals of a component.
typedef struct weft_removal_plan {
    uint16_t component;
    uint16_t incoming; // change set of rows that got the component since the reader's last turn
    uint16_t unseen;   // the reader's own; equals incoming if it is the only reader
    uint16_t reader;
    bool value; // the reader receives the last values
} weft_removal_plan;

// A reader that asks which living rows have lost a component.
typedef struct weft_removal_set_plan {
    uint16_t incoming; // as in weft_removal_plan
    uint16_t unseen;
    uint16_t reader;
    uint16_t change_set; // of rows that lost it; both incoming and unseen of the reader's watch
} weft_removal_set_plan;

typedef struct weft_reader_plan {
    const weft_watch_plan *watches;
    uint16_t watch_count;
    bool starts_over; // after a load, its first turn sees everything as new
    bool listener;    // of the game: begins its turns like a query, and listens from the start
} weft_reader_plan;

// Copies the columns of a prefab (without handle and bitsets) from one row to another. Both tables
// have all of these columns. It is generated, so that the sizes are constants.
typedef void (*weft_prefab_copy)(const struct weft_table *from, uint32_t from_row,
                                 const struct weft_table *to, uint32_t to_row);

// Moves a row to the end of another table, which has space, and fills the hole with the last row.
// It moves the columns of a prefab, which both tables have, and updates the handle and its record,
// but not the bitsets. Returns the new row. It is generated as one function, so that its caller
// keeps few values across the call.
typedef uint32_t (*weft_prefab_shift)(struct weft_world *world, uint64_t handle, uint32_t row,
                                      struct weft_table *from, struct weft_table *to);

// Removes a row from a table with exactly the columns of a prefab: frees the index of its entity
// and fills the hole with the last row. The bits of the row were cleared before. Returns true.
typedef bool (*weft_prefab_end)(struct weft_world *world, uint64_t handle, uint32_t row,
                                struct weft_table *table);

// Appends a row with the plain struct of a prefab to the prefab's table, which has space. The index
// of the handle was taken before. A prefab has this function only if its rows contain only its
// members, all stored in tables, and nobody reads their removals. Then a new row needs no memory
// except in its table.
typedef void (*weft_prefab_append)(struct weft_world *world, uint64_t handle,
                                   struct weft_table *table, const void *value);

// An entity of a composite prefab: the root, which is part 0, or a part. Parts are in preorder: each
// is directly followed by its own parts. A part that the schema lists with a count is as many parts.
typedef struct weft_tree_part {
    uint16_t prefab;   // whose components it gets; only those of the entity itself
    uint16_t above;    // the part that it is attached to; of the root: 0
    uint16_t relation; // of the root: WEFT_NONE
    uint32_t value;    // offset of its plain struct in the struct of the composite prefab
    uint32_t handle;   // offset of its handle in the struct of all handles
    uint32_t columns;  // offset of its columns in the struct of all rows
    uint32_t rows;     // parts of the tree that are in its table
    uint32_t row;      // its number among them
} weft_tree_part;

// A field that contains the handle of a part.
typedef struct weft_tree_ref {
    uint16_t target; // the part
    uint32_t offset; // of the field in the struct of the composite prefab
} weft_tree_ref;

// A component that parts get and that needs memory outside of columns: a bitset, a store, a log of
// removals. There is one for each table of such parts. The hidden tags of relations and the
// components of keepers are included.
typedef struct weft_tree_need {
    uint16_t part; // one of the parts in this table
    uint16_t component;
    uint32_t count; // parts of the tree that get the component, in any table
} weft_tree_need;

// A hidden sparse component, by which generated calls find parts later. Its value is an array of
// handles.
typedef struct weft_tree_keeper {
    uint16_t part; // whose entity has it
    uint16_t component;
    uint16_t count;        // handles
    const uint16_t *parts; // by handle: the part, or WEFT_NONE
} weft_tree_keeper;

// The entities of a composite prefab.
typedef struct weft_tree {
    const weft_tree_part *parts;
    const weft_tree_ref *refs;
    const weft_tree_need *needs;
    const weft_tree_keeper *keepers;
    uint16_t part_count; // with the root
    uint16_t ref_count;
    uint16_t need_count;
    uint16_t keeper_count;
} weft_tree;

// A composite prefab has the components of its root here; `size` and `defaults` are those of the
// whole struct.
typedef struct weft_prefab_plan {
    const uint64_t *set;        // its components: table components, tags, sparse components
    const uint16_t *components; // the members of the plain struct, then the listed tags, then what
                                // these require
    const uint32_t *offsets;    // offsets of the members in the plain struct
    uint32_t component_count;
    uint32_t member_count;
    const weft_required_value *required_values; // of components that are not listed; NULL: all use
                                                // their defaults
    uint16_t required_value_count;
    uint32_t size;         // of the plain struct
    const void *defaults;  // a plain struct with the values of the schema
    weft_prefab_copy copy; // copy, shift and end are NULL if the prefab has no table components
    weft_prefab_shift shift;
    weft_prefab_end end;
    weft_prefab_append append; // NULL: a new row needs more steps
    const weft_tree *tree;     // of a composite prefab; else NULL
} weft_prefab_plan;

// The largest number of parts of a parallel system, for any number of workers.
#define WEFT_PARTS_MAX 64u

// A recorder of commands. The first is for commands outside of systems, the others are systems in
// the order of running.
typedef struct weft_recorder_plan {
    uint16_t segment; // WEFT_NONE: outside of systems
    bool parallel;    // has a buffer for each of WEFT_PARTS_MAX parts, else one buffer
} weft_recorder_plan;

// A system whose rows are cut into parts (run/schedule.h).
typedef struct weft_parallel_plan {
    uint16_t query;
    uint32_t unit_rows;   // parts begin at multiples of this number of rows
    uint16_t depth_order; // WEFT_NONE: it walks table by table
    bool keeps;           // its parts keep commands, events or tag writes, in the order of the rows
    bool commands;        // its parts record commands …
    uint32_t first_buffer; // … into buffers from this one
    uint16_t link;         // 1 + the kind of links that it iterates instead of rows; 0: none
} weft_parallel_plan;

// A system in the schedule. Systems are numbered across all phases, in sequential order. The waits
// order any two systems that conflict or that the schema orders, directly or through others.
typedef struct weft_system_plan {
    uint16_t waits_for; // number of systems of its segment that must end before it begins
    uint16_t follower_count;
    const uint16_t *followers; // the systems that wait for it, ascending
} weft_system_plan;

// A segment: the systems of a phase, or the part of a phase before or after a flush. Commands are
// applied between two segments of a phase.
typedef struct weft_segment_plan {
    uint16_t first; // its systems are first … first + system_count - 1
    uint16_t system_count;
    uint16_t ready_count;
    const uint16_t *ready; // the systems that wait for no other, ascending
} weft_segment_plan;

// The stages that a system emits an event into, one for each part: `first`, `first + step`, …,
// `count` in total.
typedef struct weft_stages_plan {
    uint32_t first;
    uint16_t step;
    uint16_t count;
} weft_stages_plan;

// An event. Its hearers are first_hearer … first_hearer + hearer_count - 1, systems first, then
// listeners of the game. An event without hearers has no stages.
typedef struct weft_event_plan {
    uint32_t size; // of the plain struct
    uint32_t max;  // the largest number of unread values
    uint32_t first_hearer;
    uint16_t hearer_count;
    uint16_t listener_count; // the last hearers
    uint16_t stage_count;
    bool has_entities;              // a field, at any depth, is a handle
    const weft_stages_plan *stages; // one for each system that emits it, in running order
} weft_event_plan;

// A changed_parent(name) filter of a system, as change sets.
typedef struct weft_changed_parent_plan {
    uint16_t unseen;   // changes of the component that the system has not seen yet
    uint16_t incoming; // collects its own writes; WEFT_NONE: it does not write the component
} weft_changed_parent_plan;

// The walk of a system with `order`: the rows of its query, parents first by the relation. If it
// uses changed_parent, it walks dirty rows (query/dirty.h).
typedef struct weft_depth_order_plan {
    uint16_t query;
    uint16_t relation;
    uint32_t run_rows; // parallel: runs end at multiples of this power of 2; 0: no limit
    bool with_parents; // each walk needs the location of each row's parent
    bool unchanged;    // rows without changes, whose parents have none, may pass too
    uint16_t changed_count;
    const uint16_t *changed; // the change sets whose rows may pass because they changed themselves
    uint16_t parent_count;   // 0: it does not use changed_parent
    const weft_changed_parent_plan *parents;
} weft_depth_order_plan;

// What the world does when a relation links two entities. If a query needs it, rows with a parent
// and rows with children have one bit each. These bits belong to hidden tags, which the schema does
// not declare.
typedef struct weft_relation_plan {
    uint16_t attached;   // the hidden tag of rows with a parent; WEFT_NONE: not needed
    uint16_t parents;    // the hidden tag of rows with children; WEFT_NONE: not needed
    bool append;         // attach inserts an entity as the last child, not as the first
    weft_hook on_attach; // receives the handle of the parent as its value; NULL: the game has none
    weft_hook on_detach; // the same for detach
} weft_relation_plan;

// A hook of a link. `value` is its plain struct, or NULL for a bare link. on_add may write it;
// on_remove must not.
typedef void (*weft_link_hook)(const struct weft_hook_ctx *ctx, uint64_t from, uint64_t to,
                               void *value);

// A kind of links. If a query needs it, rows with a link from or to their entity have one bit each.
// These bits belong to hidden tags, which the schema does not declare. The change set `changed` of
// the tag `from_tag` also shows that a link from the entity was added, removed or written; that of
// `to_tag` shows the same for links to the entity.
typedef struct weft_link_plan {
    uint32_t size;         // of the plain struct; 0 for a bare link
    uint32_t align;        // of the plain struct; 1 for a bare link
    const void *defaults;  // NULL for a bare link
    uint16_t from_tag;     // the hidden tag of rows with links from them; WEFT_NONE: not needed
    uint16_t to_tag;       // the hidden tag of rows with links to them; WEFT_NONE: not needed
    bool symmetric;        // links are stored once, from the lower index
    bool from_despawns;    // if `from` is despawned, `to` is despawned too
    bool to_despawns;      // if `to` is despawned, `from` is despawned too
    bool has_entities;     // a field, at any depth, is a handle
    weft_link_hook on_add; // each hook is NULL if the game has none
    weft_link_hook on_remove;
} weft_link_plan;

// Returns whether a table can have a row of a query, given its components.
typedef bool (*weft_matches)(const struct weft_table *table);

typedef struct weft_query_plan {
    uint16_t key; // a table component that all of its tables have; WEFT_NONE: there is none
    weft_matches matches;
} weft_query_plan;

// A filter of query/query.h that selects the rows of a table for an index.
typedef const uint64_t *(*weft_index_filter)(const struct weft_table *table, uint32_t first_word,
                                             uint32_t words, uint64_t *mask);

// An index, which finds rows of a query by values of a component; see index/index.h. Readers of
// indexes are numbered after those that saves and hashes include, so that saves and hashes ignore
// them. Such a reader watches the component first, then the components that decide whether a row is
// in the index.
typedef struct weft_index_plan {
    weft_index_kind kind;
    uint16_t component;
    uint16_t query; // the indexed rows
    uint16_t reader;
    uint16_t field_count;
    const uint16_t *fields;   // field numbers of the component
    uint32_t words;           // 64-bit words of a key; 0 for a grid
    double cell;              // grid: the side of a cell
    double per_cell;          // grid: 1 / cell
    bool wide;                // grid: coordinates are stored as f64, else as f32
    uint8_t id_bytes;         // grid: bytes of a stored entity index, 3 or 4
    weft_index_filter filter; // NULL: all rows of its tables
} weft_index_plan;

typedef struct weft_plan {
    const weft_schema *schema;
    weft_format format;
    uint32_t max_entities;
    uint32_t recycle_after;
    uint16_t component_count; // components of the schema, then hidden tags of relations, then those
                              // of links
    uint16_t set_words;       // words of a set of components, at least 1
    uint16_t column_count;
    uint16_t first_bitset;
    uint16_t sparse_count;
    uint16_t prefab_count;
    uint16_t query_count; // queries, then systems with columns, then passes of systems
    uint16_t recorder_count;
    uint32_t buffer_count; // one for each recorder, or one for each part of it, in order
    uint16_t segment_count;
    uint16_t system_count;
    uint16_t view_count; // the largest number of systems that list one query of changes
    const weft_column_plan *columns;
    const weft_component_plan *components;
    const uint16_t *sparse_components; // by store: the component id
    const weft_prefab_plan *prefabs;
    const weft_query_plan *queries; // by query
    const weft_recorder_plan *recorders;
    uint16_t parallel_count;
    const weft_parallel_plan *parallels; // by parallel system
    uint16_t depth_order_count;
    uint16_t dirty_count; // the first of them use changed_parent
    const weft_depth_order_plan *depth_orders;
    const weft_segment_plan *segments; // phase by phase
    const weft_system_plan *systems;
    uint16_t event_count;
    uint32_t stage_count;  // one, or one a part, for each system that emits an event with hearers
    uint32_t hearer_count; // one for each pair of event and hearer
    const weft_event_plan *events;
    const uint16_t *hearer_events;       // by hearer: its event
    const char *const *hearer_names;     // by hearer: the name of the system or listener
    const weft_relation_plan *relations; // by relation; NULL: links have no consequences
    weft_hook on_despawn;    // for every entity, with NULL as value; NULL: the game has none
    size_t world_bytes;      // of the generated struct, which begins with the weft_world
    size_t resources_offset; // start of the part that loads keep: pointers of the game, partial
                             // results of systems; 0: none
    uint32_t clocks_offset;  // offset of the clocks in the struct
    uint16_t clock_count;
    const uint16_t *clock_systems;  // by clock: the system
    uint32_t switches_offset;       // offset of the switches of systems in the struct: bools, true
                                    // means off
    uint16_t switch_count;          // number of switches that are saved; they come first
    uint16_t unsaved_switch_count;  // number of the others
    const uint16_t *switch_systems; // by switch: the system
    uint16_t change_set_count;
    uint16_t added_change_sets; // the first ones: incoming sets of table components
    uint16_t reader_count;
    uint16_t flag_count;                   // change sets of singletons, numbered after all others
    const uint16_t *change_set_components; // by change set; WEFT_NONE: rows that lost a component
    const uint16_t *singleton_changed; // by singleton: its incoming flag, or WEFT_NONE; NULL: no
                                       // flags
    const weft_reader_plan *readers;
    uint16_t removal_count;
    const weft_removal_plan *removals;         // grouped by component
    const weft_removal_set_plan *removal_sets; // grouped by component
    const char *const *reader_names; // by reader: the name of the system, query or listener
    uint16_t index_count;
    const weft_index_plan *indexes;
    const bool *indexes_only; // by change set: only indexes use it; NULL: there are no indexes
    uint16_t rng;             // 1 + number of the extern type of `rng` fields; 0: no field uses it
    uint16_t link_count;
    const weft_link_plan *links; // by kind of links
} weft_plan;

// Returns `value`, or the prefab's default values if it is NULL.
static inline const void *weft_prefab_given(const weft_prefab_plan *prefab, const void *value)
{
    return value ? value : prefab->defaults;
}

#endif
