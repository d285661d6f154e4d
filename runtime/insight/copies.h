// Copies of everything in a world: of each table that had rows, of sparse stores, of singletons.
//
//     of a table | set | handles | needs.fatigue | needs.hunger | … | bits of tags  like the table
//     of a store | handles | values                                                by slot
//     places     | table copy, row | …                                             by entity index
//
// A copy has the same layout as its original, so that rows are compared where they are, one column
// of the copy with one column of the table. If no row has moved, the handles of both are equal. A
// place is valid if the row there has a handle with that index, so places never have to be cleared.
#ifndef WEFT_INSIGHT_COPIES_H
#define WEFT_INSIGHT_COPIES_H

#include "differ.h"

#define WEFT_NO_COPY UINT32_MAX

typedef struct weft_table_copy {
    const weft_table *table; // the original at the last comparison of rows; NULL if it has no rows
    uint32_t count;          // rows
    uint32_t column_count;
    uint64_t *set;       // the components that it has columns of
    uint16_t *columns;   // column numbers, ascending
    uint16_t *first;     // by component: its first position in `columns`; WEFT_NONE if it has none
    weft_copied *cells;  // in the order of `columns`
    weft_copied *tags;   // words of bits, in the order of weft_copies.tags
    weft_copied handles; // like column 0 of the table
} weft_table_copy;

typedef struct weft_store_copy {
    uint64_t *handles;
    unsigned char *values;
    uint32_t handle_capacity;
    uint32_t value_capacity;
    uint32_t count;
    uint64_t change_count; // of the store, when it was copied
} weft_store_copy;

typedef struct weft_copies {
    weft_cell_plan *cells; // components
    uint16_t *tags;        // components
    uint32_t tag_count;    // of them
    weft_table_copy **tables;
    uint32_t table_count;
    uint32_t table_capacity;
    uint32_t *by_table; // by table id; WEFT_NO_COPY if there is none
    uint32_t by_table_capacity;
    weft_place *places; // by entity index: number of the copy, and the row in it
    uint32_t place_capacity;
    weft_store_copy *stores; // by store
    uint32_t *slots;         // by store and entity index; valid in the same way as places
    uint32_t slot_capacity;  // entity indices for each store
    unsigned char *once;     // the singletons, one after the other
    size_t once_bytes;
} weft_copies;

// Opens copies of a world without entities. Returns false if there is no memory; then close them.
bool weft_copies_open(weft_world *world, weft_copies *copies);
void weft_copies_close(weft_world *world, weft_copies *copies);

// Finds the copy of each table that has rows, and makes space for the current number of rows,
// entity indices and values. Returns false if there is no memory.
bool weft_copies_ready(weft_world *world, weft_copies *copies);

// Makes space for the bits of a tag in a table. Returns false if there is no memory.
bool weft_copies_tag_ready(weft_world *world, weft_table_copy *copy, uint32_t tag);

// Returns the copy of a table that had rows at the last comparison of rows.
static inline weft_table_copy *weft_copy_of(const weft_copies *copies, const weft_table *table)
{
    return copies->tables[copies->by_table[table->id]];
}

// Finds the copy and row of an entity. There must be space for its index. Returns NULL if there is
// no copy with this handle.
const weft_table_copy *weft_copies_find(const weft_copies *copies, weft_format f, uint64_t handle,
                                        uint32_t *row);

static inline bool weft_copied_bit(const weft_copied *words, uint32_t row)
{
    const uint64_t *w = (const uint64_t *)(void *)words->items;
    return w && (w[row / 64] >> (row % 64) & 1u);
}

static inline uint32_t weft_tag_column(const weft_world *world, uint32_t tag)
{
    return (uint32_t)world->plan->first_bitset + world->plan->components[tag].bitset;
}

// Copies a row of the table that belongs to a copy. There must be space for it.
void weft_copies_row(const weft_world *world, weft_copies *copies, uint32_t number, uint32_t row);

#endif
