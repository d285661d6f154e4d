// Memory that a save or load needs for itself and gives back all at once.
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
    size_t left;        // bytes of the last block that are not given out
    bool out_of_memory; // an allocation has failed
} weft_scratch;

// `count` zeroed elements, aligned to 16; NULL: no memory, and out_of_memory is set. Even for no
// elements the result is not NULL.
void *weft_scratch_array(weft_scratch *scratch, size_t count, size_t size);
void weft_scratch_free(weft_scratch *scratch);
void weft_scratch_reset(weft_scratch *scratch); // does so too, and may keep a block for what comes

#endif
