// Weft: what a game sees of the runtime.
//
// A game includes its generated header (`colony.h`), which includes this one. The generated
// functions carry the world's name (`colony_spawn`); what does not depend on the schema is here and
// carries `weft_`.
//
// In short
//   weft_options options = {0};                  // zero is a good default for every option
//   colony_world *w = colony_open(&options);     // NULL: no memory
//   colony_entity e = colony_villager_spawn(w, NULL);
//   colony_tick(w, 1.0 / 60);                    // runs the systems, phase by phase
//   colony_save(w, "colony.save");               // the world as it is, and goes on after
//   colony_load(w, "colony.save");               // as it would have, also with a later schema
//   colony_close(w);
//
// What holds everywhere
//   - A handle that is dead or none is refused by every call, harmlessly: NULL, false or none.
//     Handles do not say which world they are of: that of another world is refused too, unless it
//     happens to be that of somebody who lives in this one.
//   - What the programmer got wrong (a structural call while a phase or a hook runs, an iterator
//     used after a structural change) asserts in debug builds and is refused in release builds.
//   - What the world does (no memory, no room) is a weft_status or a false, and leaves the world as
//     it was, but for tick, run_… and flush, which go on and say that something was lost.
//     `colony_error(w)` says the last such failure in words, also after calls that succeeded since.
//   - What systems emit (events) is heard by systems, each value once by each; what a turn hears is
//     good while it lasts.
//   - added(…) and changed(…) show a reader what happened since its last turn, exactly: a system,
//     or a query of the game, whose turn it is to be begun. A system does not see what it wrote
//     itself.
//   - Relations are trees: attaching moves no row. Whoever is despawned takes its children along,
//     or leaves them as roots, as the schema says of the relation.
//   - Pointers into the world and iterators are good until the next structural change: spawn,
//     despawn, adding or removing a component or a tag, attach, detach.
//
// What it does NOT do: component types made at run time, locking (one thread owns a world and calls
// its functions, and weft_options.workers help that one to run systems; but any thread may ask
// whether a handle is alive while no structural change happens), anything with the file system but
// saves.
#ifndef WEFT_H
#define WEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Generated code states the version it was made for; a mismatch does not compile.
#define WEFT_VERSION 1

#ifdef __cplusplus
#define WEFT_RESTRICT __restrict
#define WEFT_STATIC_ASSERT(condition, text) static_assert(condition, text)
#define WEFT_ALIGNOF(type) alignof(type)
#define WEFT_EXTERN_C_BEGIN extern "C" {
#define WEFT_EXTERN_C_END }
#else
#define WEFT_RESTRICT restrict
#define WEFT_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#define WEFT_ALIGNOF(type) _Alignof(type)
#define WEFT_EXTERN_C_BEGIN
#define WEFT_EXTERN_C_END
#endif

// Generated structs have the size that was planned for them. Not checked where 8-byte numbers are
// aligned to 4 inside structs (i386): there the tables, which use offsetof, are right all the same.
struct weft_align_probe {
    char c;
    double d;
};
#define WEFT_PLANNED(condition, text)                                                              \
    WEFT_STATIC_ASSERT((condition) || sizeof(struct weft_align_probe) != 16, text)
#define WEFT_PLANNED_SIZE(type, bytes)                                                             \
    WEFT_PLANNED(sizeof(type) == (bytes), #type " is not as long as the generator planned")

#if defined(__GNUC__)
#if defined(__OPTIMIZE__)
#define WEFT_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define WEFT_ALWAYS_INLINE static inline // a debugger can finish a call, or step over it
#endif
#define WEFT_APART __attribute__((noinline)) // what is rare, out of a function that is short
#if defined(__MINGW32__)
#define WEFT_PRINTS(text, first) __attribute__((format(gnu_printf, text, first)))
#else
#define WEFT_PRINTS(text, first) __attribute__((format(printf, text, first))) // which arguments
#endif
#define WEFT_NO_RETURN __attribute__((noreturn, cold))
#define WEFT_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WEFT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define WEFT_TAKEN(condition) ((condition) ? (void)0 : __builtin_unreachable()) // for granted
#else
#define WEFT_ALWAYS_INLINE static inline
#define WEFT_APART
#define WEFT_PRINTS(text, first)
#define WEFT_NO_RETURN
#define WEFT_LIKELY(condition) (condition)
#define WEFT_UNLIKELY(condition) (condition)
#define WEFT_TAKEN(condition) ((void)0)
#endif

// Stands on the prototypes of systems and carries over to the game's definitions: gcc 12 vectorises
// no loop at -O2 by itself whose number of turns it does not know; with the dynamic cost model it
// does. A short loop that begins at a cache line does not cross into a second one, a fifth slower.
// clang needs none.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define WEFT_HOT                                                                                   \
    __attribute__((optimize("tree-vectorize", "vect-cost-model=dynamic", "align-loops=64")))
#else
#define WEFT_HOT
#endif

WEFT_EXTERN_C_BEGIN

// ------------------------------------------------------------------------------------------------
// Statuses and options

typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_NO_MEMORY, // an allocation failed; nothing changed, but by tick, run_… and flush
    WEFT_FULL, // max_entities are alive, every index is in use or retired, or an event has its max
    WEFT_BUSY, // called while a phase or a hook runs
    WEFT_DEAD, // the handle is not alive
    WEFT_REFUSED, // the rules forbid it, a tree would become a circle, hooks recorded without end,
                  // a dt that is no time
    WEFT_NOT_FOUND, // reflection: no such name, or the entity has no such component
    WEFT_BAD_VALUE, // reflection: wrong type, or outside min and max
    WEFT_IO,        // a file cannot be read or written
    WEFT_BAD_FILE,  // it is no save, or damaged
    WEFT_MISMATCH,  // a save that the schema cannot take without guessing
} weft_status;

// A phrase for a status ("no memory"). Never NULL.
const char *weft_status_text(weft_status status);

// Where the runtime gets memory. All zero: malloc, free and mmap. `user` is passed to each. Sizes
// are bytes. `allocate` returns memory aligned to 64 bytes or NULL, contents undefined; `free_`
// gets the same size back. `reserve` sets address space aside (NULL: there is none, the runtime
// then grows by allocate and copy); `commit` makes a part of it, whole pages of 4096 bytes,
// zero-filled memory before its first use (false: no memory; it may be asked for that part again);
// `release` gives a whole reservation back. Set all five or none.
typedef struct weft_memory {
    void *(*allocate)(void *user, size_t bytes);
    void (*free_)(void *user, void *memory, size_t bytes);
    void *(*reserve)(void *user, size_t bytes);
    bool (*commit)(void *user, void *memory, size_t bytes);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} weft_memory;

// The game's own job system, if systems that run at the same time are to run in it. `user` is
// passed to both. `start` has `job(argument)` called `count` times, each call by any thread and at
// any time from now on, also several at once, and returns without waiting for them; it is called by
// the thread that runs the phase and by jobs. `wait` returns when all that was started has
// returned, whoever started it; meanwhile it may run them, or anything else of the game's that
// leaves the world alone. What was written before `start` must be seen by the job, and what a job
// wrote behind `wait`, as with any queue that has a lock. Jobs are few, a phase at most `workers`
// at once, last as long as there is something to do, and never wait. Set both or none.
typedef struct weft_executor {
    void (*start)(void *user, uint32_t count, void (*job)(void *argument), void *argument);
    void (*wait)(void *user);
    void *user;
} weft_executor;

// Zero-initialised: the defaults. Memory hooks or an executor of which only some are set assert;
// release builds tell the log hook and open no world.
typedef struct weft_options {
    weft_memory memory;
    // Told every refusal and failure as it happens; NULL: nobody.
    void (*log)(void *user, const char *line);
    void *user; // reaches systems as ctx->user, and the log hook
    // Threads that run systems, the caller's among them: 0 or 1 for that alone, at most 64. What
    // comes of a tick is the same to the bit whatever they are. The world has threads of its own,
    // which sleep when there is nothing to do; where the machine gives fewer it makes do with those
    // (weft_stats). With workers `ctx->user` is reached by several systems at the same time, and by
    // the parts of one, which is for the game to see to. Memory hooks and the log hook are called
    // by any of the threads, but never by two of them at once. Of failures at the same time
    // colony_error tells any.
    uint32_t workers;
    weft_executor executor; // runs what the workers would, instead of threads of the world
} weft_options;

// Counters of a world since it was opened, but for those marked now.
typedef struct weft_stats {
    uint64_t ticks;
    // Refused by the rules, the entity was dead by then, hooks without end, not yet applied at a
    // load.
    uint64_t commands_dropped;
    uint64_t commands_lost;   // no memory to record or to apply them
    uint64_t events_lost;     // no memory to keep them, or `max` of their kind were unread
    uint32_t entities;        // alive now
    uint32_t indices;         // handed out so far, free and retired ones included
    uint32_t indices_free;    // waiting for reuse now
    uint32_t indices_retired; // generations used up; colony_recycle brings them back
    uint32_t tables;          // now
    uint32_t workers;         // threads that run systems, the caller's among them
    size_t bytes_allocated;   // now; reserved address space is not counted until it is committed
} weft_stats;

// ------------------------------------------------------------------------------------------------
// Rows that pass a filter, for systems and queries with rows = "mask"

// Bit i of mask[i / 64] says that row i of the range passes. The bits past the range are 0. Columns
// of sparse components, a pointer a row, are filled in for the rows that pass and no others.
typedef struct weft_rows {
    const uint64_t *mask;
    uint64_t words; // the walk: bit w: word w of the mask is yet to be looked at, and is not 0
    uint64_t bits;  // the walk: what is left of the word at hand
    uint32_t word;  // the walk: which one that is
} weft_rows;

// Number of trailing zeros; bits is not 0.
static inline uint32_t weft_lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t n = 0;
    while (!(bits >> n & 1u)) n++;
    return n;
#endif
}

// Gives the next passing row of the range in *row; false at the end. Costs a few instructions a
// row, and nothing for 64 rows side by side that do not pass.
//     uint32_t i;
//     while (weft_next(&rows, &i)) position[i].x += 1;
static inline bool weft_next(weft_rows *rows, uint32_t *row)
{
    while (rows->bits == 0) {
        if (rows->words == 0) return false;
        rows->word = weft_lowest_bit(rows->words);
        rows->words &= rows->words - 1;
        rows->bits = rows->mask[rows->word];
    }
    *row = rows->word * 64 + weft_lowest_bit(rows->bits);
    rows->bits &= rows->bits - 1;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Reflection: what the schema says, as const tables. `<world>_schema()` returns the root.

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

// A number in the widest type of its kind: i64 for signed fields, u64 for unsigned ones, f64 for
// floats.
typedef union weft_number {
    int64_t i64;
    uint64_t u64;
    double f64;
} weft_number;

typedef struct weft_field {
    const char *name;
    const char *doc; // "" if the schema has none; so for unit and was
    const char *unit;
    const char *was; // the name before a rename
    weft_type type;  // of an element
    weft_shape shape;
    uint16_t of; // enum, struct or extern: its index in the schema's array of that kind
    bool save;
    bool has_min;
    bool has_max;
    uint32_t offset;       // bytes from the start of the struct it is a member of
    uint32_t size;         // bytes of the whole member
    uint32_t element_size; // bytes of one element
    uint32_t items_offset; // list: bytes from the start of the member to items[0]; else 0
    uint32_t count;        // elements it has room for; 1 for one
    weft_number min;
    weft_number max;
} weft_field;

typedef struct weft_enum_info {
    const char *name;
    const char *doc;
    weft_type type; // WEFT_TYPE_U8, _U16 or _U32
    uint32_t count;
    const char *const *values; // names; the value is the index
    const char *const *was; // their names before a rename, "" where there was none; NULL: none was
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

typedef struct weft_prefab_info {
    const char *name;
    const char *doc;
    uint32_t component_count;
    const uint16_t *components; // indices, in the order the schema gives them
} weft_prefab_info;

// What becomes of the children of an entity that is despawned.
typedef enum weft_on_parent_despawn { WEFT_DESPAWN, WEFT_DETACH } weft_on_parent_despawn;

typedef struct weft_relation_info {
    const char *name;
    const char *doc;
    const char *was;
    weft_on_parent_despawn on_parent_despawn;
} weft_relation_info;

typedef enum weft_access_kind {
    WEFT_ACCESS_READ, // columns of the rows at hand
    WEFT_ACCESS_WRITE,
    WEFT_ACCESS_OPTIONAL,    // read where present
    WEFT_ACCESS_LOOKUP_READ, // other entities, through handles
    WEFT_ACCESS_LOOKUP_WRITE,
    WEFT_ACCESS_SINGLETON_READ,
    WEFT_ACCESS_SINGLETON_WRITE,
    WEFT_ACCESS_QUERY, // a query it may iterate
    WEFT_ACCESS_EMITS, // events
    WEFT_ACCESS_HEARS,
    WEFT_ACCESS_REMOVED,         // a component: who lost it
    WEFT_ACCESS_ORDER,           // the relation that orders its rows, parents first
    WEFT_ACCESS_PARENT,          // a component of their parents
    WEFT_ACCESS_LOOKUP_RELATION, // a relation it may ask
} weft_access_kind;

typedef struct weft_access {
    weft_access_kind kind;
    uint16_t of; // index of the component, singleton, query, event or relation
} weft_access;

typedef struct weft_query_info {
    const char *name;
    const char *doc;
    const char *where; // as the schema writes it, "" if there is none
    uint32_t access_count;
    const weft_access *access;
} weft_query_info;

typedef struct weft_system_info {
    const char *name;
    const char *doc;
    const char *where;
    uint16_t phase; // index
    bool commands;
    double every_seconds; // 0: every time its phase runs
    uint32_t access_count;
    const weft_access *access;
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
} weft_schema;

WEFT_EXTERN_C_END

#endif
