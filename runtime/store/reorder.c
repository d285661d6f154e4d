// Columns are gathered into scratch memory and copied back. Bits are gathered a word at a time.
#include "reorder.h"

size_t weft_reorder_bytes(const weft_table *table)
{
    size_t most = weft_bits_words(table->count) * sizeof(uint64_t);
    for (uint32_t i = 0; i < table->present_count; i++) {
        size_t bytes = (size_t)table->count * table->present[i].size;
        if (bytes > most) most = bytes;
    }
    return most;
}

static void reorder_column(const weft_table *table, const weft_present *column,
                           const uint32_t *from, unsigned char *scratch)
{
    size_t size = column->size;
    for (uint32_t row = 0; row < table->count; row++) {
        weft_copy(scratch + row * size, column->base + from[row] * size, size);
    }
    memcpy(column->base, scratch, table->count * size);
}

// Gathers the bits of up to 64 rows from words that lie `stride` apart.
static uint64_t gather_word(weft_strided bits, const uint32_t *from, uint32_t rows)
{
    uint64_t word = 0;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t row = from[i];
        word |= (bits.words[(size_t)(row / 64) * bits.stride] >> (row % 64) & 1u) << i;
    }
    return word;
}

static void gather_bits(const weft_table *table, weft_strided bits, const uint32_t *from,
                        uint64_t *scratch)
{
    for (uint32_t row = 0; row < table->count; row += 64) {
        uint32_t left = table->count - row;
        scratch[row / 64] = gather_word(bits, from + row, left < 64 ? left : 64);
    }
}

static void reorder_bitset(const weft_plan *plan, const weft_table *table, uint32_t column,
                           const uint32_t *from, uint64_t *scratch)
{
    uint64_t *words = (uint64_t *)weft_column(table, column);
    uint16_t store = plan->components[plan->columns[column].component].sparse;
    if (store == WEFT_NONE && table->bitset_counts[column - plan->first_bitset] == 0) return;
    gather_bits(table, (weft_strided){words, 1}, from, scratch);
    memcpy(words, scratch, weft_bits_words(table->count) * sizeof *words);
    if (store != WEFT_NONE) table->sparse_rows[store].counted = false;
}

// Moves the bits of a change set, if any are set.
static void reorder_changes(const weft_table *table, uint32_t slot, const uint32_t *from,
                            uint64_t *scratch)
{
    const weft_change_bits *bits = &table->change_bits;
    const weft_strided words = {weft_change_bits_block(bits, 0) + slot, bits->set_count};
    uint64_t any = 0;
    for (uint64_t row = 0; row < table->count; row += WEFT_CHANGE_ROWS) {
        any |= weft_change_bits_summary(bits, (uint32_t)row)[slot];
    }
    if (any == 0) return;
    gather_bits(table, words, from, scratch);
    weft_change_bits_clear(bits, slot, table->count);
    weft_mark_mask(bits, slot, 0, scratch, weft_bits_words(table->count));
}

void weft_reorder(const weft_plan *plan, weft_table *table, const uint32_t *from, void *scratch)
{
    for (uint32_t i = 0; i < table->present_count; i++) {
        reorder_column(table, &table->present[i], from, (unsigned char *)scratch);
    }
    for (uint32_t i = 0; i < table->bitset_count; i++) {
        reorder_bitset(plan, table, table->bitsets[i], from, (uint64_t *)scratch);
    }
    for (uint32_t slot = 0; slot < table->change_bits.set_count; slot++) {
        reorder_changes(table, slot, from, (uint64_t *)scratch);
    }
}
