// The filters and walks of a large schema, which has hundreds of them, call these functions: calls
// compile sooner than the inline functions of other schemas.
#ifndef WEFT_APART_H
#define WEFT_APART_H

#include "cursor.h"

bool weft_has_column(const weft_table *table, uint32_t column);

// The next three do what those without `apart` do.
const uint64_t *weft_bitset_words_apart(const weft_table *table, uint32_t column,
                                        uint32_t first_word);
const uint64_t *weft_component_words_apart(const weft_table *table, uint32_t column);
uint32_t weft_sparse_rows_count_apart(const weft_world *world, const weft_table *table,
                                      uint32_t store, uint32_t column);

// Masks computed from words for 64 rows each. Each function fills `mask` and returns it.
const uint64_t *weft_mask_not(uint64_t *mask, uint32_t words, const uint64_t *a);
const uint64_t *weft_mask_and(uint64_t *mask, uint32_t words, const uint64_t *a, const uint64_t *b);
const uint64_t *weft_mask_or(uint64_t *mask, uint32_t words, const uint64_t *a, const uint64_t *b);
const uint64_t *weft_mask_and_not(uint64_t *mask, uint32_t words, const uint64_t *a,
                                  const uint64_t *b);

// Writes an array of pointers to what each row of the range at hand has in a sparse store; NULL: it
// has none.
void weft_sparse_pointers(const weft_cursor *c, uint32_t store, void *pointers);

#endif
