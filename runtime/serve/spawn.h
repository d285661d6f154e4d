// Spawns entities, and the parts of prefabs with them.
#ifndef WEFT_SERVE_SPAWN_H
#define WEFT_SERVE_SPAWN_H

#include "rpc.h"

serve_method serve_spawn;

#endif
