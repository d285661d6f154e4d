// A world with an index of each kind, and the arrays that a game without indexes would maintain.
#ifndef INDEXES_H
#define INDEXES_H

#include "setup.h"

#include "atlas.h"

#define ALL 100000u
#define ASKED 1000u
#define CELL 4.0f
#define SIDE 632.0f // four a cell
#define SLOTS (1u << 18)

typedef struct person {
    char name[16];
} person;

typedef struct item {
    float x;
    float y;
    uint32_t id;
} item;

typedef struct slot {
    uint32_t key;
    uint32_t id; // 1 + the id; 0: free
} slot;

typedef struct aged {
    float years;
    uint32_t id;
} aged;

// The work of the system `ask`.
typedef uint64_t question(const atlas_ask_ctx *ctx);

typedef struct index_world {
    atlas_world *w;
    atlas_entity *e;
    question *question;
    uint64_t seed; // of the changes and questions of a run
    uint64_t limit_seed;
    uint64_t sum;
    float *x; // of the limit
    float *y;
    uint32_t *number;
    person *name;
    person *asked; // what both sides ask for: the names, where neither side keeps its own
    float *years;
    item *items;
    uint32_t *starts;
    int32_t cells; // a side
    slot *slots;
    uint32_t *texts; // by name: 1 + the id; 0: free
    aged *sorted;
} index_world;

static inline uint32_t index_id(atlas_entity e)
{
    return e.bits & SETUP_INDEX_MASK;
}

// Gives a multiple of an eighth below `most`, so that distances are exact in any precision.
static inline float index_any(uint64_t *seed, float most)
{
    return (float)(bench_random(seed) % (uint32_t)(most * 8.0f)) * 0.125f;
}

// Compares the sides of a workload on a fresh world.
void index_compare(const char *workload, uint64_t items, bench_side weft, bench_side limit,
                   double ratio_max);

// Asks in a system, and returns how long it took.
double index_ask(index_world *s, question *asked, uint64_t *checksum);

// Each makes arrays by hand from what the world has.
void index_sort_by_cell(index_world *s);
void index_hash_numbers(index_world *s);
void index_hash_names(index_world *s);
void index_sort_ages(index_world *s);

void index_bench_grid(void);
void index_bench_hash(void);
void index_bench_ordered(void);

#endif
