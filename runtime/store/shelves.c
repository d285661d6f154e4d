// Shelves: chunks, and the slots that are cut from them.
#include "shelves.h"

#include "layout.h"

weft_shelves *weft_shelves_open(weft_heap *heap, uint32_t columns)
{
    weft_shelves *shelves = (weft_shelves *)weft_allocate_zeroed(heap, sizeof *shelves);
    if (!shelves) return NULL;
    shelves->count = columns;
    if (weft_array_open(heap, &shelves->each, columns, sizeof *shelves->each)) return shelves;
    weft_free(heap, shelves, sizeof *shelves);
    return NULL;
}

static void free_chunks(weft_heap *heap, weft_chunk *chunk)
{
    while (chunk) {
        weft_chunk *next = chunk->next;
        weft_free(heap, chunk, chunk->bytes);
        chunk = next;
    }
}

void weft_shelves_close(weft_heap *heap, weft_shelves *shelves)
{
    if (!shelves) return;
    free_chunks(heap, shelves->chunks);
    weft_free(heap, shelves->each, shelves->count * sizeof *shelves->each);
    weft_free(heap, shelves, sizeof *shelves);
}

uint32_t weft_slot_class(uint32_t rows)
{
    uint32_t slot_class = 0;
    while (slot_class < WEFT_SLOT_CLASSES && weft_slot_rows(slot_class) < rows) slot_class++;
    return slot_class;
}

// Opens a chunk, whose slots begin after `start` bytes. The rest of the previous chunk is lost.
static bool chunk_open(weft_heap *heap, weft_shelves *shelves, weft_shelf *shelf, size_t bytes,
                       size_t start)
{
    weft_chunk *chunk = (weft_chunk *)weft_allocate(heap, bytes);
    if (!chunk) return false;
    *chunk = (weft_chunk){shelves->chunks, bytes};
    shelves->chunks = chunk;
    shelf->next = (unsigned char *)chunk + start;
    shelf->left = bytes - start;
    shelf->bytes += bytes;
    return true;
}

// Adds a chunk to a shelf. The size of a shelf doubles, so that few tables take little memory and
// many tables take few chunks. The heap aligns all large blocks in the same way. Therefore the
// slots of two columns begin at different lines of a page, or the columns of a table would compete
// for few cache sets.
static bool chunk_add(weft_heap *heap, weft_shelves *shelves, uint16_t column, size_t slot_bytes)
{
    weft_shelf *shelf = &shelves->each[column];
    size_t start = WEFT_LINE_BYTES;
    size_t bytes = shelf->bytes;
    if (bytes < WEFT_CHUNK_BYTES_MIN) bytes = WEFT_CHUNK_BYTES_MIN;
    if (bytes > WEFT_CHUNK_BYTES_MAX) bytes = WEFT_CHUNK_BYTES_MAX;
    if (bytes > 4 * WEFT_PAGE_BYTES) start += column * WEFT_STAGGER_BYTES % WEFT_PAGE_BYTES;
    if (bytes < start + slot_bytes) bytes = start + slot_bytes;
    return chunk_open(heap, shelves, shelf, bytes, start);
}

void *weft_slot_take(weft_heap *heap, weft_shelves *shelves, uint16_t column, uint32_t size,
                     uint32_t slot_class)
{
    weft_shelf *shelf = &shelves->each[column];
    void *slot = shelf->given[slot_class];
    if (slot) {
        memcpy(&shelf->given[slot_class], slot, sizeof slot);
        return slot;
    }
    size_t bytes = weft_slot_bytes(slot_class, size);
    if (shelf->left < bytes && !chunk_add(heap, shelves, column, bytes)) return NULL;
    slot = shelf->next;
    shelf->next += bytes;
    shelf->left -= bytes;
    return slot;
}

void weft_slot_give(weft_shelves *shelves, uint16_t column, uint32_t slot_class, void *slot)
{
    void **first = &shelves->each[column].given[slot_class];
    memcpy(slot, first, sizeof *first);
    *first = slot;
}

void weft_slot_announce(weft_shelves *shelves, uint16_t column, uint32_t size, uint32_t slot_class)
{
    shelves->each[column].left += weft_slot_bytes(slot_class, size);
}

bool weft_shelves_ready(weft_heap *heap, weft_shelves *shelves)
{
    for (uint32_t column = 0; column < shelves->count; column++) {
        weft_shelf *shelf = &shelves->each[column];
        if (shelf->left == 0) continue;
        size_t bytes = WEFT_LINE_BYTES + shelf->left;
        if (!chunk_open(heap, shelves, shelf, bytes, WEFT_LINE_BYTES)) return false;
    }
    return true;
}
