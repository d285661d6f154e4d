// The colony for journey.c.
#ifndef COLONY_JOURNEY_H
#define COLONY_JOURNEY_H

#include "colony.h"
#include "world_setup.h"

#define JOURNEY_SHOWS_ALL 1 // two of its systems say after_load
#define journey_world colony_world
#define journey_tick colony_tick
#define journey_save colony_save
#define journey_load colony_load
#define journey_hash colony_hash
#define journey_hash_exact colony_hash_exact
#define journey_error colony_error
#define journey_close colony_close

static inline colony_world *journey_open(uint32_t workers)
{
    return colony_open(&(weft_options){.workers = workers, .seed = 5});
}

static inline bool journey_begin(colony_world *w)
{
    const options wanted = {.width = 72, .height = 22, .villagers = 40};
    return world_setup(w, &wanted);
}

#endif
