// Bitsets of a table: one bit a row for each tag and each sparse component, 64 rows a word, and the
// change bits that follow from setting them.
//
// A bitset has memory from its first set bit on, and then for `capacity` rows like the columns. Its
// bits past the last row are 0. The bit of a sparse component is set exactly if the store has a
// value for the entity of the row.
//
// The number of set bits lets a walk skip a table where no row has the component, and look at no
// bit where all have it. The bits of a tag are counted as they change. Those of a sparse component
// are counted by query/sparse_rows.h on demand, which is only told here to count anew.
#ifndef WEFT_BITSET_H
#define WEFT_BITSET_H

#include "table.h"

// Cuts memory for what a table knows of its bitsets into its parts, from *bytes on, which end
// behind them. Without memory, only counts the bytes.
void weft_bits_cut(const weft_plan *plan, weft_table *table, unsigned char *memory, size_t *bytes);

// Gives a table the memory for that, and for groups with the pointers of all bitsets, in a schema
// of many columns. False: no memory.
bool weft_bits_open(weft_heap *heap, const weft_plan *plan, weft_table *table);

// Gives a bitset (by column number) memory if it has none. False: no memory.
bool weft_bitset_open(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t column);

// Sets or clears a bit, and writes the change bits of the row. The bitset has memory if the bit is
// to be set. In a table with change bits it must not have this value already, because the row would
// count as changed. O(1) for a set bit, O(change sets) for a cleared one.
void weft_bitset_write(const weft_plan *plan, weft_table *table, uint32_t column, uint32_t row,
                       bool on);

// Returns the word of a bitset that has the bit of a row; NULL: the bitset has no memory.
WEFT_ALWAYS_INLINE uint64_t *weft_bitset_word(const weft_table *table, uint32_t column,
                                              uint32_t row)
{
    uint64_t *words = (uint64_t *)weft_column(table, column);
    return words ? words + row / 64 : NULL;
}

// Sets or clears the bit of a tag in a word of its bitset, which has the other value, and counts
// it. `bitset` is the number of the bitset. Writes no change bits.
WEFT_ALWAYS_INLINE void weft_bitset_flip_bit(weft_table *table, uint32_t bitset, uint64_t *word,
                                             uint64_t bit, bool on)
{
    *word ^= bit;
    table->bitset_counts[bitset] += on ? 1u : UINT32_MAX;
}

// Sets or clears the bits of a mask in the bitset of a tag, counts them, and writes the change bits
// of their rows. Bit i of word w of the mask is row (first_word + w) * 64 + i, which must have the
// other value. The bitset has memory if a bit of the mask is set. O(words), with change bits also
// O(change sets).
void weft_bitset_flip(const weft_plan *plan, weft_table *table, uint32_t column,
                      uint32_t first_word, const uint64_t *mask, uint32_t words, bool on);

// Gives bitsets and change bits memory for so many rows. False: no memory; those that grew may stay
// so, since ones larger than the columns do no harm.
bool weft_bits_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows);

// Gives back all memory of bitsets without a bit; of other bitsets and change bits only what lies
// beyond `rows`, the rows that there are. False: no memory to copy what stays.
bool weft_bits_trim(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows);

// Sets the bits that a row has for a row of another table, which has memory for those bitsets.
void weft_bits_copy(const weft_plan *plan, const weft_table *from, uint32_t from_row,
                    weft_table *to, uint32_t to_row);

// Sets the bits that the rows of a table of another world have for the rows from `to_row` on, which
// have no bits yet, in one bitset (by column number). `to` has memory for them. O(rows / 64), and
// with change bits O(1) for each set bit.
void weft_bits_append(const weft_plan *plan, const weft_table *from, weft_table *to,
                      uint32_t to_row, uint32_t column);

// Clears the bits of all rows, because they are about to be forgotten. Change bits stay.
void weft_bits_empty(const weft_plan *plan, weft_table *table);

// Moves the bits of the last row to `row`, and clears those of the last row.
void weft_bits_drop(const weft_plan *plan, weft_table *table, uint32_t row);

#endif
