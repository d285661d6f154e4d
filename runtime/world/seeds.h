// Seeds of the random numbers that components and singletons have in fields of the type rng.
#ifndef WEFT_SEEDS_H
#define WEFT_SEEDS_H

#include "world.h"

// Seeds each rng among the fields of a value that was not seeded yet, by the seed of the world, the
// handle of its entity and the number of its component. So a stream depends neither on the order in
// which workers come to it nor on when it is first drawn from.
void weft_fields_seed(const weft_world *world, const weft_field *fields, uint32_t count,
                      void *value, uint64_t handle, uint32_t component);

// Seeds one field if it is an rng that was not seeded yet.
void weft_field_seed(const weft_world *world, const weft_field *fields, uint32_t field, void *value,
                     uint64_t handle, uint32_t component);

// Gives all singletons their defaults, and seeds each rng by the number of its singleton.
void weft_singletons_begin(weft_world *world);

#endif
