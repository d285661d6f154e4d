// Change bits: memory, ranges of rows, and rows that move.
#include "change_bits.h"

// Grows an array with one word for each `unit` rows of each change set.
static bool grow(weft_heap *heap, const weft_change_bits *bits, weft_region *region, uint32_t unit,
                 uint32_t rows, uint32_t rows_max)
{
    size_t word_bytes = bits->set_count * sizeof(uint64_t);
    size_t words = rows / unit + (rows % unit != 0);
    size_t words_max = rows_max / unit + (rows_max % unit != 0);
    return weft_region_grow(heap, region, words * word_bytes, words_max * word_bytes);
}

bool weft_change_bits_grow(weft_heap *heap, weft_change_bits *bits, uint32_t rows,
                           uint32_t rows_max)
{
    return grow(heap, bits, &bits->summaries, WEFT_CHANGE_ROWS, rows, rows_max) &&
           grow(heap, bits, &bits->words, 64, rows, rows_max);
}

// Clears the bits of summaries for words after the last row. These words are 0 and are about to be
// freed.
static void forget_blocks(const weft_change_bits *bits, uint32_t rows)
{
    size_t stretches = bits->summaries.bytes / (bits->set_count * sizeof(uint64_t));
    uint64_t *summaries = (uint64_t *)(void *)bits->summaries.base;
    uint32_t last = rows / WEFT_CHANGE_ROWS;
    for (size_t i = last; i < stretches; i++) {
        uint64_t kept = i == last ? weft_bits_low(weft_bits_words(rows % WEFT_CHANGE_ROWS)) : 0;
        for (uint32_t slot = 0; slot < bits->set_count; slot++) {
            summaries[i * bits->set_count + slot] &= kept;
        }
    }
}

bool weft_change_bits_trim(weft_heap *heap, weft_change_bits *bits, uint32_t rows)
{
    size_t block_bytes = bits->set_count * sizeof(uint64_t);
    size_t stretches = rows / WEFT_CHANGE_ROWS + (rows % WEFT_CHANGE_ROWS != 0);
    if (bits->set_count == 0) return true;
    forget_blocks(bits, rows);
    bool words = weft_region_trim(heap, &bits->words, weft_bits_words(rows) * block_bytes);
    return weft_region_trim(heap, &bits->summaries, stretches * block_bytes) && words;
}

void weft_change_bits_free(weft_heap *heap, weft_change_bits *bits)
{
    weft_region_free(heap, &bits->words);
    weft_region_free(heap, &bits->summaries);
}

static void mark_word(const weft_change_bits *bits, uint32_t slot, uint32_t row, uint64_t word)
{
    if (word == 0) return;
    weft_change_bits_summary(bits, row)[slot] |= (uint64_t)1 << (row / 64 % WEFT_CHANGE_BLOCKS);
    weft_change_bits_block(bits, row)[slot] |= word;
}

void weft_mark_range(const weft_change_bits *bits, uint32_t slot, uint32_t first, uint32_t count)
{
    while (count != 0) {
        uint32_t left = 64 - first % 64; // rows left in the word
        uint32_t rows = count < left ? count : left;
        mark_word(bits, slot, first, weft_bits_low(rows) << (first % 64));
        first += rows;
        count -= rows;
    }
}

void weft_mark_mask(const weft_change_bits *bits, uint32_t slot, uint32_t first,
                    const uint64_t *mask, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) mark_word(bits, slot, first + i * 64, mask[i]);
}

void weft_unmark_mask(const weft_change_bits *bits, uint32_t slot, uint32_t first,
                      const uint64_t *mask, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) {
        uint32_t row = first + i * 64;
        if (mask[i] == 0) continue;
        uint64_t *word = weft_change_bits_block(bits, row) + slot;
        *word &= ~mask[i];
        if (*word != 0) continue;
        weft_change_bits_summary(bits, row)[slot] &=
            ~((uint64_t)1 << (row / 64 % WEFT_CHANGE_BLOCKS));
    }
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
        // A table component that only the other table has is added by this move.
        uint64_t bit = slot == WEFT_NONE ? change_set < plan->added_change_sets
                                         : had[slot] >> (from_row % 64) & 1u;
        has[to_slot] |= bit << (to_row % 64);
        summary[to_slot] |= bit << (to_row / 64 % WEFT_CHANGE_BLOCKS);
    }
}

void weft_change_bits_drop(const weft_change_bits *bits, uint32_t row, uint32_t last)
{
    uint64_t *hole = weft_change_bits_block(bits, row);
    uint64_t *summary = weft_change_bits_summary(bits, row);
    uint64_t *end = weft_change_bits_block(bits, last);
    uint64_t row_bit = (uint64_t)1 << (row % 64);
    for (uint32_t slot = 0; slot < bits->set_count; slot++) {
        uint64_t bit = end[slot] >> (last % 64) & 1u;
        end[slot] &= ~((uint64_t)1 << (last % 64));
        if (row == last) continue;
        hole[slot] = (hole[slot] & ~row_bit) | bit << (row % 64);
        summary[slot] |= bit << (row / 64 % WEFT_CHANGE_BLOCKS);
    }
}

void weft_change_bits_clear(const weft_change_bits *bits, uint32_t slot, uint32_t rows)
{
    for (uint64_t row = 0; row < rows; row += WEFT_CHANGE_ROWS) {
        uint64_t *summary = weft_change_bits_summary(bits, (uint32_t)row) + slot;
        uint64_t *words = weft_change_bits_block(bits, (uint32_t)row) + slot;
        uint64_t blocks = *summary;
        *summary = 0;
        while (blocks != 0) words[(size_t)weft_bits_pop(&blocks) * bits->set_count] = 0;
    }
}

void weft_change_bits_add(const weft_change_bits *bits, uint32_t from, uint32_t to, uint32_t rows)
{
    for (uint64_t row = 0; row < rows; row += WEFT_CHANGE_ROWS) {
        uint64_t *summary = weft_change_bits_summary(bits, (uint32_t)row);
        uint64_t *first = weft_change_bits_block(bits, (uint32_t)row);
        summary[to] |= summary[from];
        for (uint64_t blocks = summary[from]; blocks != 0;) {
            uint64_t *words = first + (size_t)weft_bits_pop(&blocks) * bits->set_count;
            words[to] |= words[from];
        }
    }
}
