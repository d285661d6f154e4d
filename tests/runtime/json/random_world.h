// Fills worlds of any schema with random valid values, through reflection and direct calls. Writes
// them as text.
#ifndef RANDOM_WORLD_H
#define RANDOM_WORLD_H

#include "../../fuzz/dice.h"
#include "world/world.h"

// Spawns n entities with random components, parents, siblings and links, fills singletons. `holes`: some
// of them are despawned again, and handles in values may be dead.
void random_world(weft_world *world, dice *d, uint32_t n, bool holes);

// A text that grows.
typedef struct json {
    char *text; // NUL behind it
    size_t bytes;
    size_t capacity;
} json;

// These end the program if writing fails.
json json_of_world(weft_world *world);
json json_of_entity(weft_world *world, uint64_t handle);
void json_free(json *j);

#endif
