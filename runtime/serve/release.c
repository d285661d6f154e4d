#include "release.h"

#include <stdlib.h>

#define PIECE_BYTES ((size_t)1 << 20)

// Stored at the beginning of memory that is to be freed.
typedef struct serve_released {
    struct serve_released *next;
    size_t bytes;
} serve_released;

void serve_release(serve_releases *releases, void *memory, size_t bytes)
{
    if (!memory || bytes <= PIECE_BYTES) {
        free(memory);
        return;
    }
    serve_released *one = (serve_released *)memory;
    *one = (serve_released){releases->first, bytes};
    releases->first = one;
}

bool serve_release_piece(serve_releases *releases)
{
    serve_released *one = releases->first;
    if (!one) return false;
    serve_released *next = one->next;
    const size_t bytes = one->bytes;
    serve_released *less = NULL;
    if (bytes > 2 * PIECE_BYTES) less = (serve_released *)realloc(one, bytes - PIECE_BYTES);
    if (less) {
        less->bytes = bytes - PIECE_BYTES;
    } else {
        free(one);
    }
    releases->first = less ? less : next;
    return true;
}
