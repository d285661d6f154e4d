// Bitsets: memory, writing bits, and the bits of rows that move.
#include "bitset.h"

void weft_bits_cut(const weft_plan *plan, weft_table *table, unsigned char *memory, size_t *bytes)
{
    size_t bitsets = (size_t)plan->column_count - plan->first_bitset;
    table->sparse_rows =
        (weft_sparse_rows *)weft_cut(memory, bytes, plan->sparse_count, sizeof(weft_sparse_rows));
    table->bitset_memory = (weft_region *)weft_cut(memory, bytes, bitsets, sizeof(weft_region));
    table->bitset_counts = (uint32_t *)weft_cut(memory, bytes, bitsets, sizeof(uint32_t));
    table->bitsets = (uint16_t *)weft_cut(memory, bytes, bitsets, sizeof(uint16_t));
}

// Counts the groups that only contain pointers to bitsets.
static size_t bitset_groups(const weft_plan *plan, const weft_table *table)
{
    size_t count = 0;
    uint32_t first = plan->first_bitset;
    if (first < WEFT_DIRECT_COLUMNS) first = WEFT_DIRECT_COLUMNS;
    for (uint32_t g = weft_group_of(first); g <= weft_group_of(plan->column_count - 1u); g++) {
        count += table->group_of[g] == 0;
    }
    return count;
}

bool weft_bits_open(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    if (table->bitset_memory) return true;
    weft_table counted;
    size_t bytes = 0;
    size_t groups = table->group_count + bitset_groups(plan, table);
    size_t numbers = table->group_count == 1 ? weft_group_of(plan->column_count - 1u) + 1u : 0;
    weft_bits_cut(plan, &counted, NULL, &bytes);
    weft_groups_cut(NULL, &bytes, groups);
    weft_cut(NULL, &bytes, numbers, sizeof(uint16_t));
    unsigned char *memory = (unsigned char *)weft_allocate_zeroed(heap, bytes);
    if (!memory) return false;
    table->bits = memory;
    table->bits_bytes = bytes;
    bytes = 0;
    weft_bits_cut(plan, table, memory, &bytes);
    void **wider = weft_groups_cut(memory, &bytes, groups);
    memcpy(wider, table->groups, table->group_count * WEFT_GROUP_COLUMNS * sizeof *wider);
    table->groups = wider;
    if (numbers != 0)
        table->group_of = (uint16_t *)weft_cut(memory, &bytes, numbers, sizeof(uint16_t));
    for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
        weft_column_give_place(table, column);
    }
    return true;
}

static size_t bitset_bytes(uint32_t rows)
{
    return (size_t)weft_bits_words(rows) * sizeof(uint64_t);
}

static bool grow_bitset(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t column,
                        uint32_t rows)
{
    weft_region *memory = &table->bitset_memory[column - plan->first_bitset];
    if (!weft_region_grow(heap, memory, bitset_bytes(rows), bitset_bytes(plan->max_entities)))
        return false;
    *weft_column_place(table, column) = memory->base;
    return true;
}

bool weft_bits_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows)
{
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        if (!grow_bitset(heap, plan, table, table->bitsets[i], rows)) return false;
    }
    return weft_change_bits_grow(heap, &table->change_bits, rows, plan->max_entities);
}

bool weft_bitset_open(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t column)
{
    if (weft_column(table, column)) return true;
    uint32_t capacity = table->capacity + table->capacity_kept; // one of them is 0
    uint32_t rows = capacity == 0 ? 1 : capacity;
    if (!weft_bits_open(heap, plan, table)) return false;
    if (!grow_bitset(heap, plan, table, column, rows)) return false;
    table->bitsets[table->bitset_count++] = (uint16_t)column;
    return true;
}

bool weft_bits_trim(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows)
{
    bool trimmed = weft_change_bits_trim(heap, &table->change_bits, rows);
    uint16_t kept = 0;
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        uint16_t column = table->bitsets[i];
        const uint64_t *words = (const uint64_t *)weft_column(table, column);
        bool any = weft_bits_count(words, weft_bits_words(table->count)) != 0;
        weft_region *memory = &table->bitset_memory[column - plan->first_bitset];
        trimmed = weft_region_trim(heap, memory, any ? bitset_bytes(rows) : 0) && trimmed;
        *weft_column_place(table, column) = memory->base;
        if (any) table->bitsets[kept++] = column;
    }
    table->bitset_count = kept;
    return trimmed;
}

// Returns the cache of rows with a sparse component, given its bitset. Returns NULL for a tag.
static weft_sparse_rows *sparse_rows_of(const weft_plan *plan, const weft_table *table,
                                        uint32_t column)
{
    uint16_t store = plan->components[plan->columns[column].component].sparse;
    return store == WEFT_NONE ? NULL : &table->sparse_rows[store];
}

// Sets or clears a bit. The bits of a tag are counted here. The count of a sparse component is only
// marked as outdated.
static void write_bit(const weft_plan *plan, weft_table *table, uint32_t column, uint32_t row,
                      bool on)
{
    uint64_t *words = (uint64_t *)weft_column(table, column);
    if (!words) {
        WEFT_ASSERT(on, ==, false, "a bit was set in a bitset without memory");
        return;
    }
    uint64_t bit = (uint64_t)1 << (row % 64);
    uint64_t word = words[row / 64];
    bool had = (word & bit) != 0;
    words[row / 64] = on ? word | bit : word & ~bit;
    weft_sparse_rows *listed = sparse_rows_of(plan, table, column);
    if (listed) {
        listed->counted = false;
    } else {
        table->bitset_counts[column - plan->first_bitset] += (uint32_t)on - (uint32_t)had;
    }
}

// Marks the rows of a mask as having gained a component, or removes their marks of it.
static void mark_mask(const weft_plan *plan, const weft_table *table, uint32_t component,
                      uint32_t first, const uint64_t *mask, uint32_t words, bool on)
{
    const weft_change_bits *bits = &table->change_bits;
    const weft_component_plan *c = &plan->components[component];
    if (on && c->changed != WEFT_NONE) {
        weft_mark_mask(bits, bits->slots[c->changed], first, mask, words);
    }
    if (on && c->added != WEFT_NONE) {
        weft_mark_mask(bits, bits->slots[c->added], first, mask, words);
    }
    for (uint32_t change_set = 0; !on && change_set < plan->change_set_count; change_set++) {
        if (plan->change_set_components[change_set] != component) continue;
        weft_unmark_mask(bits, bits->slots[change_set], first, mask, words);
    }
}

void weft_bitset_write(const weft_plan *plan, weft_table *table, uint32_t column, uint32_t row,
                       bool on)
{
    const weft_change_bits *bits = &table->change_bits;
    uint32_t component = plan->columns[column].component;
    WEFT_ASSERT(bits->set_count != 0 && weft_bitset_bit(table, column, row) == on, ==, false,
                "a bit that change bits depend on was written, and did not change");
    write_bit(plan, table, column, row, on);
    if (bits->set_count == 0) return;
    if (on) {
        weft_row_added(plan, table, row, component);
        return;
    }
    for (uint32_t change_set = 0; change_set < plan->change_set_count; change_set++) {
        if (plan->change_set_components[change_set] != component) continue;
        weft_unmark(bits, bits->slots[change_set], row);
    }
}

void weft_bitset_flip(const weft_plan *plan, weft_table *table, uint32_t column,
                      uint32_t first_word, const uint64_t *mask, uint32_t words, bool on)
{
    uint32_t flipped = weft_bits_count(mask, words);
    if (flipped == 0) return;
    uint64_t *bits = weft_bitset_word(table, column, first_word * 64);
    for (uint32_t i = 0; i < words; i++) bits[i] ^= mask[i];
    table->bitset_counts[column - plan->first_bitset] += on ? flipped : 0u - flipped;
    if (table->change_bits.set_count == 0) return;
    uint32_t component = plan->columns[column].component;
    mark_mask(plan, table, component, first_word * 64, mask, words, on);
}

void weft_bits_copy(const weft_plan *plan, const weft_table *from, uint32_t from_row,
                    weft_table *to, uint32_t to_row)
{
    for (uint16_t i = 0; i < from->bitset_count; i++) {
        uint16_t column = from->bitsets[i];
        if (weft_bitset_bit(from, column, from_row)) write_bit(plan, to, column, to_row, true);
    }
}

// Marks rows, given by the bits of a word, as having gained a component.
static void mark_word_added(const weft_plan *plan, const weft_table *table, uint32_t first,
                            uint64_t bits, uint32_t component)
{
    while (table->change_bits.set_count != 0 && bits != 0) {
        weft_row_added(plan, table, first + weft_bits_pop(&bits), component);
    }
}

// The rows may begin in the middle of a word of `to`.
void weft_bits_append(const weft_plan *plan, const weft_table *from, weft_table *to,
                      uint32_t to_row, uint32_t column)
{
    uint32_t component = plan->columns[column].component;
    uint32_t bitset = column - plan->first_bitset;
    const uint64_t *words = (const uint64_t *)weft_column(from, column);
    uint64_t *to_words = weft_bitset_word(to, column, to_row);
    uint32_t shift = to_row % 64;
    for (uint32_t word = 0; word < weft_bits_words(from->count); word++) {
        uint64_t bits = words[word];
        uint64_t beyond = shift == 0 ? 0 : bits >> (64 - shift);
        if (bits == 0) continue;
        to_words[word] |= bits << shift;
        if (beyond != 0) to_words[word + 1] |= beyond;
        mark_word_added(plan, to, to_row + word * 64, bits, component);
    }
    weft_sparse_rows *listed = sparse_rows_of(plan, to, column);
    if (listed) {
        listed->counted = false;
    } else {
        to->bitset_counts[bitset] += from->bitset_counts[bitset];
    }
}

void weft_bits_empty(const weft_plan *plan, weft_table *table)
{
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        uint16_t column = table->bitsets[i];
        memset(weft_column(table, column), 0, bitset_bytes(table->count));
        table->bitset_counts[column - plan->first_bitset] = 0;
    }
    for (uint32_t i = 0; table->sparse_rows && i < plan->sparse_count; i++) {
        table->sparse_rows[i].counted = false;
    }
}

void weft_bits_drop(const weft_plan *plan, weft_table *table, uint32_t row)
{
    uint32_t last = table->count - 1;
    uint64_t row_bit = (uint64_t)1 << (row % 64);
    uint64_t last_bit = (uint64_t)1 << (last % 64);
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        uint16_t column = table->bitsets[i];
        uint32_t bitset = column - plan->first_bitset;
        uint64_t *words = (uint64_t *)weft_column(table, column);
        weft_sparse_rows *listed = sparse_rows_of(plan, table, column);
        if (!listed && table->bitset_counts[bitset] == 0) continue; // all bits are 0
        bool dropped = (words[row / 64] & row_bit) != 0;
        words[row / 64] &= ~row_bit;
        bool moved = (words[last / 64] & last_bit) != 0; // false if the row is the last
        if (moved) {
            words[last / 64] &= ~last_bit;
            words[row / 64] |= row_bit;
        }
        if (!listed) {
            table->bitset_counts[bitset] -= dropped;
        } else if (dropped || moved) {
            listed->counted = false;
        }
    }
}
