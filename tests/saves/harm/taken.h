// Parts of one world of the vault: copies of entities, and entities that were taken out of it.
#ifndef TAKEN_H
#define TAKEN_H

#include <stddef.h>

enum { TAKEN_PARTS = 6, TAKEN_ENTITIES = 24 };

typedef struct taken_bytes {
    unsigned char *bytes;
    size_t count;
} taken_bytes;

typedef struct taken {
    taken_bytes parts[TAKEN_PARTS]; // with odd numbers: their entities are away
    taken_bytes start;              // a save of the world, which the parts of others can return to
} taken;

// Makes the parts of a world with about TAKEN_ENTITIES entities. They are the same each time.
void taken_make(taken *t);
void taken_free(taken *t);

#endif
