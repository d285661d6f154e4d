// Functions for the filters and walks of a large schema. It has hundreds of them, and calls compile
// faster than the inline functions of other schemas.
#ifndef WEFT_APART_H
#define WEFT_APART_H

#include "cursor.h"

bool weft_has_column(const weft_table *table, uint32_t column);

// Out-of-line copies of the functions without `apart`.
const uint64_t *weft_bitset_words_apart(const weft_table *table, uint32_t column,
                                        uint32_t first_word);
const uint64_t *weft_component_words_apart(const weft_table *table, uint32_t column);
uint32_t weft_sparse_rows_count_apart(const weft_world *world, const weft_table *table,
                                      uint32_t store, uint32_t column);

// Masks computed from words of 64 rows. Each function fills `mask` and returns it.
const uint64_t *weft_mask_not(uint64_t *mask, uint32_t words, const uint64_t *a);
const uint64_t *weft_mask_and(uint64_t *mask, uint32_t words, const uint64_t *a, const uint64_t *b);
const uint64_t *weft_mask_or(uint64_t *mask, uint32_t words, const uint64_t *a, const uint64_t *b);
const uint64_t *weft_mask_and_not(uint64_t *mask, uint32_t words, const uint64_t *a,
                                  const uint64_t *b);

// Writes to `pointers` where a sparse store keeps the value of each row in the current range. A
// pointer is NULL if the row has no value.
void weft_sparse_pointers(const weft_cursor *c, uint32_t store, void *pointers);

#endif
