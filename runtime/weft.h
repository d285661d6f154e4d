// Weft: the part of the runtime that a game sees, and the manual of it.
//
// A game includes its generated header (`colony.h`), which includes this one. Generated functions
// carry the world's name (`colony_spawn`). Everything that does not depend on the schema is here
// and carries `weft_`.
//
// In short
//   weft_options options = {0};                  // zero is a good default for every option
//   colony_world *w = colony_open(&options);     // NULL: no memory
//   colony_entity e = colony_villager_spawn(w, NULL);
//   colony_tick(w, 1.0 / 60);                    // runs the systems, phase by phase
//   colony_save(w, "colony.save");               // writes the world as it is
//   colony_load(w, "colony.save");               // goes on from there, also with a later schema
//   colony_close(w);
//
// Units
//   - Time is in seconds: the dt of a tick, and `every` in the schema. Sizes and offsets are bytes,
//     in options and in the reflection tables. Rows and indices start at 0.
//
// Errors
//   - A handle that is dead or none is refused by every call, harmlessly: with NULL, false or none.
//     A handle does not tell its world: one of another world is refused too, unless it happens to
//     equal that of a living entity here.
//   - A mistake of the programmer (a structural call, an `_edit` or a query that writes while a
//     phase or a hook runs, an iterator used after a structural change) asserts in debug builds and
//     is refused in release builds, with the names of the phase and of the system. A system uses
//     its grants (`ctx->stock`) instead, with the calls that end in `_in`.
//   - A failure of the world (no memory, no free index) is a weft_status or a false, and leaves the
//     world as it was. Only tick, run_… and flush go on, and report that something was lost.
//   - `colony_error(w)` tells the last failure in words, also after calls that succeeded since.
//
// When pointers become invalid
//   - Pointers into the world and iterators are valid until the next structural change: spawn,
//     despawn, adding or removing a component or a tag, attach, detach, and calls that do many of
//     these or move rows: clear, strip, sort, flush, a phase, load, merge, reset. Calls that only
//     take or give back memory, reserve and trim, invalidate them too. To overwrite a value, to
//     edit, to ask and to record commands is no structural change.
//   - A pointer to a singleton is valid until the world is closed, also after a load.
//   - An iterator may be used only where it began: in the same turn of a system, or by the game
//     while no phase and no hook runs. Debug builds assert, release builds end the iteration.
//   - The game may write through the pointer of `_edit`, the current rows of an iterator that
//     writes, and the columns of `_spawn_rows`, until the next structural change or phase. After
//     a phase, get a new pointer to write through, also to a singleton.
//   - Handles are valid until their entity is despawned, and refused then, until colony_recycle.
//     The handle of a spawn command is refused until the command is applied.
//   - Columns of a system, and values that it hears or is shown, are valid until its turn ends,
//     values of a listener until the next structural change or phase.
//
// Semantics
//   - Events that systems emit are heard by systems, each value once by each of them, and by
//     listeners of the game.
//   - added(…) and changed(…) show a reader exactly what happened since its last turn. A reader is
//     a system, which does not see its own writes, or a query whose turn the game begins.
//   - A value that is lent counts as changed for as long as it is: nothing tells when the game
//     writes it. So an index that is asked meanwhile finds each value that is there, and a reader
//     may be shown the row in several turns. `_set` and `_replace` lend nothing, and are shown
//     once.
//   - Saves, hashes and JSON have the world as it is. A save applies what was recorded before, and
//     is refused (WEFT_REFUSED) where hooks go on recording so long that commands wait even then;
//     hashes and JSON leave out what was not applied yet.
//   - Relations are trees, and attaching moves no row. Despawning a parent takes its children along
//     or leaves them as roots, as the schema tells for each relation.
//
// Things that it does NOT do
//   - It makes no component types at run time.
//   - It does not lock. One thread owns a world and calls its functions, and weft_options.workers
//     help it to run systems; <world>_take_over hands it to another thread. Any thread may ask
//     whether a handle is alive, also while the world's own thread spawns, despawns, trims and runs
//     ticks, but not while it loads, recycles or closes. Where no address space can be reserved
//     (weft_stats.records_stay is false) nothing may be spawned, recorded to be spawned, merged,
//     reserved or trimmed meanwhile either.
//   - It does not touch the file system but for saves.
#ifndef WEFT_H
#define WEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "weft_schema.h"

// The version of Weft, of which generator, packages and builds read these three numbers. Generated
// code states the version it was made for; a mismatch does not compile.
#define WEFT_VERSION_MAJOR 1
#define WEFT_VERSION_MINOR 0
#define WEFT_VERSION_PATCH 0
#define WEFT_VERSION (WEFT_VERSION_MAJOR * 10000 + WEFT_VERSION_MINOR * 100 + WEFT_VERSION_PATCH)

#ifdef __cplusplus
// Code in C has casts and null pointers that C++ would write in another way. Compilers that know
// neither pragma, as MSVC, would warn of it.
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
#define WEFT_CPP(...) __VA_ARGS__ // what only C++ sees
// Lets C++ copy a grant to write, and not make one, of a grant to read for example. In C debug
// builds assert when it is used.
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

// The value that a member of a generated struct begins with, which C++ takes from C++20 on. There
// `{}` has the defaults of the schema, and designated initialisers have them for all other members.
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

// Asserts that a generated struct has the size that was planned for it. Machines that align 8-byte
// numbers to 4 inside structs (i386) are exempt; the tables use offsetof and are right there too.
struct weft_align_probe {
    char c;
    double d;
};
#define WEFT_PLANNED(condition, text)                                                              \
    WEFT_STATIC_ASSERT((condition) || sizeof(struct weft_align_probe) != 16, text)
#define WEFT_PLANNED_SIZE(type, bytes)                                                             \
    WEFT_PLANNED(sizeof(type) == (bytes), #type " is not as long as the generator planned")

// Begins an enum of the schema. In C++ and C23 it is a type of its own, as wide as the schema says,
// so that compilers warn of a switch that leaves a value out. C of before has no such enums: there
// the type is the number, and the values are constants.
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

// Tells how many values an enum has. It is none of them, and of no type of enum, since gcc warns
// where values of two such types are compared. clang does not, and takes C23 without constexpr.
#if defined(__cplusplus) ||                                                                        \
    (!defined(__clang__) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define WEFT_ENUM_COUNT(name, count) constexpr int name = count
#else
#define WEFT_ENUM_COUNT(name, count) enum { name = count }
#endif

#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define WEFT_ALWAYS_INLINE static inline __attribute__((__always_inline__))
#else
#define WEFT_ALWAYS_INLINE static inline // a debugger can finish a call, or step over it
#endif

// Marks the prototypes of systems, and through them the game's definitions; a game may mark any
// function of its own in which a loop counts. At -O2 gcc 12 vectorises a loop of unknown length
// only with the dynamic cost model, and keeps a loop over twelve elements a loop. A short loop that
// crosses a cache line is a fifth slower, so loops begin at one. One that takes eight steps before
// it looks whether it ends is a tenth quicker where its columns are in the first cache, and over
// one column more than that. clang needs none of it.
//
// WEFT_HOT_EXACT marks loops that a world has in several forms, of which it runs the faster one
// (run/trial.h). They must give equal bits, so the compiler may not join a multiplication with an
// addition that the other form has in another loop.
//
// WEFT_HOT_CALLS marks a function that calls the one it is given in a loop. gcc makes a copy of it
// for each function that is given, with that one inlined; clang inlines both.
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

// Lets an object link only where `name` is defined: a generated header asks for one that follows
// from what it declares, and the C files of one run define those of that run. Nothing reads the
// pointer, and each linker has its own way to keep it nevertheless.
#define WEFT_LINKS_WITH(name)                                                                      \
    extern const char name;                                                                        \
    WEFT_KEPT name##_kept = &name
#if defined(__linux__) && (__GNUC__ >= 11 || __clang_major__ >= 13)
#define WEFT_KEPT static __attribute__((__used__, __retain__)) const char *const
#elif defined(__MINGW32__) && defined(_WIN64) // among what unwinds
#define WEFT_KEPT static __attribute__((__used__, __section__(".xdata$weft"))) const char *const
#elif defined(__wasm__) // a symbol that others can see, so it is no const in C++
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
    WEFT_NO_MEMORY, // an allocation failed; nothing changed, but by tick, run_… and flush
    WEFT_FULL, // max_entities are alive, every index is in use or retired, or an event has its max
    WEFT_BUSY, // called while a phase or a hook runs, or a save is being written
    WEFT_DEAD, // the handle is not alive, or can no longer be spawned at
    WEFT_REFUSED,   // the rules forbid it, it would close a circle in a tree, hooks record without
                    // end or their commands wait while the world is saved, a dt is negative,
                    // infinite or no number, or a handle to spawn at is of an index that is in use
    WEFT_NOT_FOUND, // reflection: no such name, or the entity has no such component; no save was
                    // begun that is still to be told of
    WEFT_BAD_VALUE, // reflection: wrong type, or outside min and max; a handle to spawn at that no
                    // entity can have; saving: a bool, enum, list or string that no load would take
    WEFT_IO,        // a file cannot be read or written
    WEFT_BAD_FILE,  // the file is no save, or damaged
    WEFT_MISMATCH,  // the schema cannot take this save without guessing
} weft_status;

// Why a hook runs, in `ctx->reason`. The last three are declared for calls to come.
typedef enum weft_reason {
    WEFT_BY_CALL = 0, // a call of the game, a tag write of a system, or a state that changes
    WEFT_BY_COMMAND,  // a command that is applied
    WEFT_BY_LOAD,     // a load of a save or of a world's JSON
    WEFT_BY_CLOSE,
    WEFT_BY_RESET,
    WEFT_BY_MERGE, // of a fragment
    WEFT_BY_BACK,
    WEFT_BY_CLONE,
    WEFT_BY_PART,
} weft_reason;

// Returns the phrase for a status ("no memory"), never NULL.
const char *weft_status_text(weft_status status);

// The memory hooks of a world. All zero: malloc, free and mmap. Set all five functions or none;
// `user` is passed to each. Any thread that runs systems may call them, but never two at once.
//   allocate  returns memory aligned to 64 bytes, with any contents, or NULL
//   free_     gets back what allocate returned, and its size
//   reserve   sets address space aside; NULL: there is none, and arrays grow by allocate and copy
//   commit    makes whole pages of 4096 bytes of a reservation usable, filled with zeros; false: no
//             memory, and it may be asked for those pages again
//   release   gives a whole reservation back
typedef struct weft_memory {
    void *(*allocate)(void *user, size_t bytes);
    void (*free_)(void *user, void *memory, size_t bytes);
    void *(*reserve)(void *user, size_t bytes);
    bool (*commit)(void *user, void *memory, size_t bytes);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} weft_memory;

// The game's own job system, for systems that run in parallel. Set both functions or none;
// `user` is passed to each.
//   start  has `job(argument)` called `count` times by any threads, also several at once, and does
//          not wait for them. It is called by the thread that runs the phase, and by jobs.
//   wait   returns when every job that was started, also by jobs, has returned. Meanwhile it may
//          run jobs, or other work of the game that leaves the world alone.
// A job must see what was written before `start`, and the caller of `wait` what jobs wrote, as with
// any queue that has a lock. A phase has about `workers` jobs at once (one may begin while another
// is about to return), and they never wait.
typedef struct weft_executor {
    void (*start)(void *user, uint32_t count, void (*job)(void *argument), void *argument);
    void (*wait)(void *user);
    void *user;
} weft_executor;

// ------------------------------------------------------------------------------------------------
// Where time goes: a world tells its game when what it does begins and ends, and counts what its
// systems do. runtime/trace writes it to a file for Perfetto, and shows what Tracy wants.

// Counts of a system: of one turn, or of all since the world was opened. All but ns is equal
// for any number of workers.
typedef struct weft_system_stats {
    uint64_t turns;    // that were due, with rows or without
    uint64_t rows;     // that it was called with
    uint64_t ns;       // that threads were at work in it, which are several where it has parts
    uint64_t commands; // recorded
    uint64_t events;   // emitted, that are heard
} weft_system_stats;

typedef enum weft_zone_kind {
    WEFT_ZONE_PHASE,  // with all that follows in it
    WEFT_ZONE_SYSTEM, // a turn; a system whose turn does not come has none
    WEFT_ZONE_PART,   // some of the rows of a parallel system, or of a pass that begins with it
    WEFT_ZONE_APPLY,  // commands are applied
    WEFT_ZONE_SAVE,   // in the background: the copy alone
    WEFT_ZONE_LOAD,
    WEFT_ZONE_MERGE, // of a fragment
} weft_zone_kind;

typedef struct weft_zone {
    weft_zone_kind kind;
    uint32_t number;  // of the phase or system, by the reflection tables; else 0
    uint32_t part;    // of a part: its number
    uint32_t thread;  // a number that the thread has for good, from 0 on
    const char *name; // of the phase or system; else "apply", "save", "load" or "merge"
    uint64_t tick;    // ticks done
    uint64_t ns;      // when it begins or ends, by a clock that only goes forward
    // A turn that threads share, or of a system in a pass. It may end on another thread than it
    // began on, and others begin and end meanwhile. All other zones of a thread lie in one another.
    bool shared;
    weft_system_stats turn; // at the end of a turn: what it had
} weft_zone;

// Any thread that runs systems calls these, also several at once; `user` is passed to each. Set
// both functions or none, or `count` to count without being told. They must not call the world.
typedef struct weft_profile {
    void (*begin)(void *user, const weft_zone *zone);
    void (*end)(void *user, const weft_zone *zone);
    void *user;
    bool count;
} weft_profile;

// ------------------------------------------------------------------------------------------------
// Random numbers: the field type `rng` of a schema, and values of the game's own by weft_rng_of.
// A sequence depends on its state alone: it is equal on every machine, whatever the workers do.
// The generator is sfc32 (C. Doty-Humphrey), which is fast and no cipher: who sees some numbers can
// work out the others.

// All zero is an rng that was not seeded yet. A component gets its seed when an entity gets it.
typedef struct weft_rng {
    uint32_t state[4];
} weft_rng;

// Returns an rng whose sequence has nothing to do with those of other seeds and streams.
weft_rng weft_rng_of(uint64_t seed, uint64_t stream);

// Returns 32 random bits. A few instructions, as for the others.
static inline uint32_t weft_rng_u32(weft_rng *rng)
{
    uint32_t *s = rng->state;
    uint32_t sum = s[0] + s[1] + s[3]++;
    s[0] = s[1] ^ s[1] >> 9;
    s[1] = s[2] + (s[2] << 3);
    s[2] = (s[2] << 21 | s[2] >> 11) + sum;
    return sum;
}

// Returns a number from 0 up to, and without, the bound, each as likely as the others; 0 for 0.
static inline uint32_t weft_rng_below(weft_rng *rng, uint32_t bound)
{
    uint64_t scaled = (uint64_t)weft_rng_u32(rng) * bound;
    if ((uint32_t)scaled < bound) { // some of them come from one draw more than others
        uint32_t uneven = (0u - bound) % bound;
        while ((uint32_t)scaled < uneven) scaled = (uint64_t)weft_rng_u32(rng) * bound;
    }
    return (uint32_t)(scaled >> 32);
}

// Returns a number from least to most, both included, where least is not greater.
static inline int32_t weft_rng_range(weft_rng *rng, int32_t least, int32_t most)
{
    uint32_t span = (uint32_t)most - (uint32_t)least + 1; // 0: all there are
    uint32_t above = span == 0 ? weft_rng_u32(rng) : weft_rng_below(rng, span);
    return (int32_t)((int64_t)least + (int64_t)above);
}

// Returns a number from 0 up to, and without, 1: a multiple of 2^-24.
static inline float weft_rng_f32(weft_rng *rng)
{
    return (float)(weft_rng_u32(rng) >> 8) * (1.0f / 16777216.0f);
}

// Returns true as often as p says: never for 0 and less, always for 1 and more.
static inline bool weft_rng_chance(weft_rng *rng, float p)
{
    const uint32_t drawn = weft_rng_u32(rng);
    return (double)drawn < (double)p * 4294967296.0;
}

// Brings items of so many bytes each into a random order, each order as likely as the others.
void weft_rng_shuffle(weft_rng *rng, void *items, uint32_t count, size_t item_bytes);

// ------------------------------------------------------------------------------------------------
// Worlds

// The options of a world; all zero are the defaults. Memory hooks, an executor or a profile of
// which only some functions are set assert; release builds report that to the log hook and open no
// world. With -DWEFT_UNOBSERVED none opens that asks for a profile, checks or watch. C++20 does not
// warn of members that an initialiser leaves out, which are zero.
typedef struct weft_options {
    weft_memory memory WEFT_DEFAULT({});
    // Gets refusals and failures as they happen; of those in equal words, numbers aside, the
    // first, second, fourth, eighth … with their count. Getters, `_edit` of a handle that is dead
    // or has no such component, and other calls that only look do not tell it. If there is no hook,
    // debug builds write these lines to stderr, each behind the name of the world; release builds
    // write nothing. A hook that does nothing silences a debug build.
    void (*log)(void *user, const char *line) WEFT_DEFAULT(nullptr);
    void *user WEFT_DEFAULT(nullptr); // reaches systems as ctx->user, and the log hook
    // The number of threads that run systems, the caller's among them: 0 or 1 for that one alone,
    // at most 64. The result of a tick is equal to the bit whatever the number is. Where the
    // machine gives fewer threads the world makes do with those (weft_stats). With workers, systems
    // and the parts of one use `ctx->user` in parallel, which the game has to allow for; the
    // log hook is called like memory hooks; and of failures at one time colony_error tells any.
    uint32_t workers WEFT_DEFAULT(0);
    // It runs the jobs of workers in place of threads of the world.
    weft_executor executor WEFT_DEFAULT({});
    // For games with memory hooks: takes committed pages of a reservation back, which nothing
    // touches until they are committed again. `user` is that of the memory hooks. NULL: such pages
    // stay with the world when it is trimmed.
    void (*decommit)(void *user, void *memory, size_t bytes) WEFT_DEFAULT(nullptr);
    uint64_t seed WEFT_DEFAULT(0);         // of the rng in components and singletons; saves have it
    weft_profile profile WEFT_DEFAULT({}); // all zero: nothing is told, counted or measured
    // What looks into the world: <world>_insight() of the header <world>_insight.h. NULL: nothing,
    // and the world opens only if nothing of what follows is asked for. See weft_insight.h.
    const struct weft_insight *insight WEFT_DEFAULT(nullptr);
    // What has to hold of values is looked at after each system, load and command.
    bool checks WEFT_DEFAULT(false);
    bool checks_stop WEFT_DEFAULT(false); // the first value that breaks it ends the program
    // The number of last writes kept for <world>_trace, of about 105 to 177 bytes each; 0: none.
    uint32_t watch WEFT_DEFAULT(0);
} weft_options;

// Counters of a world since it was opened, but for those marked now. A load sets `ticks` to those
// of the save: a game that records its inputs by tick forgets those of later ticks then.
typedef struct weft_stats {
    uint64_t ticks;
    uint64_t ticks_dropped;    // due in an advance beyond max_steps
    uint64_t commands_dropped; // refused by the rules, their entity was dead by then, or not yet
                               // applied at a load
    uint64_t commands_lost;    // no memory to record or to apply them
    uint64_t events_lost;      // no memory to keep them, or `max` of their kind were unread
    uint64_t broken;           // rules that values were found to break, with weft_options.checks
    uint32_t entities;         // alive now
    uint32_t indices;          // that entities have or had: alive, free and retired ones
    uint32_t indices_free;     // waiting for reuse now
    uint32_t indices_retired;  // generations used up; colony_recycle brings them back
    uint32_t tables;           // now
    uint32_t workers;          // threads that run systems, the caller's among them
    size_t bytes_allocated;    // now; reserved address space counts once it is committed
    bool records_stay;         // other threads may ask who is alive while this one spawns
} weft_stats;

// ------------------------------------------------------------------------------------------------
// Rows that pass a filter, for systems and queries with rows = "mask"

// Bit i of mask[i / 64] tells whether row i of the range passes. Bits past the range are 0. The
// columns of sparse components hold a pointer a row, which is set for rows that pass only.
typedef struct weft_rows {
    const uint64_t *mask;
    uint64_t words; // the walk: bit w: word w of the mask is not 0 and yet to be looked at
    uint64_t bits;  // the walk: what is left of the current word
    uint32_t word;  // the walk: the number of the current word
} weft_rows;

// The number of trailing zeros of bits, which are not 0.
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

// Gives the next passing row of the range in *row; false at the end. A row costs a few
// instructions, and 64 rows side by side that do not pass cost none.
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

WEFT_EXTERN_C_END

#endif
