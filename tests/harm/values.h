// Whether all values of a world are some that their types have.
#ifndef VALUES_H
#define VALUES_H

#include "weft_world.h"

// Fails the test if a bool is neither 0 nor 1, a value of an enum none of it, a list longer than its
// room, or a string without an end: in components, singletons, unread events and removals.
void values_check(const weft_world *world);

#endif
