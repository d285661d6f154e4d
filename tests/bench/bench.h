// Measures a workload written with Weft and its limit in turn, in one process. The limit is equal
// work on plain arrays without an entity system.
//
// A side of a comparison is a function that does the work once on its state. It times only the work
// itself, and leaves a checksum of the result. Both sides do equal work on equal data, so their
// checksums must be equal, which is checked after every run. Values are small integers and factors
// are powers of two because sums of them are then exact in any order.
#ifndef BENCH_H
#define BENCH_H

#include "weft.h"

// A side's work, once. Returns the seconds of processor time that the timed part took.
typedef double (*bench_side)(void *state, uint64_t *checksum);

typedef struct bench_comparison {
    const char *workload;
    uint64_t n;     // size that the table shows
    uint64_t items; // a side handles this many each time
    bench_side weft;
    bench_side limit; // NULL: there is none
    void *state;
    void (*renew)(void *state); // moves it to other memory before every fourth run; NULL: not done
    double ratio_max;           // the target; 0: none
    double ns_max;              // the target for nanoseconds an item; 0: none
    bool plain;   // the targets are those of the build without flags, else of the fast one
    bool threads; // several run it, so how many instructions it takes depends on who waits
} bench_comparison;

// A figure that is measured once and is not a comparison of times.
typedef struct bench_figure {
    const char *workload;
    uint64_t n;
    const char *unit;
    double value;     // NAN: it could not be measured, which fails the whole run
    double limit;     // the value of plain arrays, in that unit; 0: there is none
    double value_max; // the target; 0: none
    double ratio_max; // the target for value / limit; 0: none
} bench_figure;

// Returns whether the command line selects a workload, or any of several, separated by blanks.
// Others are neither set up nor measured.
bool bench_wanted(const char *workloads);

// Returns whether a short run was requested.
bool bench_quick(void);

// Returns whether instructions are counted and no times measured. Then each side runs once, after
// one warm-up, and repeats its work less often.
bool bench_counting(void);

// Returns how often a side repeats its work in a run: `times`, or twice where that is enough.
static inline uint32_t bench_times(uint32_t times)
{
    return bench_counting() && times > 2 ? 2 : times;
}

void bench_compare(bench_comparison comparison);
void bench_report(bench_figure figure);

// Returns the processor time of this thread, which excludes other programs. Costs a system call.
double bench_seconds(void);

// Returns wall time for spans that are too short for the call above. Costs a few nanoseconds.
double bench_wall_seconds(void);

// Measures in a process of its own, by a name that bench_footprint_value knows. NAN: it failed.
double bench_in_child(const char *measure);

// Keeps the compiler from seeing through memory, and from doing work once that is asked for often.
static inline void bench_touch(const void *memory)
{
    __asm__ volatile("" : : "r"(memory) : "memory");
}

// -------------------------------------------------------------------------------------------------
// Data

uint32_t bench_random(uint64_t *state); // splitmix64, the upper half
float bench_value(uint64_t *state);     // a small integer
void bench_values(float *values, size_t n, uint64_t seed);
void bench_shuffle(uint32_t *order, uint32_t n, uint64_t seed);

// The part of a checksum that a value of entity `id` is. Parts are added up, in any order.
static inline uint64_t bench_part(uint32_t id, uint32_t bits)
{
    return ((uint64_t)id * 2 + 1) * ((uint64_t)bits + 0x9E3779B9u);
}

static inline uint32_t bench_bits(float value)
{
    union {
        float value;
        uint32_t bits;
    } u = {.value = value};
    return u.bits;
}

// Sum over all floats of n structs that are `floats` long; the id of a struct is its place.
uint64_t bench_sum(const float *values, uint32_t n, uint32_t floats);

// -------------------------------------------------------------------------------------------------
// Memory

// Returns memory that is touched, zeroed and never freed; exits if there is none. The k-th array
// begins 5 k lines into its page, because arrays that begin at equal offsets compete for the cache.
void *bench_array(size_t bytes);

// Likewise, in pages of 2 MiB where the array has whole ones, as a world has space for many rows
// that it was asked for at once. Freed like the other.
void *bench_array_in_large_pages(size_t bytes);
void bench_array_free(void *array, size_t bytes);

// Returns memory that is fresh from the kernel in each call, not touched yet, and released to it.
void *bench_cold_array(size_t bytes);
void bench_cold_array_free(void *array, size_t bytes);

// Options of a world whose memory is warm: address space that an earlier world has released is
// kept, zeroed and touched, so that none of the next world's page faults are timed.
weft_options bench_warm(void);

// Returns the exact resident memory of this process without the pages of program files, because
// which of those are resident depends on chance.
size_t bench_resident_bytes(void);

// -------------------------------------------------------------------------------------------------
// The workloads, a file each

void bench_iterate(void);
void bench_fields(void);
void bench_fragments(void);
void bench_few(void);
void bench_tags(void);
void bench_changed(void);
void bench_create(void);
void bench_destroy(void);
void bench_get(void);
void bench_add_remove(void);
void bench_spawn_commands(void);
void bench_footprint(void);
void bench_seven(void);
void bench_workers(void);
void bench_merge(void);
void bench_growth(void);
void bench_saves(void);
void bench_passes(void);
void bench_troupe(void);
void bench_watch(void);
void bench_trees(void);
void bench_convoy(void);
void bench_links(void);
void bench_select(void);
void bench_indexes(void);
void bench_math(void);

double bench_footprint_value(const char *measure); // in the child; NAN: no such measure

#endif
