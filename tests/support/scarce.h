// Memory that allows a given number of allocations and no more, and counts what is not released.
#ifndef SCARCE_H
#define SCARCE_H

#include "no_space.h"

#include <stdint.h>
#include <stdlib.h>

static uint32_t allocations_left;
static size_t bytes_taken; // and not released

static inline void *allocate_some(void *user, size_t bytes)
{
    (void)user;
    if (allocations_left == 0) return NULL;
    allocations_left--;
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    bytes_taken += memory ? bytes : 0;
    return memory;
}

static inline void free_some(void *user, void *memory, size_t bytes)
{
    (void)user;
    bytes_taken -= memory ? bytes : 0;
    free(memory);
}

#define SCARCE_MEMORY                                                                              \
    {                                                                                              \
        allocate_some, free_some, no_reserve, no_commit, no_release, NULL                          \
    }

#endif
