// Marks of many rows at once, and of rows that move.
#include "change_bits.h"

// Bytes of a word for each `unit` rows of each change set.
static size_t words_bytes(const weft_change_bits *marks, uint32_t rows, uint32_t unit)
{
    size_t words = rows / unit + (rows % unit != 0);
    return words * marks->set_count * sizeof(uint64_t);
}

static bool grow(weft_heap *heap, const weft_change_bits *marks, weft_region *region, uint32_t unit,
                 uint32_t rows, uint32_t rows_max)
{
    return weft_region_grow(heap, region, words_bytes(marks, rows, unit),
                            words_bytes(marks, rows_max, unit));
}

bool weft_change_bits_grow(weft_heap *heap, weft_change_bits *marks, uint32_t rows,
                           uint32_t rows_max)
{
    return grow(heap, marks, &marks->summaries, WEFT_CHANGE_ROWS, rows, rows_max) &&
           grow(heap, marks, &marks->words, 64, rows, rows_max);
}

void weft_change_bits_free(weft_heap *heap, weft_change_bits *marks)
{
    weft_region_free(heap, &marks->words);
    weft_region_free(heap, &marks->summaries);
}

// The low `count` bits, at most 64.
static uint64_t low_bits(uint32_t count)
{
    return count < 64 ? ((uint64_t)1 << count) - 1 : ~(uint64_t)0;
}

static void mark_word(const weft_change_bits *marks, uint32_t slot, uint32_t row, uint64_t bits)
{
    if (bits == 0) return;
    weft_change_bits_summary(marks, row)[slot] |= (uint64_t)1 << (row / 64 % WEFT_CHANGE_BLOCKS);
    weft_change_bits_block(marks, row)[slot] |= bits;
}

void weft_mark_range(const weft_change_bits *marks, uint32_t slot, uint32_t first, uint32_t count)
{
    while (count != 0) {
        uint32_t room = 64 - first % 64;
        uint32_t rows = count < room ? count : room;
        mark_word(marks, slot, first, low_bits(rows) << (first % 64));
        first += rows;
        count -= rows;
    }
}

void weft_mark_mask(const weft_change_bits *marks, uint32_t slot, uint32_t first,
                    const uint64_t *mask, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) mark_word(marks, slot, first + i * 64, mask[i]);
}

void weft_change_bits_move(const weft_change_bits *from, uint32_t from_row,
                           const weft_change_bits *to, uint32_t to_row, const weft_plan *plan)
{
    const uint64_t *had = from->set_count == 0 ? NULL : weft_change_bits_block(from, from_row);
    uint64_t *has = weft_change_bits_block(to, to_row);
    uint64_t *summary = weft_change_bits_summary(to, to_row);
    for (uint32_t change_set = 0; change_set < plan->change_set_count; change_set++) {
        uint32_t slot = from->slots[change_set];
        uint32_t to_slot = to->slots[change_set];
        if (to_slot == WEFT_NONE) continue;
        uint64_t mark = slot == WEFT_NONE ? change_set < plan->added_change_sets
                                          : had[slot] >> (from_row % 64) & 1u;
        has[to_slot] |= mark << (to_row % 64);
        summary[to_slot] |= mark << (to_row / 64 % WEFT_CHANGE_BLOCKS);
    }
}

void weft_change_bits_drop(const weft_change_bits *marks, uint32_t row, uint32_t last)
{
    uint64_t *hole = weft_change_bits_block(marks, row);
    uint64_t *summary = weft_change_bits_summary(marks, row);
    uint64_t *end = weft_change_bits_block(marks, last);
    uint64_t row_bit = (uint64_t)1 << (row % 64);
    for (uint32_t slot = 0; slot < marks->set_count; slot++) {
        uint64_t mark = end[slot] >> (last % 64) & 1u;
        end[slot] &= ~((uint64_t)1 << (last % 64));
        if (row == last) continue;
        hole[slot] = (hole[slot] & ~row_bit) | mark << (row % 64);
        summary[slot] |= mark << (row / 64 % WEFT_CHANGE_BLOCKS);
    }
}

void weft_change_bits_clear(const weft_change_bits *marks, uint32_t slot, uint32_t rows)
{
    for (uint64_t row = 0; row < rows; row += WEFT_CHANGE_ROWS) {
        uint64_t *summary = weft_change_bits_summary(marks, (uint32_t)row);
        uint64_t *words = weft_change_bits_block(marks, (uint32_t)row) + slot;
        for (uint64_t blocks = summary[slot]; blocks != 0; blocks &= blocks - 1) {
            words[(size_t)weft_lowest_bit(blocks) * marks->set_count] = 0;
        }
        summary[slot] = 0;
    }
}

void weft_change_bits_add(const weft_change_bits *marks, uint32_t from, uint32_t to, uint32_t rows)
{
    for (uint64_t row = 0; row < rows; row += WEFT_CHANGE_ROWS) {
        uint64_t *summary = weft_change_bits_summary(marks, (uint32_t)row);
        uint64_t *first = weft_change_bits_block(marks, (uint32_t)row);
        for (uint64_t blocks = summary[from]; blocks != 0; blocks &= blocks - 1) {
            uint64_t *words = first + (size_t)weft_lowest_bit(blocks) * marks->set_count;
            words[to] |= words[from];
        }
        summary[to] |= summary[from];
    }
}
