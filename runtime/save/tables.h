// A table of a save: taken in as a whole, then put into the tables of the world, row by row where
// its rows go apart.
#ifndef WEFT_SAVE_TABLES_H
#define WEFT_SAVE_TABLES_H

#include "read.h"

WEFT_EXTERN_C_BEGIN

// A table as it lies in the save.
typedef struct weft_saved_table {
    uint32_t rows;
    uint32_t component_count;
    uint32_t bitset_count;
    const uint32_t *components; // of the save
    const uint32_t *bitsets;
    const unsigned char *handles;
    weft_table *whole; // where all its rows go in one piece; NULL: they may go apart
    uint32_t start;    // the first of them there
} weft_saved_table;

static inline const weft_component_info *weft_loaded_info(const weft_loader *l, uint32_t component)
{
    return &l->into->plan->schema->components[component];
}

// Whether a row of the table at hand has a tag or sparse component of the save.
static inline bool weft_saved_bit(const weft_loader *l, uint32_t component, uint32_t row)
{
    const unsigned char *words = l->bitsets[component];
    return words && ((uint32_t)words[row / 8] >> (row % 8) & 1u);
}

// What a component of the save is now; UINT32_MAX: nothing, or a tag that is not saved.
static inline uint32_t weft_loaded_as(const weft_loader *l, uint32_t component)
{
    uint32_t now = l->matched.components.now[component];
    if (now == UINT32_MAX) return now;
    const weft_component_info *info = weft_loaded_info(l, now);
    bool lost = info->storage == WEFT_STORAGE_TAG && !info->save;
    return lost ? UINT32_MAX : now;
}

// What a component of the save gives to a set now: itself, and what it requires.
void weft_loader_add(const weft_loader *l, uint64_t *set, uint32_t component);

// Room for more rows in the table of that set, to which they belong.
weft_status weft_loader_place(weft_loader *l, const uint64_t *set, uint32_t rows,
                              weft_table **table);

// weft_save_rows.c: puts the table at hand, whose rows have at least `set`.
weft_status weft_loader_put(weft_loader *l, const weft_saved_table *t, const uint64_t *set);

WEFT_EXTERN_C_END

#endif
