// Memory that is given back a piece at a time: to give back the 16 MB of a list of a million at
// once would hold the game for a millisecond.
#ifndef WEFT_SERVE_RELEASE_H
#define WEFT_SERVE_RELEASE_H

#include <stdbool.h>
#include <stddef.h>

// All that is to be given back.
typedef struct serve_releases {
    struct serve_released *first;
} serve_releases;

// Gives memory of so many bytes back, at once where it is little; NULL is nothing.
void serve_release(serve_releases *releases, void *memory, size_t bytes);

// Gives a piece back. False: there is nothing left.
bool serve_release_piece(serve_releases *releases);

#endif
