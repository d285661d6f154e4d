// Blocks in a chain, cut from the front.
#include "scratch.h"

#define SCRATCH_ALIGN ((size_t)16)

// At least. In hard mode each array is a block of its own, so that each can be missed, and its end
// seen.
#ifdef WEFT_HARD
#define SCRATCH_BLOCK_BYTES ((size_t)0)
#else
#define SCRATCH_BLOCK_BYTES ((size_t)4096)
#endif

static bool add_block(weft_scratch *scratch, size_t bytes)
{
    size_t head = weft_round_up(sizeof(weft_scratch_block), SCRATCH_ALIGN);
    size_t room = bytes > SCRATCH_BLOCK_BYTES ? bytes : SCRATCH_BLOCK_BYTES;
    weft_scratch_block *block =
        (weft_scratch_block *)weft_allocate_zeroed(scratch->heap, head + room);
    if (!block) return false;
    *block = (weft_scratch_block){scratch->last, head + room};
    scratch->last = block;
    scratch->left = room;
    return true;
}

void *weft_scratch_take(weft_scratch *scratch, size_t count, size_t size)
{
    const size_t bytes_max = SIZE_MAX / 2;
    if (size != 0 && count > bytes_max / size) {
        scratch->out_of_memory = true;
        return NULL;
    }
    size_t bytes = weft_round_up(count * size + 1, SCRATCH_ALIGN);
    if (bytes > scratch->left && !add_block(scratch, bytes)) {
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
