// What the hooks and systems of the world of clones saw.
#ifndef TWIN_NOTES_H
#define TWIN_NOTES_H

#include "twin.h"

enum { TWIN_NOTES_MAX = 20000 };

enum { TWIN_BOND_ADDED, TWIN_FEVER_ADDED, TWIN_AWAKE_ADDED, TWIN_CARRIED, TWIN_OWES };

typedef struct twin_note {
    uint32_t entity;
    uint32_t kind;
    weft_reason reason;
} twin_note;

typedef struct twin_notes {
    uint32_t count;
    uint32_t added; // rows of system watch
    twin_note items[TWIN_NOTES_MAX];
} twin_notes;

#endif
