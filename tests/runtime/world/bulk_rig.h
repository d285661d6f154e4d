// Worlds of bulk for tests: setup, teardown, and villagers of a given age.
#ifndef BULK_RIG_H
#define BULK_RIG_H

#include "../../support/no_space.h"
#include "bulk.h"
#include "meter.h"

static inline bulk_world *open_world(uint32_t workers, meter *m)
{
    weft_options options = {.workers = workers};
    if (m) options.memory = (weft_memory){take, give, no_reserve, no_commit, no_release, m};
    return bulk_open(&options);
}

static inline int open_one(void **state)
{
    *state = open_world(0, NULL);
    return *state == NULL;
}

static inline int close_one(void **state)
{
    bulk_close((bulk_world *)*state);
    return 0;
}

static inline bulk_entity aged(bulk_world *w, uint32_t years)
{
    bulk_villager v = bulk_villager_defaults();
    v.age.years = years;
    return bulk_villager_spawn(w, &v);
}

#endif
