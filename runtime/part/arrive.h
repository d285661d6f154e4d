// Copies the entities of a loaded part into the world.
#ifndef WEFT_PART_ARRIVE_H
#define WEFT_PART_ARRIVE_H

#include "../save/loader.h"
#include "../world/map.h"

// Copies all entities of loader->into: as new entities, or under their own handles if they were
// taken out of the world. Returns, and reports, the errors of weft_part_load.
weft_status weft_part_arrive(weft_world *world, weft_loader *loader, weft_map *map);

#endif
