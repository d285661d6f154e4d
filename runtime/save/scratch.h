// Memory that one save or load allocates for itself and frees all at once.
#ifndef WEFT_SAVE_SCRATCH_H
#define WEFT_SAVE_SCRATCH_H

#include "../base/memory.h"

typedef struct weft_scratch_block {
    struct weft_scratch_block *before;
    size_t bytes; // of the whole block
} weft_scratch_block;

typedef struct weft_scratch {
    weft_heap *heap;
    weft_scratch_block *last;
    size_t left;        // bytes of the last block that are still unused
    bool out_of_memory; // an allocation has failed
} weft_scratch;

// Returns `count` zeroed elements, aligned to 16 bytes. Returns NULL and sets out_of_memory if
// there is no memory. The result is not NULL even if count is 0.
void *weft_scratch_array(weft_scratch *scratch, size_t count, size_t size);
void weft_scratch_free(weft_scratch *scratch);
void weft_scratch_reset(weft_scratch *scratch); // frees all; may keep a block for reuse

#endif
