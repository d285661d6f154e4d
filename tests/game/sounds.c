// Counts sounds.
#include "sounds.h"

#include "colony_sounds.h"

#include <inttypes.h>
#include <stdio.h>

void sounds_listen(sounds *heard, colony_world *world)
{
    colony_sounds_iter it = colony_sounds_begin(world);
    heard->cries += it.born_count;
    heard->bells += it.died_count;
    heard->hammers += it.built_count;
}

void sounds_report(const sounds *heard)
{
    printf("  sounds       %" PRIu32 " cries, %" PRIu32 " bells, %" PRIu32 " hammers\n",
           heard->cries, heard->bells, heard->hammers);
}
