// Lends single rows of a range.
#include "lending.h"

void weft_cursor_lend_rows(weft_cursor *c, const uint16_t *sets, uint32_t set_count)
{
    uint32_t words = (c->count + 63) / 64;
    if (c->loan == 0) return;
    weft_cursor_lend(c, sets, set_count);
    uint64_t *mask = weft_rows_mask((weft_world *)(uintptr_t)c->world, c->loan, words);
    if (mask) memcpy(mask, weft_cursor_mask(c), words * sizeof *mask);
}

void weft_cursor_lend_list(weft_cursor *c, const weft_list *list, const uint16_t *sets,
                           uint32_t set_count)
{
    weft_world *world = (weft_world *)(uintptr_t)c->world;
    if (c->loan == 0) return;
    uint32_t first = (c->first + list->row[0]) & ~63u;
    uint32_t count = c->first + list->row[list->count - 1] + 1 - first;
    weft_lent_rows rows = {c->table, first, count, sets, set_count, false, false};
    c->loan = weft_rows_lent(world, c->loan, &rows);
    uint64_t *mask = weft_rows_mask(world, c->loan, (count + 63) / 64);
    for (uint32_t k = 0; mask && k < list->count; k++) {
        uint32_t row = c->first + list->row[k] - first;
        mask[row / 64] |= (uint64_t)1 << (row % 64);
    }
}
