// Opening a table costs what the table has, however much the schema declares: prefabs, like the
// queries of world/listing.h, are found by a component that they need.
#ifndef WEFT_OPENING_H
#define WEFT_OPENING_H

#include "columns.h"

// Items of the plan by their key, a component with columns that a table must have for them. Those
// without a key come last, under the number of components.
typedef struct weft_by_component {
    uint16_t *first; // by component: its first item; and two more numbers behind them
    uint16_t *items;
} weft_by_component;

typedef uint32_t (*weft_key_of)(const weft_plan *plan, uint32_t item);

// Sorts `count` items. The numbers are zeros before.
void weft_sort_by_component(weft_by_component *sorted, const weft_plan *plan, uint32_t count,
                            weft_key_of key_of);

// The tables of a world share this.
typedef struct weft_table_kit {
    weft_by_component prefabs;
    uint64_t *zeros;   // see weft_zeros_words
    bool bits_at_once; // systems run in parallel, and one may open a bitset where others read
} weft_table_kit;

// Returns how many words of zeros the tables of a schema of many columns share: they are the counts
// of bits of one without bitsets, and the groups of one whose columns all have direct pointers.
static inline size_t weft_zeros_words(const weft_plan *plan)
{
    return weft_has_groups(plan) ? plan->column_count / 2u + WEFT_GROUP_COLUMNS : 0;
}

void weft_sort_prefabs(weft_table_kit *kit, const weft_plan *plan);

// Opens a table without rows, and without memory for any; NULL: no memory. `set` has table
// components only, and is copied.
weft_table *weft_table_open(weft_heap *heap, const weft_plan *plan, const weft_table_kit *kit,
                            uint32_t id, const uint64_t *set);

#endif
