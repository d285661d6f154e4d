// Weft: the public part of the runtime, and its manual.
//
// A game includes its generated header (`burrow.h`), which includes this one. Generated functions
// begin with the world's name (`burrow_spawn`). Everything that does not depend on the schema is
// declared here and begins with `weft_`.
//
// In short
//   weft_options options = {0};                  // zero is a good default for every option
//   burrow_world *w = burrow_open(&options);     // NULL if there is no memory
//   burrow_entity e = burrow_rabbit_spawn(w, NULL);
//   burrow_tick(w, 1.0 / 60);                    // runs the systems, phase by phase
//   burrow_save(w, "burrow.save");               // writes the current state of the world
//   burrow_load(w, "burrow.save");               // continues from there, also with a later schema
//   burrow_close(w);
//
// Units
//   - Time is in seconds: the dt of a tick, and `every` in the schema. Sizes and offsets are in
//     bytes, in options and in the reflection tables. Rows and indices start at 0.
//
// Errors
//   - Every call refuses a handle that is dead or none (0) without harm: it returns NULL, false or
//     none. A handle does not record its world. A handle of another world is refused too, unless it
//     happens to equal the handle of a living entity in this world.
//   - A mistake of the programmer asserts in debug builds. Release builds refuse the call and name
//     the phase and the system. Examples are a structural call, an `_edit` or a writing query while
//     a phase or a hook runs, and an iterator used after a structural change. A system must use its
//     grants (`ctx->stock`) with the calls that end in `_in`.
//   - If the world runs out of memory or of free indices, a call returns a weft_status or false and
//     leaves the world as it was. Only tick, run_… and flush continue, and report that something
//     was lost.
//   - `burrow_error(w)` returns the text of the last failure, even if later calls succeeded.
//
// When pointers become invalid
//   - Pointers into the world and iterators are valid until the next structural change. Structural
//     changes are: spawn, despawn, adding or removing a component or a tag, attach, detach, and
//     calls that do many of these or move rows: clear, strip, sort, flush, a phase, load, merge,
//     reset. reserve and trim only take or return memory, but invalidate pointers too. Overwriting
//     a value, `_edit`, reading and recording commands are not structural changes.
//   - A pointer to a singleton is valid until the world is closed, also after a load.
//   - An iterator can only be used where it began: in the same turn of a system, or by the game
//     while no phase and no hook runs. Debug builds assert; release builds end the iteration.
//   - The game may write through the pointer of `_edit`, to the current rows of a writing iterator,
//     and to the columns of `_spawn_rows`, until the next structural change or phase. After a
//     phase, get a new pointer before you write, even to a singleton.
//   - Handles are valid until their entity is despawned. After that they are refused, until
//     burrow_recycle. The handle of a spawn command is refused until the command is applied.
//   - Columns and values that a system receives are valid until its turn ends. Values that a
//     listener receives are valid until the next structural change or phase.
//
// Semantics
//   - Every system and every listener of the game that hears an event receives each emitted value
//     once.
//   - added(…) and changed(…) show a reader exactly the changes since its last turn. A reader is
//     either a system, which does not see its own writes, or a query whose turn the game begins.
//   - A lent value counts as changed as long as it is lent, because the world cannot see when the
//     game writes it. Therefore an index finds the current value even if it is queried in the
//     meantime, and a reader may see the row in several turns. `_set` and `_replace` do not lend,
//     so readers see their change once.
//   - Saves, hashes and JSON show the world as it is. A save first applies the recorded commands.
//     It is refused (WEFT_REFUSED) if hooks keep recording and commands are still waiting after the
//     flush. Hashes and JSON ignore commands that are not applied yet.
//   - Relations are trees, and attaching moves no row. The schema decides for each relation whether
//     despawning a parent also despawns its children or turns them into roots.
//
// What it does NOT do
//   - It does not create component types at run time.
//   - It does not lock. One thread owns a world and calls its functions, and weft_options.workers
//     help it to run systems. <world>_take_over hands the world to another thread. Any thread may
//     ask whether a handle is alive, also while the world's own thread spawns, despawns, trims and
//     runs ticks, but not while it loads, recycles or closes. On machines that cannot reserve
//     address space (weft_stats.records_stay is false), spawning, recording a spawn, merging,
//     reserving and trimming are not allowed at the same time either.
//   - It does not touch the file system except for saves.
#ifndef WEFT_H
#define WEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "weft_schema.h"

// The version of Weft. The generator, packages and builds read these three numbers. Generated code
// states the version it was made for, and a mismatch does not compile.
#define WEFT_VERSION_MAJOR 1
#define WEFT_VERSION_MINOR 0
#define WEFT_VERSION_PATCH 0
#define WEFT_VERSION (WEFT_VERSION_MAJOR * 10000 + WEFT_VERSION_MINOR * 100 + WEFT_VERSION_PATCH)

#ifdef __cplusplus
// Code in C uses casts and null pointers that C++ compilers warn about. Compilers other than clang
// and gcc get no pragma, because they would warn about an unknown one.
#ifdef __clang__
#define WEFT_QUIET_BEGIN                                                                           \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Weverything\"")
#define WEFT_QUIET_END _Pragma("clang diagnostic pop")
#elif defined(__GNUC__)
#define WEFT_QUIET_BEGIN                                                                           \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"")          \
        _Pragma("GCC diagnostic ignored \"-Wuseless-cast\"")                                       \
            _Pragma("GCC diagnostic ignored \"-Wzero-as-null-pointer-constant\"")
#define WEFT_QUIET_END _Pragma("GCC diagnostic pop")
#else
#define WEFT_QUIET_BEGIN
#define WEFT_QUIET_END
#endif
#define WEFT_RESTRICT __restrict
#define WEFT_STATIC_ASSERT(condition, text) static_assert(condition, text)
#define WEFT_ALIGNOF(type) alignof(type)
#define WEFT_CPP(...) __VA_ARGS__ // code for C++ only
// Declares the default constructor private, so that C++ can copy a grant but cannot create one, for
// example a grant to write from a grant to read. In C, debug builds assert when an invalid grant is
// used.
#define WEFT_ONLY_GIVEN(type)                                                                      \
  private:                                                                                         \
    type();
#define WEFT_EXTERN_C_BEGIN                                                                        \
    WEFT_QUIET_BEGIN extern "C"                                                                    \
    {
#define WEFT_EXTERN_C_END                                                                          \
    }                                                                                              \
    WEFT_QUIET_END
#else
#define WEFT_RESTRICT restrict
#define WEFT_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#define WEFT_ALIGNOF(type) _Alignof(type)
#define WEFT_CPP(...)
#define WEFT_ONLY_GIVEN(type)
#define WEFT_EXTERN_C_BEGIN
#define WEFT_EXTERN_C_END
#endif

// The initial value of a member of a generated struct, for C++20 and later. `{}` then contains the
// defaults of the schema, and designated initialisers use the defaults for all other members.
#if defined(__cplusplus) && __cplusplus >= 202002L
#define WEFT_HAS_DEFAULTS
#elif defined(_MSVC_LANG) && _MSVC_LANG >= 202002L
#define WEFT_HAS_DEFAULTS
#endif
#ifdef WEFT_HAS_DEFAULTS
#define WEFT_DEFAULT(...) = __VA_ARGS__
#else
#define WEFT_DEFAULT(...)
#endif

// Asserts that a generated struct has its planned size. Machines that align 8-byte numbers to 4
// bytes inside structs (i386) are exempt. They work too, because the tables use offsetof.
struct weft_align_probe {
    char c;
    double d;
};
#define WEFT_PLANNED(condition, text)                                                              \
    WEFT_STATIC_ASSERT((condition) || sizeof(struct weft_align_probe) != 16, text)
#define WEFT_PLANNED_SIZE(type, bytes)                                                             \
    WEFT_PLANNED(sizeof(type) == (bytes), #type " is not as long as the generator planned")

// Begins an enum of the schema. In C++ and C23 the enum is a distinct type of the width in the
// schema, so compilers warn about a switch that misses a value. Older C has no such enums: there
// the type is an integer, and the values are constants.
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define WEFT_ENUM(name, type)                                                                      \
    enum name : type;                                                                              \
    typedef enum name name;                                                                        \
    enum name : type
#else
#define WEFT_ENUM(name, type)                                                                      \
    typedef type name;                                                                             \
    enum
#endif

// Declares the number of values of an enum. It is not a value of the enum and not of an enum type,
// because gcc warns about comparing values of two enum types. clang does not warn, and may accept
// C23 without constexpr.
#if defined(__cplusplus) ||                                                                        \
    (!defined(__clang__) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define WEFT_ENUM_COUNT(name, count) constexpr int name = count
#else
#define WEFT_ENUM_COUNT(name, count) enum { name = count }
#endif

#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define WEFT_ALWAYS_INLINE static inline __attribute__((__always_inline__))
#else
#define WEFT_ALWAYS_INLINE static inline // a debugger can finish a call or step over it
#endif

// Marks the prototypes of systems, and through them the definitions in the game. A game may also
// mark its own functions whose loops matter for speed. At -O2, gcc 12 vectorises a loop of unknown
// length only with the dynamic cost model, and does not unroll a loop over twelve elements. Short
// loops are aligned to cache lines because they are slower if they cross one, and unrolled because
// that is faster while the columns are in the first-level cache. clang does not need these options.
//
// WEFT_HOT_EXACT marks loops that exist in several forms. A world runs the fastest one
// (run/trial.h). Their results must be equal to the bit. Therefore the compiler must not fuse a
// multiplication with an addition, because in another form these may be in different loops.
//
// WEFT_HOT_CALLS marks a function that calls a function argument in a loop. gcc makes a copy of it
// for each argument and inlines that function; clang inlines both.
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define WEFT_HOT                                                                                   \
    __attribute__((__optimize__("tree-vectorize", "vect-cost-model=dynamic", "peel-loops",         \
                                "align-loops=64", "unroll-loops")))
#define WEFT_HOT_EXACT                                                                             \
    __attribute__((__optimize__("tree-vectorize", "vect-cost-model=dynamic", "peel-loops",         \
                                "align-loops=64", "unroll-loops", "fp-contract=off")))
#define WEFT_HOT_CALLS                                                                             \
    static inline                                                                                  \
        __attribute__((__optimize__("tree-vectorize", "vect-cost-model=dynamic", "peel-loops",     \
                                    "align-loops=64", "unroll-loops", "ipa-cp-clone")))
#else
#define WEFT_HOT
#define WEFT_HOT_EXACT
#define WEFT_HOT_CALLS WEFT_ALWAYS_INLINE
#endif

// Lets an object link only if `name` is defined. A generated header refers to a name that is
// derived from its declarations, and the C files of the same generator run define that name. The
// pointer is never read, so each linker needs its own attribute to keep it.
#define WEFT_LINKS_WITH(name)                                                                      \
    extern const char name;                                                                        \
    WEFT_KEPT name##_kept = &name
#if defined(__linux__) && (__GNUC__ >= 11 || __clang_major__ >= 13)
#define WEFT_KEPT static __attribute__((__used__, __retain__)) const char *const
#elif defined(__MINGW32__) && defined(_WIN64) // a section of unwind data, which the linker keeps
#define WEFT_KEPT static __attribute__((__used__, __section__(".xdata$weft"))) const char *const
#elif defined(__wasm__) // a visible symbol; it cannot be const in C++
#define WEFT_KEPT __attribute__((__used__, __weak__)) const char *
#elif defined(__GNUC__)
#define WEFT_KEPT static __attribute__((__used__)) const char *const
#else
#define WEFT_KEPT static const char *const
#endif

WEFT_EXTERN_C_BEGIN

// ------------------------------------------------------------------------------------------------
// Statuses and options

typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_NO_MEMORY, // an allocation failed; nothing changed, except in tick, run_… and flush
    WEFT_FULL, // max_entities are alive, all indices are in use or retired, or an event has `max`
               // values
    WEFT_BUSY, // called while a phase or a hook runs, or a save is being written
    WEFT_DEAD, // the handle is dead, or can no longer be used to spawn
    // The rules forbid it; a relation would get a circle; hooks record without end, or their
    // commands wait while the world is saved; a dt is negative, infinite or NaN; or the index of a
    // handle to spawn with is in use.
    WEFT_REFUSED,
    WEFT_NOT_FOUND, // Reflection: unknown name, or the entity lacks the component. Saving: no save
                    // was started whose result is still to be reported.
    WEFT_BAD_VALUE, // Reflection: wrong type, or outside min and max. Spawning: no entity can have
                    // this handle. Saving: a bool, enum, list or string that no load would accept.
    WEFT_IO,        // a file cannot be read or written
    WEFT_BAD_FILE,  // the file is not a save, or is damaged
    WEFT_MISMATCH,  // this save cannot be converted to the schema without guessing
} weft_status;

// Why a hook runs, in `ctx->reason`. WEFT_BY_BACK is reserved for a future call.
typedef enum weft_reason {
    WEFT_BY_CALL = 0, // a call of the game, a tag write of a system, or a change of state
    WEFT_BY_COMMAND,  // a command is applied
    WEFT_BY_LOAD,     // a load of a save or of a world's JSON
    WEFT_BY_CLOSE,
    WEFT_BY_RESET,
    WEFT_BY_MERGE, // of a fragment
    WEFT_BY_BACK,
    WEFT_BY_CLONE, // copies of a clone, also if a command made it
    WEFT_BY_PART,  // entities leave with a part file, return, or are copied from one
} weft_reason;

// Returns a short phrase for a status ("no memory"). Never returns NULL.
const char *weft_status_text(weft_status status);

// The memory hooks of a world. If all are zero, the world uses malloc, free and mmap. Set all five
// functions or none; each is called with `user`. Any thread that runs systems may call them, but
// never two threads at once.
//   allocate  returns memory aligned to 64 bytes with undefined contents, or NULL
//   free_     takes memory back from allocate, with its size
//   reserve   reserves address space; if it returns NULL, arrays grow by allocate and copy
//   commit    makes whole pages of 4096 bytes of a reservation usable and zeroed; returns false if
//             there is no memory, and may be called again for the same pages
//   release   returns a whole reservation
typedef struct weft_memory {
    void *(*allocate)(void *user, size_t bytes);
    void (*free_)(void *user, void *memory, size_t bytes);
    void *(*reserve)(void *user, size_t bytes);
    bool (*commit)(void *user, void *memory, size_t bytes);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} weft_memory;

// The game's own job system, for systems that run in parallel. Set both functions or none; each is
// called with `user`.
//   start  schedules `count` calls of `job(argument)` on any threads, possibly several at once, and
//          returns without waiting. The thread that runs the phase calls it, and so do jobs.
//   wait   returns when every started job has returned, including those that jobs started. It may
//          run jobs meanwhile, or other work of the game that does not touch the world.
//
// A job must see everything written before `start`, and the caller of `wait` must see everything
// that jobs wrote, as with any queue that has a lock. A phase runs about `workers` jobs at once
// (one may begin while another is about to return). Jobs never wait for each other.
typedef struct weft_executor {
    void (*start)(void *user, uint32_t count, void (*job)(void *argument), void *argument);
    void (*wait)(void *user);
    void *user;
} weft_executor;

// ------------------------------------------------------------------------------------------------
// Profiling: a world notifies its game when an activity begins and ends, and counts what its
// systems do. runtime/trace writes this to a file for Perfetto, and shows how to feed Tracy.

// Counts of a system, of one turn or since the world was opened. All counts except ns are
// independent of the number of workers.
typedef struct weft_system_stats {
    uint64_t turns;    // turns that were due, with or without rows
    uint64_t rows;     // rows that it was called with
    uint64_t ns;       // thread time spent in it, summed over the threads of its parts
    uint64_t commands; // recorded
    uint64_t events;   // emitted events that have hearers
} weft_system_stats;

typedef enum weft_zone_kind {
    WEFT_ZONE_PHASE,  // encloses all zones that belong to the phase
    WEFT_ZONE_SYSTEM, // one turn; a system whose turn is not due has no zone
    WEFT_ZONE_PART,   // some rows of a parallel system, or of a pass that begins with it
    WEFT_ZONE_APPLY,  // commands are applied
    WEFT_ZONE_SAVE,   // for a save in the background: only the copy
    WEFT_ZONE_LOAD,
    WEFT_ZONE_MERGE, // merge of a fragment
} weft_zone_kind;

typedef struct weft_zone {
    weft_zone_kind kind;
    uint32_t number;  // of the phase or system in the reflection tables; else 0
    uint32_t part;    // the number of the part, for WEFT_ZONE_PART
    uint32_t thread;  // permanent number of the thread, from 0
    const char *name; // of the phase or system; else "apply", "save", "load" or "merge"
    uint64_t tick;    // completed ticks
    uint64_t ns;      // when it begins or ends, by a monotonic clock
    // The turn is shared by threads, or its system runs in a pass. It may end on another thread
    // than it began on, and other zones may begin and end in between. All other zones of a thread
    // are properly nested.
    bool shared;
    weft_system_stats turn; // at the end of a turn: the counts of that turn
} weft_zone;

// Callbacks of the profiler. Any thread that runs systems calls them, possibly several at once,
// each with `user`. Set both functions or none; set only `count` to count without callbacks. They
// must not call the world.
typedef struct weft_profile {
    void (*begin)(void *user, const weft_zone *zone);
    void (*end)(void *user, const weft_zone *zone);
    void *user;
    bool count;
} weft_profile;

// ------------------------------------------------------------------------------------------------
// Random numbers: the field type `rng` of a schema, and the game's own generators by weft_rng_of. A
// sequence depends only on its state, so it is the same on every machine and for any number of
// workers. The generator is sfc32 (C. Doty-Humphrey). It is fast but not cryptographic: the
// sequence can be predicted from a few of its numbers.

// All zero means not seeded yet. A component is seeded when it is added to an entity.
typedef struct weft_rng {
    uint32_t state[4];
} weft_rng;

// Returns a generator whose sequence is independent of those of other seeds and streams.
weft_rng weft_rng_of(uint64_t seed, uint64_t stream);

// Returns 32 random bits. Costs a few instructions, like the functions below.
static inline uint32_t weft_rng_u32(weft_rng *rng)
{
    uint32_t *s = rng->state;
    uint32_t sum = s[0] + s[1] + s[3]++;
    s[0] = s[1] ^ s[1] >> 9;
    s[1] = s[2] + (s[2] << 3);
    s[2] = (s[2] << 21 | s[2] >> 11) + sum;
    return sum;
}

// Returns a number in [0, bound), each equally likely; returns 0 if bound is 0.
static inline uint32_t weft_rng_below(weft_rng *rng, uint32_t bound)
{
    uint64_t scaled = (uint64_t)weft_rng_u32(rng) * bound;
    if ((uint32_t)scaled < bound) { // some results may occur once more often than others
        uint32_t uneven = (0u - bound) % bound;
        while ((uint32_t)scaled < uneven) scaled = (uint64_t)weft_rng_u32(rng) * bound;
    }
    return (uint32_t)(scaled >> 32);
}

// Returns a number in [least, most], both included. `least` must not exceed `most`.
static inline int32_t weft_rng_range(weft_rng *rng, int32_t least, int32_t most)
{
    uint32_t span = (uint32_t)most - (uint32_t)least + 1; // 0: all 2^32 numbers
    uint32_t above = span == 0 ? weft_rng_u32(rng) : weft_rng_below(rng, span);
    return (int32_t)((int64_t)least + (int64_t)above);
}

// Returns a number in [0, 1), a multiple of 2^-24.
static inline float weft_rng_f32(weft_rng *rng)
{
    return (float)(weft_rng_u32(rng) >> 8) * (1.0f / 16777216.0f);
}

// Returns true with probability p: never for p <= 0, always for p >= 1.
static inline bool weft_rng_chance(weft_rng *rng, float p)
{
    const uint32_t drawn = weft_rng_u32(rng);
    return (double)drawn < (double)p * 4294967296.0;
}

// Shuffles `count` items of `item_bytes` bytes each. Each order is equally likely.
void weft_rng_shuffle(weft_rng *rng, void *items, uint32_t count, size_t item_bytes);

// ------------------------------------------------------------------------------------------------
// Worlds

// The options of a world; all zero are the defaults. If only some functions of the memory hooks,
// executor or profile are set, debug builds assert; release builds report it to the log hook and do
// not open the world. A build with -DWEFT_UNOBSERVED does not open a world that asks for profile,
// checks or watch. In C++20, members that an initialiser omits are zero and cause no warning.
typedef struct weft_options {
    weft_memory memory WEFT_DEFAULT({});
    // Receives refusals and failures as they happen. If the same message repeats (numbers aside),
    // only the first, second, fourth, eighth … are logged, with their count. Calls that only read,
    // such as getters or `_edit` with a dead handle or a missing component, do not log. Without a
    // hook, debug builds write these lines to stderr after the name of the world, and release
    // builds write nothing. A hook that does nothing silences a debug build.
    void (*log)(void *user, const char *line) WEFT_DEFAULT(nullptr);
    void *user WEFT_DEFAULT(nullptr); // available to systems as ctx->user, and to the log hook
    // The number of threads that run systems, including the caller's, at most 64; 0 or 1 for the
    // caller's alone. The result of a tick does not depend on it, to the bit. If the machine
    // provides fewer threads, the world uses those (weft_stats). With workers, systems and the
    // parts of a system use `ctx->user` in parallel, so the game must synchronise them. The log
    // hook is called under the same conditions as the memory hooks. If several failures happen at
    // once, burrow_error returns any of them.
    uint32_t workers WEFT_DEFAULT(0);
    // Runs the jobs of workers instead of threads of the world.
    weft_executor executor WEFT_DEFAULT({});
    // For games with memory hooks: takes back committed pages of a reservation. The world does not
    // touch these pages until it commits them again. `user` is that of the memory hooks. If it is
    // NULL, a trim keeps such pages.
    void (*decommit)(void *user, void *memory, size_t bytes) WEFT_DEFAULT(nullptr);
    uint64_t seed WEFT_DEFAULT(0); // seeds the rng of components and singletons; stored in saves
    weft_profile profile WEFT_DEFAULT({}); // all zero: no callbacks, no counts, no measurement
    // Support for inspection: the result of <world>_insight() from <world>_insight.h. If it is
    // NULL, the world opens only if the options below are zero. See weft_insight.h.
    const struct weft_insight *insight WEFT_DEFAULT(nullptr);
    // Checks the rules of values after each system, load and command.
    bool checks WEFT_DEFAULT(false);
    bool checks_stop WEFT_DEFAULT(false); // ends the program at the first value that breaks a rule
    // The number of last writes to keep for <world>_trace, about 105 to 177 bytes each; 0: none.
    uint32_t watch WEFT_DEFAULT(0);
} weft_options;

// Totals since the world was opened, except those marked *now*. A load sets `ticks` to the ticks of
// the save, so a game that records its inputs by tick must then discard those of later ticks.
typedef struct weft_stats {
    uint64_t ticks;
    uint64_t ticks_dropped;    // were due in an advance, but exceeded max_steps
    uint64_t commands_dropped; // refused by the rules, on an entity that had died, or not yet
                               // applied at a load
    uint64_t commands_lost;    // no memory to record or apply them
    uint64_t events_lost;      // no memory to keep them, or `max` of their kind were unread
    uint64_t broken;           // broken rules found, with weft_options.checks
    uint32_t entities;         // *now*: alive
    uint32_t indices;          // ever used: alive, free and retired
    uint32_t indices_free;     // *now*: waiting for reuse
    uint32_t indices_retired;  // *now*: generations used up; burrow_recycle frees them
    uint32_t tables;           // *now*
    uint32_t workers;          // threads that run systems, including the caller's
    size_t bytes_allocated;    // *now*; reserved address space counts once it is committed
    bool records_stay;         // other threads may ask who is alive while this one spawns
} weft_stats;

// ------------------------------------------------------------------------------------------------
// Rows that pass a filter, for systems and queries with rows = "mask"

// Bit i % 64 of mask[i / 64] is set if row i of the range passes. Bits past the range are 0. The
// columns of sparse components contain one pointer a row, which is valid only for rows that pass.
typedef struct weft_rows {
    const uint64_t *mask;
    uint64_t words; // walk: bit w is set while word w is not 0 and not yet visited
    uint64_t bits;  // walk: the remaining bits of the current word
    uint32_t word;  // walk: the number of the current word
} weft_rows;

// Returns the number of trailing zeros of `bits`, which must not be 0.
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

// Stores the next passing row of the range in *row. Returns false at the end. A row costs a few
// instructions, and 64 adjacent rows that do not pass cost nothing.
//     uint32_t i;
//     while (weft_next(&rows, &i)) position[i].x += 1;
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

WEFT_EXTERN_C_END

#endif
