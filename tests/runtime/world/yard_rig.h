// What the hooks of the yard are told, and what its systems do.
#ifndef YARD_RIG_H
#define YARD_RIG_H

#include "yard.h"

enum { YARD_TOLD = 8192 };

typedef enum yard_kind { GUN_ADDED, GUN_REMOVED, TURN_ADDED, MOUNTED, BESIDE } yard_kind;

typedef struct yard_told {
    yard_kind kind;
    yard_entity e;
    yard_entity parent; // of MOUNTED and BESIDE
} yard_told;

// The user pointer of a world. NULL: hooks are not noted, and `alter` does nothing.
typedef struct yard_user {
    yard_world *w;
    uint32_t told_count;
    yard_told told[YARD_TOLD];
    bool alters; // whether the system `alter` records commands in its next turn
    yard_entity altered[6];
} yard_user;

#endif
