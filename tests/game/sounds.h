// The sounds of the colony. They are not part of the simulation, so the game reads their events
// with a listener instead of a system. It only counts them; a game with sound would play them.
#ifndef SOUNDS_H
#define SOUNDS_H

#include "colony_world.h"

typedef struct sounds {
    uint32_t cries, bells, hammers;
} sounds;

// Counts the events since the last call.
void sounds_listen(sounds *heard, colony_world *world);

// One line of the summary.
void sounds_report(const sounds *heard);

#endif
