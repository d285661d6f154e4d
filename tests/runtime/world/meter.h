// Memory hooks that fail after a given number of allocations, and count the allocated bytes.
#ifndef METER_H
#define METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct meter {
    size_t left; // allocations until one fails
    bool once;   // those after it do not
    bool failed;
    size_t bytes;
} meter;

static inline void *take(void *user, size_t bytes)
{
    meter *m = (meter *)user;
    if (m->left == 0 && !(m->once && m->failed)) {
        m->failed = true;
        return NULL;
    }
    if (m->left != 0) m->left--;
    m->bytes += bytes;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static inline void give(void *user, void *memory, size_t bytes)
{
    ((meter *)user)->bytes -= bytes;
    free(memory);
}

#endif
