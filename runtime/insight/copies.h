// Copies of all that a world has: of each table that had rows, of sparse stores, of singletons.
//
//     of a table | set | handles | needs.fatigue | needs.hunger | … | bits of tags    as in it
//     of a store | handles | values                                                  by its slots
//     places     | table copy, row | …                           by the index of entities
//
// A copy is laid out as what it is of, so that rows are compared where they lie, a stream beside a
// stream. Where no row has moved since, the handles of both are equal. A place is right if the row
// there has a handle of that index, so that no place has to be cleared.
#ifndef WEFT_INSIGHT_COPIES_H
#define WEFT_INSIGHT_COPIES_H

#include "differ.h"

#define WEFT_NO_COPY UINT32_MAX

typedef struct weft_table_copy {
    const weft_table *table; // of that set, as rows were last looked through; NULL: it has no rows
    uint32_t count;          // rows
    uint32_t column_count;
    uint64_t *set;       // of the components that it has columns of
    uint16_t *columns;   // their numbers, ascending
    uint16_t *first;     // by component: which of them is its first; WEFT_NONE: it has none
    weft_copied *cells;  // by these
    weft_copied *tags;   // by tag (weft_copies.tags): words of bits
    weft_copied handles; // as the world has them
} weft_table_copy;

typedef struct weft_store_copy {
    uint64_t *handles;
    unsigned char *values;
    uint32_t handle_capacity;
    uint32_t value_capacity;
    uint32_t count;
    uint64_t change_count; // of the store
} weft_store_copy;

typedef struct weft_copies {
    weft_cell_plan *cells; // by column, then by store
    uint16_t *tags;        // components
    uint32_t tag_count;    // of them
    weft_table_copy **tables;
    uint32_t table_count;
    uint32_t table_capacity;
    uint32_t *by_table; // by id: the copy, or WEFT_NO_COPY
    uint32_t by_table_capacity;
    weft_place *places; // by entity index: which copy, and its row
    uint32_t place_capacity;
    weft_store_copy *stores; // by store
    uint32_t *slots;         // by store and entity index, as places
    uint32_t slot_capacity;  // indices of each store
    unsigned char *once;     // the singletons, one behind the other
    size_t once_bytes;
} weft_copies;

// Opens copies of a world without entities. False: no memory; closing frees what there is.
bool weft_copies_open(weft_world *world, weft_copies *copies);
void weft_copies_close(weft_world *world, weft_copies *copies);

// Finds the copy of each table that has rows, and makes space for as many rows, indices and values
// as there are now. False: no memory.
bool weft_copies_ready(weft_world *world, weft_copies *copies);

// Makes space for the bits of a tag in a table. False: no memory.
bool weft_copies_tag_ready(weft_world *world, weft_table_copy *copy, uint32_t tag);

// Returns the copy of a table that has rows, as they were last looked through.
static inline weft_table_copy *weft_copy_of(const weft_copies *copies, const weft_table *table)
{
    return copies->tables[copies->by_table[table->id]];
}

// Finds where the copies of an entity are, for which there is space by now. NULL: there are none of
// this handle.
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

// Copies a row of the table that a copy is of, which has space for it.
void weft_copies_row(const weft_world *world, weft_copies *copies, uint32_t number, uint32_t row);

#endif
