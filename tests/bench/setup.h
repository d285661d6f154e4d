// Opens and fills worlds of the schema arena. Ends the program if anything cannot be allocated.
#ifndef SETUP_H
#define SETUP_H

#include "bench.h"

#include "arena_mover.h"

// As the schema says, of arena and of the fragments.
#define SETUP_INDEX_BITS 22
#define SETUP_INDEX_MASK ((1u << SETUP_INDEX_BITS) - 1)

// The data that a side fills a world or its own arrays with.
typedef struct movers {
    uint32_t n;
    arena_position *position;
    arena_velocity *velocity;
} movers;

movers setup_movers(uint32_t n);
void setup_movers_free(movers *m);

// A world in memory that is warm, with space for n movers.
arena_world *setup_warm_world(uint32_t n);

// One with the default options.
arena_world *setup_world(void);

// A mover for each, in order; their handles to out (NULL: not wanted).
void setup_fill(arena_world *w, const movers *m, arena_entity *out);

// Which entity it was, counted from the first: in a world that has never seen a despawn.
static inline uint32_t setup_id(arena_entity e)
{
    return e.bits & SETUP_INDEX_MASK;
}

// Over all that have a position.
uint64_t setup_sum_positions(arena_world *w);

// Over the movers, which have to be all of one table, by their rows.
uint64_t setup_sum_movers(arena_world *w);
uint64_t setup_sum_arrays(const arena_position *position, const arena_velocity *velocity,
                          uint32_t n);

// Ends the program if a call was refused.
void setup_require(bool succeeded, const char *what);

#endif
