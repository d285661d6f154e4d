// Checks, slowly, the invariants that hold in every world of the fixture between calls.
#ifndef WORLD_CHECK_H
#define WORLD_CHECK_H

#include "fixture.h"

// Fails the test if an invariant of the runtime does not hold: places and handles agree, queries
// have exactly their tables in order, bitsets count their bits, bits and sparse values agree, rules
// hold.
void world_check(const fixture *f, weft_world *world);

// Does this for any world, without the checks of rules and of the results of commands.
void world_check_storage(const weft_world *world);

#endif
