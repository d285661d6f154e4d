// Memory hooks without address space to reserve, so that everything is on the heap.
#ifndef NO_SPACE_H
#define NO_SPACE_H

#include <stdbool.h>
#include <stddef.h>

static inline void *no_reserve(void *user, size_t bytes)
{
    (void)user;
    (void)bytes;
    return NULL;
}

static inline bool no_commit(void *user, void *part, size_t bytes)
{
    (void)user;
    (void)part;
    (void)bytes;
    return false;
}

static inline void no_release(void *user, void *base, size_t bytes)
{
    (void)user;
    (void)base;
    (void)bytes;
}

#endif
