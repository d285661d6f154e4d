// A random world for journey.c.
#ifndef WILD_JOURNEY_H
#define WILD_JOURNEY_H

#include "wild_game.h"

#define JOURNEY_SHOWS_ALL 0
#define journey_world wild_world
#define journey_tick wild_go_on
#define journey_save wild_save
#define journey_hash wild_hash
#define journey_hash_exact wild_hash_exact
#define journey_error wild_error
#define journey_close wild_close

// Says so to the hooks, which record nothing then.
static bool loading;

static inline wild_world *journey_open(uint32_t workers)
{
    return wild_open(&(weft_options){.workers = workers, .user = &loading});
}

static inline weft_status journey_load(wild_world *w, const char *path)
{
    loading = true;
    weft_status status = wild_load(w, path);
    loading = false;
    return status;
}

static inline bool journey_begin(wild_world *w)
{
    wild_populate(w);
    return true;
}

#endif
