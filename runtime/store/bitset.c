// Bitsets: a bit a row for who has a tag or a sparse component, with what goes along: how many have
// it, and marks of who got it. The members of a tag are counted as they come and go; those of a
// sparse component when somebody asks (query/sparse_rows.h), which is only told here that they may
// differ.
#include "bitset.h"

static size_t bitset_bytes(uint32_t rows)
{
    return ((size_t)rows / 64 + (rows % 64 != 0)) * sizeof(uint64_t);
}

static bool grow_bitset(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t column,
                        uint32_t rows)
{
    weft_region *memory = &table->bitset_memory[column - plan->first_bitset];
    if (!weft_region_grow(heap, memory, bitset_bytes(rows), bitset_bytes(plan->max_entities))) {
        return false;
    }
    weft_columns(table)[column] = memory->base;
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
    uint32_t rows = table->capacity == 0 ? 1 : table->capacity;
    if (!grow_bitset(heap, plan, table, column, rows)) return false;
    table->bitsets[table->bitset_count++] = (uint16_t)column;
    return true;
}

// How many bits of a word are set: those of pairs, of four, of eight, then the sum of the bytes
// (Warren, Hacker's Delight, 5-1). Compilers know it where the machine has an instruction for it.
static uint32_t bits_of(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101;
    word -= word >> 1 & ones * 0x55;
    word = (word & ones * 0x33) + (word >> 2 & ones * 0x33);
    word = (word + (word >> 4)) & ones * 0x0f;
    return (uint32_t)(word * ones >> 56);
}

uint32_t weft_bits_count(const uint64_t *words, uint32_t count)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count; i++) bits += bits_of(words[i]);
    return bits;
}

// What is remembered of a sparse component, by its bitset; NULL: the bitset is a tag's.
static weft_sparse_rows *remembered(const weft_plan *plan, const weft_table *table, uint32_t column)
{
    uint16_t store = plan->components[plan->columns[column].component].sparse;
    return store == WEFT_NONE ? NULL : &table->sparse_rows[store];
}

// Sets or clears a bit; gives what it was.
static bool put_bit(const weft_plan *plan, weft_table *table, uint32_t column, uint32_t row,
                    bool on)
{
    uint64_t *words = (uint64_t *)weft_column(table, column);
    if (!words) {
        WEFT_ASSERT(on, ==, false, "a bit was set in a bitset without memory");
        return false;
    }
    uint64_t bit = (uint64_t)1 << (row % 64);
    uint64_t word = words[row / 64];
    bool had = (word & bit) != 0;
    words[row / 64] = on ? word | bit : word & ~bit;
    weft_sparse_rows *listed = remembered(plan, table, column);
    if (listed) {
        listed->counted = false;
    } else {
        table->bitset_counts[column - plan->first_bitset] += (uint32_t)on - (uint32_t)had;
    }
    return had;
}

// Marks of a row for a tag or sparse component that it gets or loses.
static void mark_bit(const weft_plan *plan, weft_table *table, uint32_t component, uint32_t row,
                     bool on)
{
    if (on) {
        weft_row_added(plan, table, row, component);
        return;
    }
    for (uint32_t change_set = 0; change_set < plan->change_set_count; change_set++) {
        if (plan->change_set_components[change_set] != component) continue;
        weft_unmark(&table->change_bits, table->change_bits.slots[change_set], row);
    }
}

void weft_bitset_write(const weft_plan *plan, weft_table *table, uint32_t column, uint32_t row,
                       bool on)
{
    bool had = put_bit(plan, table, column, row, on);
    if (table->change_bits.set_count == 0 || had == on) return;
    mark_bit(plan, table, plan->columns[column].component, row, on);
}

static void clear_marks(const weft_plan *plan, weft_table *table, uint32_t component)
{
    for (uint32_t change_set = 0; change_set < plan->change_set_count; change_set++) {
        if (plan->change_set_components[change_set] != component) continue;
        weft_change_bits_clear(&table->change_bits, table->change_bits.slots[change_set],
                               table->count);
    }
}

void weft_bitset_clear(const weft_plan *plan, weft_table *table, uint32_t column)
{
    uint32_t bitset = column - plan->first_bitset;
    if (table->bitset_counts[bitset] == 0) return;
    memset(weft_column(table, column), 0, bitset_bytes(table->count));
    table->bitset_counts[bitset] = 0;
    clear_marks(plan, table, plan->columns[column].component);
}

void weft_bits_copy(const weft_plan *plan, const weft_table *from, uint32_t from_row,
                    weft_table *to, uint32_t to_row)
{
    for (uint16_t i = 0; i < from->bitset_count; i++) {
        uint16_t column = from->bitsets[i];
        if (weft_bitset_bit(from, column, from_row)) put_bit(plan, to, column, to_row, true);
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
        weft_sparse_rows *listed = remembered(plan, table, column);
        if (!listed && table->bitset_counts[bitset] == 0) continue;
        bool dropped = (words[row / 64] & row_bit) != 0;
        words[row / 64] &= ~row_bit;
        bool moved = (words[last / 64] & last_bit) != 0; // not if the row was the last
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

#ifdef WEFT_HARD
void weft_bitsets_relocate(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        uint16_t column = table->bitsets[i];
        weft_region *memory = &table->bitset_memory[column - plan->first_bitset];
        weft_region_relocate(heap, memory);
        weft_columns(table)[column] = memory->base;
    }
}
#endif
