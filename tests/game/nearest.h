// Finding the nearest of several things: start with nearest_to(here), offer each candidate, take
// `entity` (none if nothing was offered). Of two at one distance the first offered wins.
#ifndef NEAREST_H
#define NEAREST_H

#include "colony_position.h"

typedef struct nearest {
    colony_position here;
    colony_entity entity;
    colony_position position; // of that entity; this and the distance mean nothing while it is none
    float distance_squared;   // in tiles
} nearest;

nearest nearest_to(const colony_position *here);

void nearest_offer(nearest *best, colony_entity entity, const colony_position *position);

#endif
