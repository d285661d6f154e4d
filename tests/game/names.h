// The names that the living bear, so that the next one gets another.
//
// This is the game's own memory beside the world, where `weft_options.user` points to. The hooks of
// `person` keep it: people come and go in many ways (born, dead of this or that, gone with the
// whole world), and each time a name is taken or given back.
#ifndef NAMES_H
#define NAMES_H

#include "colony_person.h"

#include <stdbool.h>
#include <stdint.h>

enum { NAMES_MAX = 16384 }; // as many as there can be entities in the colony

typedef struct names {
    uint32_t count;
    char borne[NAMES_MAX][sizeof((colony_person *)0)->name]; // twice if two bear it
} names;

bool names_has(const names *borne, const char *name);

#endif
