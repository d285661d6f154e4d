// All memory is on the heap, where a sanitizer sees its end: no address space can be reserved.
#define _DEFAULT_SOURCE // posix_memalign

#include "bounded.h"
#include "../../support/no_space.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES_MAX ((size_t)1 << 28) // no test needs that much

// A block that is refused is counted as well.
static void *allocate(void *user, size_t bytes)
{
    bounded *b = (bounded *)user;
    void *block;
    if (b->held + bytes > b->most) b->most = b->held + bytes;
    if (bytes > BLOCK_BYTES_MAX || posix_memalign(&block, 64, bytes) != 0) return NULL;
    memset(block, 0xA5, bytes);
    b->held += bytes;
    return block;
}

static void give_back(void *user, void *block, size_t bytes)
{
    ((bounded *)user)->held -= bytes;
    free(block);
}

weft_memory bounded_hooks(bounded *b)
{
    return (weft_memory){allocate, give_back, no_reserve, no_commit, no_release, b};
}
