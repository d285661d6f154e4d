// Bitsets of a table: one bit a row for each tag and each sparse component, 64 rows a word, and the
// change bits that must be updated with them.
//
// A bitset gets memory with its first set bit, for `capacity` rows like the columns. Bits past the
// last row are 0. The bit of a sparse component is set if and only if the store has a value for the
// entity of the row.
//
// The number of set bits lets a walk skip a table if no row has the component, and skip the bits if
// all rows have it. The bits of a tag are counted as they change. Those of a sparse component are
// counted by query/sparse_rows.h on demand; this module only marks the count as outdated.
#ifndef WEFT_BITSET_H
#define WEFT_BITSET_H

#include "table.h"

// Places the arrays about a table's bitsets in `memory` from *bytes, and advances *bytes to their
// end. If `memory` is NULL, it only counts the bytes.
void weft_bits_cut(const weft_plan *plan, weft_table *table, unsigned char *memory, size_t *bytes);

// Allocates these arrays, and the groups with pointers to bitsets in a schema of many columns.
// Returns false if there is no memory.
bool weft_bits_open(weft_heap *heap, const weft_plan *plan, weft_table *table);

// Allocates a bitset (by column number) if it has no memory. Returns false if there is no memory.
bool weft_bitset_open(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t column);

// Sets or clears a bit, and updates the change bits of the row. To set a bit, the bitset must have
// memory. In a table with change bits the bit must change, because the row would count as changed
// otherwise. O(1) to set a bit, O(change sets) to clear one.
void weft_bitset_write(const weft_plan *plan, weft_table *table, uint32_t column, uint32_t row,
                       bool on);

// Returns the word of a bitset that contains the bit of a row. Returns NULL if the bitset has no
// memory.
WEFT_ALWAYS_INLINE uint64_t *weft_bitset_word(const weft_table *table, uint32_t column,
                                              uint32_t row)
{
    uint64_t *words = (uint64_t *)weft_column(table, column);
    return words ? words + row / 64 : NULL;
}

// Sets or clears the bit of a tag in a word of its bitset, and counts it. The bit must have the
// other value. `bitset` is the number of the bitset. Does not write change bits.
WEFT_ALWAYS_INLINE void weft_bitset_flip_bit(weft_table *table, uint32_t bitset, uint64_t *word,
                                             uint64_t bit, bool on)
{
    *word ^= bit;
    table->bitset_counts[bitset] += on ? 1u : UINT32_MAX;
}

// Sets or clears the bits of a mask in the bitset of a tag, counts them, and updates the change
// bits of their rows. Bit i of word w of the mask is row (first_word + w) * 64 + i, whose bit must
// have the other value. The bitset must have memory if the mask is not empty. O(words), and
// O(change sets) more with change bits.
void weft_bitset_flip(const weft_plan *plan, weft_table *table, uint32_t column,
                      uint32_t first_word, const uint64_t *mask, uint32_t words, bool on);

// Grows bitsets and change bits to `rows` rows. Returns false if there is no memory. Some may have
// grown then, which is harmless, because they may be larger than the columns.
bool weft_bits_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows);

// Frees the memory of bitsets without a set bit. Shrinks other bitsets and change bits to `rows`,
// the number of rows. Returns false if there is no memory to copy the rest.
bool weft_bits_trim(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows);

// Copies the set bits of a row to a row of another table, which has memory for those bitsets.
void weft_bits_copy(const weft_plan *plan, const weft_table *from, uint32_t from_row,
                    weft_table *to, uint32_t to_row);

// Copies the bits of one bitset (by column number) from a table of another world to the rows of
// `to` from `to_row`, which have no bits yet. `to` has memory for them. O(rows / 64), and O(1) more
// for each set bit with change bits.
void weft_bits_append(const weft_plan *plan, const weft_table *from, weft_table *to,
                      uint32_t to_row, uint32_t column);

// Clears the bits of all rows, because the caller is about to remove them. Change bits stay.
void weft_bits_empty(const weft_plan *plan, weft_table *table);

// Moves the bits of the last row to `row`, and clears the bits of the last row.
void weft_bits_drop(const weft_plan *plan, weft_table *table, uint32_t row);

#endif
