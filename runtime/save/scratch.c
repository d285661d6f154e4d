// A chain of blocks. Arrays are cut from the front of the last block.
#include "scratch.h"

#define SCRATCH_ALIGN ((size_t)16)

// The smallest size of a block. In hard mode each array is its own block. Then a test can make each
// allocation fail, and a sanitizer finds a write past the end of an array.
#ifdef WEFT_HARD
#define SCRATCH_BLOCK_BYTES ((size_t)0)
#else
#define SCRATCH_BLOCK_BYTES ((size_t)4096)
#endif

static bool add_block(weft_scratch *scratch, size_t bytes)
{
    size_t head = weft_round_up(sizeof(weft_scratch_block), SCRATCH_ALIGN);
    size_t space = bytes > SCRATCH_BLOCK_BYTES ? bytes : SCRATCH_BLOCK_BYTES;
    weft_scratch_block *block = weft_allocate_zeroed(scratch->heap, head + space);
    if (!block) return false;
    *block = (weft_scratch_block){scratch->last, head + space};
    scratch->last = block;
    scratch->left = space;
    return true;
}

void *weft_scratch_array(weft_scratch *scratch, size_t count, size_t size)
{
    bool fits = size == 0 || count <= SIZE_MAX / 2 / size;
    size_t bytes = fits ? weft_round_up(count * size + 1, SCRATCH_ALIGN) : 0;
    if (!fits || (bytes > scratch->left && !add_block(scratch, bytes))) {
        scratch->out_of_memory = true;
        return NULL;
    }
    scratch->left -= bytes;
    return (unsigned char *)scratch->last + (scratch->last->bytes - bytes - scratch->left);
}

void weft_scratch_free(weft_scratch *scratch)
{
    while (scratch->last) {
        weft_scratch_block *block = scratch->last;
        scratch->last = block->before;
        weft_free(scratch->heap, block, block->bytes);
    }
    scratch->left = 0;
}

void weft_scratch_reset(weft_scratch *scratch)
{
    weft_scratch_block *block = scratch->last;
    size_t head = weft_round_up(sizeof *block, SCRATCH_ALIGN);
    if (!block || block->before || block->bytes != head + SCRATCH_BLOCK_BYTES) {
        weft_scratch_free(scratch);
        return;
    }
    memset((unsigned char *)block + head, 0, SCRATCH_BLOCK_BYTES - scratch->left);
    scratch->left = SCRATCH_BLOCK_BYTES;
}
