// Seeds for the `rng` fields of components and singletons.
#ifndef WEFT_SEEDS_H
#define WEFT_SEEDS_H

#include "world.h"

// Seeds each `rng` field of a value that is not seeded yet. The seed depends on the seed of the
// world, the handle of the entity and the number of the component. Therefore a stream does not
// depend on the order in which workers reach it, nor on when it is first used.
void weft_fields_seed(const weft_world *world, const weft_field *fields, uint32_t count,
                      void *value, uint64_t handle, uint32_t component);

// Seeds one field if it is an `rng` that is not seeded yet.
void weft_field_seed(const weft_world *world, const weft_field *fields, uint32_t field, void *value,
                     uint64_t handle, uint32_t component);

// Sets all singletons to their defaults, and seeds each `rng` by the number of its singleton.
void weft_singletons_begin(weft_world *world);

#endif
