// Reflection: the schema as const tables. `<world>_schema()` returns the root. weft.h includes
// this.
#ifndef WEFT_SCHEMA_H
#define WEFT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum weft_type {
    WEFT_TYPE_BOOL,
    WEFT_TYPE_U8,
    WEFT_TYPE_U16,
    WEFT_TYPE_U32,
    WEFT_TYPE_U64,
    WEFT_TYPE_I8,
    WEFT_TYPE_I16,
    WEFT_TYPE_I32,
    WEFT_TYPE_I64,
    WEFT_TYPE_F32,
    WEFT_TYPE_F64,
    WEFT_TYPE_ENTITY,
    WEFT_TYPE_CHAR,
    WEFT_TYPE_ENUM,
    WEFT_TYPE_STRUCT,
    WEFT_TYPE_EXTERN,
} weft_type;

typedef enum weft_shape {
    WEFT_SHAPE_ONE,    // T
    WEFT_SHAPE_ARRAY,  // T[count]
    WEFT_SHAPE_LIST,   // struct { uint32_t count; T items[count]; }
    WEFT_SHAPE_STRING, // char[count], the NUL counts
} weft_shape;

// A number in the widest type of its kind: signed, unsigned or float.
typedef union weft_number {
    int64_t i64;
    uint64_t u64;
    double f64;
} weft_number;

typedef struct weft_field {
    const char *name;
    const char *doc; // "" if the schema has none, as with unit and was
    const char *unit;
    const char *was; // the name before a rename
    weft_type type;  // of an element
    weft_shape shape;
    uint16_t of; // enum, struct or extern: its index in the schema's array of that kind
    uint16_t by; // array: 1 + the enum whose values number the elements, or 0
    bool save;
    bool has_min;
    bool has_max;
    bool outside_none; // handles become none in a copy if they point outside of the copied entities
    uint32_t offset;   // bytes from the start of the struct it is a member of
    uint32_t size;     // bytes of the whole member
    uint32_t element_size; // bytes of one element
    uint32_t items_offset; // list: bytes from the start of the member to items[0]; else 0
    uint32_t count;        // elements that it can hold; 1 for one
    weft_number min;
    weft_number max;
} weft_field;

typedef struct weft_enum_info {
    const char *name;
    const char *doc;
    weft_type type; // WEFT_TYPE_U8, _U16 or _U32
    uint32_t count;
    const char *const *values; // names; the value is the index
    const char *const *was;    // their names before a rename, "" without; NULL if none was renamed
    const char *const *docs;   // "" without; NULL if no value has one
} weft_enum_info;

// A [struct] or an [extern].
typedef struct weft_struct_info {
    const char *name;
    const char *doc;
    uint32_t size; // bytes
    uint32_t align;
    uint32_t field_count;
    const weft_field *fields;
    const void *defaults; // a value with the defaults of its fields
} weft_struct_info;

typedef enum weft_storage {
    WEFT_STORAGE_TABLE,
    WEFT_STORAGE_SPARSE,
    WEFT_STORAGE_TAG
} weft_storage;

typedef struct weft_component_info {
    const char *name;
    const char *doc;
    const char *was; // the name before a rename, "" if there was none
    uint32_t size;   // bytes of the plain struct; 0 for a tag
    uint32_t align;
    weft_storage storage;
    bool soa; // one array a field
    bool save;
    bool on_add; // the game has a hook
    bool on_replace;
    bool on_remove;
    uint32_t field_count;
    const weft_field *fields;
    const void *defaults; // the plain struct with its default values; NULL for a tag
} weft_component_info;

typedef struct weft_singleton_info {
    const char *name;
    const char *doc;
    const char *was; // the name before a rename, "" if there was none
    uint32_t size;
    uint32_t offset; // bytes from the start of the world's struct
    bool save;
    // Whether it is a state. Its fields are then `now`, `next`, with `again` whether the value
    // begins again, and whether the turns of systems that run once are due.
    bool state;
    bool again; // it is a state, and a request of the current value ends it and begins it again
    uint32_t field_count;
    const weft_field *fields;
    const void *defaults;
} weft_singleton_info;

typedef struct weft_event_info {
    const char *name;
    const char *doc;
    const char *was;
    uint32_t size; // bytes
    uint32_t align;
    uint32_t max; // unread at once
    uint32_t field_count;
    const weft_field *fields;
    const void *defaults;
} weft_event_info;

// A part of a prefab: one entity, or several, which are spawned with it.
typedef struct weft_part_info {
    const char *name;
    const char *doc;
    uint16_t prefab;   // index of the prefab that spawns it, and whose parts are parts of the part
    uint16_t relation; // index of the relation that attaches it
    uint16_t count;    // entities
    uint32_t offset;   // bytes from the start of the prefab's plain struct to that of the first
} weft_part_info;

typedef struct weft_prefab_info {
    const char *name;
    const char *doc;
    uint32_t component_count;
    const uint16_t *components; // indices, in the order the schema gives them
    uint32_t part_count;
    const weft_part_info *parts; // those of the prefab in `is` too, but not the parts of parts
} weft_prefab_info;

// The fate of the children of an entity that is despawned.
typedef enum weft_on_parent_despawn { WEFT_DESPAWN, WEFT_DETACH } weft_on_parent_despawn;

typedef struct weft_relation_info {
    const char *name;
    const char *doc;
    const char *was;
    weft_on_parent_despawn on_parent_despawn;
} weft_relation_info;

// A kind of links, each from one entity to another.
typedef struct weft_link_info {
    const char *name;
    const char *doc;
    const char *was; // the name before a rename, "" if there was none
    uint32_t size;   // bytes of the plain struct; 0 for a bare link
    uint32_t align;
    bool symmetric; // one link serves both directions
    bool save;      // saves contain it
    bool on_add;    // the game has a hook
    bool on_remove;
    bool from_despawns; // if `from` is despawned, `to` is despawned too
    bool to_despawns;   // if `to` is despawned, `from` is despawned too
    uint32_t field_count;
    const weft_field *fields;
    const void *defaults; // NULL for a bare link
} weft_link_info;

typedef enum weft_access_kind {
    WEFT_ACCESS_READ, // columns of its rows
    WEFT_ACCESS_WRITE,
    WEFT_ACCESS_OPTIONAL,    // read if present
    WEFT_ACCESS_LOOKUP_READ, // other entities, through handles
    WEFT_ACCESS_LOOKUP_WRITE,
    WEFT_ACCESS_SINGLETON_READ,
    WEFT_ACCESS_SINGLETON_WRITE,
    WEFT_ACCESS_QUERY, // a query it may iterate
    WEFT_ACCESS_EMITS, // events
    WEFT_ACCESS_HEARS,
    WEFT_ACCESS_REMOVED,          // a component: the entities that lost it
    WEFT_ACCESS_ORDER,            // the relation that orders its rows, parents first
    WEFT_ACCESS_PARENT,           // a component of their parents
    WEFT_ACCESS_LOOKUP_RELATION,  // a relation it may ask
    WEFT_ACCESS_REMOVED_RELATION, // a relation: the entities that lost their parent
    WEFT_ACCESS_LINK_READ,        // links it may ask
    WEFT_ACCESS_LINK_WRITE,       // links whose values it may also write
} weft_access_kind;

typedef struct weft_access {
    weft_access_kind kind;
    uint16_t of; // index of the component, singleton, query, event, relation or link
} weft_access;

typedef struct weft_query_info {
    const char *name;
    const char *doc;
    const char *where; // as in the schema, "" if there is none
    uint32_t access_count;
    const weft_access *access;
} weft_query_info;

// A reader of events, removals and rows outside of systems.
typedef struct weft_listener_info {
    const char *name;
    const char *doc;
    const char *was;
    const char *where;
    uint32_t access_count;
    const weft_access *access;
} weft_listener_info;

typedef enum weft_index_kind {
    WEFT_INDEX_GRID,
    WEFT_INDEX_HASH,
    WEFT_INDEX_ORDERED
} weft_index_kind;

// An index finds the rows of a component by the values of some fields.
typedef struct weft_index_info {
    const char *name;
    const char *doc;
    const char *where; // which rows; "" if all with the component
    weft_index_kind kind;
    uint16_t component;
    uint16_t field_count;
    const uint16_t *fields; // of the component, by number
    double cell;            // of a grid: the side of a cell; otherwise 0
} weft_index_info;

typedef struct weft_system_info {
    const char *name;
    const char *doc;
    const char *where;
    uint16_t phase; // index
    bool commands;
    double every_seconds; // 0: every time its phase runs
    uint32_t access_count;
    const weft_access *access;
    bool turn;             // the game has functions that begin and end its turns
    uint32_t partial_size; // bytes of its partial result, or 0
    uint32_t partial_field_count;
    const weft_field *partial_fields;
} weft_system_info;

typedef struct weft_schema {
    const char *name; // of the world
    uint8_t index_bits;
    uint8_t generation_bits;
    uint8_t handle_bytes;
    uint32_t max_entities;
    uint32_t recycle_after;
    uint32_t phase_count;
    uint32_t enum_count;
    uint32_t struct_count;
    uint32_t extern_count;
    uint32_t component_count;
    uint32_t singleton_count;
    uint32_t event_count;
    uint32_t prefab_count;
    uint32_t query_count;
    uint32_t system_count;
    uint32_t relation_count;
    uint32_t listener_count;
    uint32_t index_count;
    const char *const *phases;
    const weft_enum_info *enums;
    const weft_struct_info *structs;
    const weft_struct_info *externs;
    const weft_component_info *components; // schema order
    const weft_singleton_info *singletons;
    const weft_event_info *events;
    const weft_prefab_info *prefabs;
    const weft_query_info *queries;
    const weft_system_info *systems; // in the order they run
    const weft_relation_info *relations;
    const weft_listener_info *listeners;
    const weft_index_info *indexes; // in the order of the numbers of headers
    uint32_t link_count;
    const weft_link_info *links;
} weft_schema;

#endif
