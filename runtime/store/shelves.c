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

// A shelf doubles, so that few tables take little memory and many take few chunks. What is left of
// the last chunk is lost. Chunks of two columns begin at different lines of a page, since the heap
// begins large ones alike, and the columns of a table would compete for few cache sets.
static bool chunk_add(weft_heap *heap, weft_shelves *shelves, uint16_t column, size_t slot_bytes)
{
    weft_shelf *shelf = &shelves->each[column];
    size_t start = WEFT_LINE_BYTES;
    size_t bytes = shelf->bytes;
    if (bytes < WEFT_CHUNK_BYTES_MIN) bytes = WEFT_CHUNK_BYTES_MIN;
    if (bytes > WEFT_CHUNK_BYTES_MAX) bytes = WEFT_CHUNK_BYTES_MAX;
    if (bytes > 4 * WEFT_PAGE_BYTES) start += column * WEFT_STAGGER_BYTES % WEFT_PAGE_BYTES;
    if (bytes < start + slot_bytes) bytes = start + slot_bytes;
    weft_chunk *chunk = (weft_chunk *)weft_allocate(heap, bytes);
    if (!chunk) return false;
    *chunk = (weft_chunk){shelves->chunks, bytes};
    shelves->chunks = chunk;
    shelf->next = (unsigned char *)chunk + start;
    shelf->left = bytes - start;
    shelf->bytes += bytes;
    return true;
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

weft_chunk *weft_shelves_renew(weft_shelves *shelves)
{
    weft_chunk *aside = shelves->chunks;
    memset(shelves->each, 0, shelves->count * sizeof *shelves->each);
    shelves->chunks = NULL;
    return aside;
}

void weft_shelves_settle(weft_heap *heap, weft_shelves *shelves, weft_chunk *aside, bool in_use)
{
    if (!in_use) {
        free_chunks(heap, aside);
        return;
    }
    weft_chunk **last = &shelves->chunks;
    while (*last) last = &(*last)->next;
    *last = aside;
}
