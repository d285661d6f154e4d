// Frees memory one piece at a time. Freeing the 16 MB of a list of a million entities at once would
// stop the game for a millisecond.
#ifndef WEFT_SERVE_RELEASE_H
#define WEFT_SERVE_RELEASE_H

#include <stdbool.h>
#include <stddef.h>

// All memory that is still to be freed.
typedef struct serve_releases {
    struct serve_released *first;
} serve_releases;

// Frees `bytes` bytes of memory, at once if they are few. NULL is ignored.
void serve_release(serve_releases *releases, void *memory, size_t bytes);

// Frees one piece. Returns false if nothing is left.
bool serve_release_piece(serve_releases *releases);

#endif
