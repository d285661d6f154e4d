// The sounds of the colony. They are no part of the simulation, so no system makes them: the game
// reads them from a listener. Here they are counted; a game with a loudspeaker would play them.
#ifndef SOUNDS_H
#define SOUNDS_H

#include "colony_world.h"

typedef struct sounds {
    uint32_t cries, bells, hammers;
} sounds;

// Hears the events since the last call.
void sounds_listen(sounds *heard, colony_world *world);

// One line of the summary.
void sounds_report(const sounds *heard);

#endif
