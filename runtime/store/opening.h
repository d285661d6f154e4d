// Opens a table. The cost depends on the size of the table, not on the size of the schema: prefabs
// are found by a component that they need, like the queries of world/listing.h.
#ifndef WEFT_OPENING_H
#define WEFT_OPENING_H

#include "columns.h"

// Items of the plan, grouped by key. The key is a table component that a table must have for the
// item. Items without a key come last, under the number of components.
typedef struct weft_by_component {
    uint16_t *first; // by component: its first item; two more entries follow
    uint16_t *items;
} weft_by_component;

typedef uint32_t (*weft_key_of)(const weft_plan *plan, uint32_t item);

// Sorts `count` items. `sorted->first` must be all zeros before.
void weft_sort_by_component(weft_by_component *sorted, const weft_plan *plan, uint32_t count,
                            weft_key_of key_of);

// Data shared by the tables of a world.
typedef struct weft_table_kit {
    weft_by_component prefabs;
    uint64_t *zeros;   // see weft_zeros_words
    bool bits_at_once; // allocate the arrays about bitsets with the table, because in parallel one
                       // system may open a bitset while others read
} weft_table_kit;

// Returns how many words of zeros the tables share in a schema of many columns. They serve as the
// bit counts of a table without bitsets, and as the groups of a table that only has direct
// pointers.
static inline size_t weft_zeros_words(const weft_plan *plan)
{
    return weft_has_groups(plan) ? plan->column_count / 2u + WEFT_GROUP_COLUMNS : 0;
}

void weft_sort_prefabs(weft_table_kit *kit, const weft_plan *plan);

// Opens a table without rows and without memory for rows. `set` contains only table components, and
// is copied. Returns NULL if there is no memory.
weft_table *weft_table_open(weft_heap *heap, const weft_plan *plan, const weft_table_kit *kit,
                            uint32_t id, const uint64_t *set);

#endif
