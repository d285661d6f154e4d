// Random worlds of entities that refer to each other.
#ifndef REGION_CROWD_H
#define REGION_CROWD_H

#include "../../fuzz/dice.h"
#include "region.h"

#ifdef WEFT_HARD
enum { CROWD = 48 };
#else
enum { CROWD = 120 };
#endif

typedef struct crowd {
    region_world *w;
    dice d;
    region_entity all[CROWD];
    uint32_t count;
} crowd;

// Opens a world with CROWD entities. Some others have died, so that handles have many generations,
// and some fields have dead handles. Forgets what hooks were told.
void crowd_make(crowd *c, uint64_t seed);

// Steps of this: spawns one more entity, and attaches some to others.
void crowd_spawn(crowd *c);
void crowd_relate(crowd *c);

// Fills a random set, in which entities may occur twice, and returns their number.
size_t crowd_choose(crowd *c, region_entity *set);

static inline weft_world *base(region_world *w)
{
    return region_world_base(w);
}

#endif
