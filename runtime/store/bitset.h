// Bitsets of a table: one bit a row for each tag and each sparse component, and the change bits that
// follow from setting them.
#ifndef WEFT_BITSET_H
#define WEFT_BITSET_H

#include "table.h"

// Gives a bitset (by column number) memory if it has none. False: no memory.
bool weft_bitset_open(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t column);

// Sets or clears a bit of a bitset that has memory (clearing one of a bitset without is fine), and
// marks the row for readers of that. O(1).
void weft_bitset_write(const weft_plan *plan, weft_table *table, uint32_t column, uint32_t row,
                       bool on);

// How many bits of so many words are set.
uint32_t weft_bits_count(const uint64_t *words, uint32_t count);

// Clears the whole bitset of a tag. O(rows / 64).
void weft_bitset_clear(const weft_plan *plan, weft_table *table, uint32_t column);

// Bitsets and marks for so many rows. Ones larger than the columns do no harm, so those that grew
// may stay so if another cannot. False: no memory.
bool weft_bits_grow(weft_heap *heap, const weft_plan *plan, weft_table *table, uint32_t rows);

// Sets the bits that a row has for one of another table, which has those bitsets.
void weft_bits_copy(const weft_plan *plan, const weft_table *from, uint32_t from_row,
                    weft_table *to, uint32_t to_row);

// Puts the bits of the last row in the place of those of `row`, and clears the last ones.
void weft_bits_drop(const weft_plan *plan, weft_table *table, uint32_t row);

#ifdef WEFT_HARD
void weft_bitsets_relocate(weft_heap *heap, const weft_plan *plan, weft_table *table);
#endif

#endif
