// All values of a world, wherever they are stored.
#ifndef VALUES_H
#define VALUES_H

#include "world/world.h"

typedef enum values_place {
    VALUES_IN_TABLES,
    VALUES_IN_STORES,
    VALUES_IN_REMOVALS,
    VALUES_IN_SINGLETONS,
    VALUES_IN_EVENTS,
    VALUES_IN_LINKS,
    VALUES_PLACES
} values_place;

// Fails the test if a bool is neither 0 nor 1, an enum has an unknown value, a list is longer than
// its capacity, or a string has no end: in components, singletons, unread events, removals and links.
void values_check(const weft_world *world);

// Overwrites every meaningless byte: between fields, after strings and lists, in unsaved fields.
// Counts them by place.
void values_spoil(weft_world *world, unsigned char with, size_t spoilt[VALUES_PLACES]);

// How many of them are not 0.
size_t values_stray(weft_world *world);

#endif
