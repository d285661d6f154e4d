// Out-of-line copies of inline functions, and plain loops that compilers vectorise.
#include "apart.h"

bool weft_has_column(const weft_table *table, uint32_t column)
{
    return weft_column(table, column) != NULL;
}

const uint64_t *weft_bitset_words_apart(const weft_table *table, uint32_t column,
                                        uint32_t first_word)
{
    return weft_bitset_words(table, column, first_word);
}

const uint64_t *weft_component_words_apart(const weft_table *table, uint32_t column)
{
    return weft_component_words(table, column);
}

uint32_t weft_sparse_rows_count_apart(const weft_world *world, const weft_table *table,
                                      uint32_t store, uint32_t column)
{
    return weft_sparse_rows_count(world, table, store, column);
}

const uint64_t *weft_mask_not(uint64_t *mask, uint32_t words, const uint64_t *a)
{
    for (uint32_t i = 0; i < words; i++) mask[i] = ~a[i];
    return mask;
}

const uint64_t *weft_mask_and(uint64_t *mask, uint32_t words, const uint64_t *a, const uint64_t *b)
{
    for (uint32_t i = 0; i < words; i++) mask[i] = a[i] & b[i];
    return mask;
}

const uint64_t *weft_mask_or(uint64_t *mask, uint32_t words, const uint64_t *a, const uint64_t *b)
{
    for (uint32_t i = 0; i < words; i++) mask[i] = a[i] | b[i];
    return mask;
}

const uint64_t *weft_mask_and_not(uint64_t *mask, uint32_t words, const uint64_t *a,
                                  const uint64_t *b)
{
    for (uint32_t i = 0; i < words; i++) mask[i] = a[i] & ~b[i];
    return mask;
}

// The pointers are copied as bytes, because only generated code knows their type.
void weft_sparse_pointers(const weft_cursor *c, uint32_t store, void *pointers)
{
    weft_format f = c->world->plan->format;
    const weft_sparse sparse = c->world->sparse[store];
    const void *handles = weft_column(c->table, 0);
    unsigned char *out = (unsigned char *)pointers;
    for (uint32_t i = 0; i < c->count; i++) {
        uint64_t handle = weft_handle_load(f, handles, c->first + i);
        const void *value = weft_sparse_find(&sparse, weft_handle_index(f, handle));
        memcpy(out + i * sizeof value, &value, sizeof value);
    }
}
