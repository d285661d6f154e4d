// Sparse components: values packed in one array for the whole world, found by the entity's index.
//
//   pages[index / 1024][index % 1024] = slot + 1, 0: absent     values[slot]   owners[slot] = index
//
// Adding or removing one moves no row; the last value fills the hole. Whether a row has it is also
// a bit in its table's bitset, so that filters never look here. A page of 4 KiB exists only where
// an index has, or had, the component, or space for it was reserved.
//
// The change count says in one number how many values there are and how many were ever added. So a
// change writes the count, the value, its slot, its owner, the bit of the row, and nothing more.
// How many rows of a table have the component, and where their values lie, query/sparse_rows.h
// finds for the walk that asks.
#ifndef WEFT_SPARSE_H
#define WEFT_SPARSE_H

#include "table.h"

#define WEFT_SPARSE_PAGE 1024u // indices

// An empty store is zero but for size and limit.
typedef struct weft_sparse {
    weft_region values; // count * size bytes
    weft_region owners; // uint32_t entity index by slot
    uint32_t **pages;
    // The lower half is how many values there are, the upper one how many were ever added,
    // wrapping. While it does not change, no value was added or removed. One addition counts both.
    uint64_t change_count;
    uint32_t page_capacity;
    uint32_t size;     // bytes of a value
    uint32_t limit;    // values there can be: max_entities
    uint32_t capacity; // values there is memory for
} weft_sparse;

#define WEFT_SPARSE_ONE_CAME ((uint64_t)1 << 32 | 1u) // is added to the change count

static inline uint32_t weft_sparse_count(const weft_sparse *sparse)
{
    return (uint32_t)sparse->change_count;
}

// Returns the place of an index's slot + 1; NULL: it has no page.
static inline uint32_t *weft_sparse_slot(const weft_sparse *sparse, uint32_t index)
{
    uint32_t page = index / WEFT_SPARSE_PAGE;
    if (page >= sparse->page_capacity || !sparse->pages[page]) return NULL;
    return sparse->pages[page] + index % WEFT_SPARSE_PAGE;
}

// Returns that place for an index that has a value, and therefore a page.
static inline uint32_t *weft_sparse_slot_of(const weft_sparse *sparse, uint32_t index)
{
    return sparse->pages[index / WEFT_SPARSE_PAGE] + index % WEFT_SPARSE_PAGE;
}

// Returns the value of a slot. `size` is sparse->size, a constant in generated code.
WEFT_ALWAYS_INLINE void *weft_sparse_value(const weft_sparse *sparse, uint32_t slot, size_t size)
{
    unsigned char *values = sparse->values.base;
    WEFT_TAKEN(values != NULL);
    return values + slot * size;
}

// Returns the value of an index that has one. `size` is as above.
WEFT_ALWAYS_INLINE void *weft_sparse_value_of(const weft_sparse *sparse, uint32_t index,
                                              size_t size)
{
    return weft_sparse_value(sparse, *weft_sparse_slot_of(sparse, index) - 1, size);
}

// Returns the value of an index; NULL: it has none. `size` is as above.
WEFT_ALWAYS_INLINE void *weft_sparse_find_as(const weft_sparse *sparse, uint32_t index, size_t size)
{
    const uint32_t *slot = weft_sparse_slot(sparse, index);
    return slot && *slot ? weft_sparse_value(sparse, *slot - 1, size) : NULL;
}

static inline void *weft_sparse_find(const weft_sparse *sparse, uint32_t index)
{
    return weft_sparse_find_as(sparse, index, sparse->size);
}

// Appends a value, yet to be written, for an index with that slot. There is space for it. Returns
// its number among the values.
static inline uint32_t weft_sparse_append(weft_sparse *sparse, uint32_t *slot, uint32_t index)
{
    uint32_t last = weft_sparse_count(sparse);
    ((uint32_t *)(void *)sparse->owners.base)[last] = index;
    sparse->change_count += WEFT_SPARSE_ONE_CAME;
    *slot = last + 1;
    return last;
}

// Removes the value of an index that has one; the last fills its place. `size` is as above.
WEFT_ALWAYS_INLINE void weft_sparse_take(weft_sparse *sparse, uint32_t index, size_t size)
{
    uint32_t *slot = weft_sparse_slot_of(sparse, index);
    uint32_t *owners = (uint32_t *)(void *)sparse->owners.base;
    uint32_t hole = *slot - 1;
    uint32_t last = (uint32_t)--sparse->change_count;
    *slot = 0;
    if (hole == last) return;
    uint32_t moved = owners[last];
    *weft_sparse_slot_of(sparse, moved) = hole + 1;
    owners[hole] = moved;
    memcpy(sparse->values.base + hole * size, sparse->values.base + last * size, size);
}

// Makes space for `more` more values, of any indices. False: no memory or space; nothing changed.
bool weft_sparse_reserve(weft_heap *heap, weft_sparse *sparse, uint32_t more);

// Makes pages for so many indices from `first` on: with space for their values, writing them cannot
// fail. False: no memory; pages it has made stay. O(indices / WEFT_SPARSE_PAGE).
bool weft_sparse_pages(weft_heap *heap, weft_sparse *sparse, uint32_t first, uint32_t indices);

// Makes space for a value of that index, unless it has one. False: likewise; nothing changed.
bool weft_sparse_ready(weft_heap *heap, weft_sparse *sparse, uint32_t index);

// Gives back the memory beyond the values there are, and pages of indices none of which has one.
// False: no memory to copy what stays.
bool weft_sparse_trim(weft_heap *heap, weft_sparse *sparse);

// Writes the value of an index, adding it if it is absent; weft_sparse_ready was called for it.
// Returns where the value lies until the next write, drop or growth.
void *weft_sparse_write(weft_sparse *sparse, uint32_t index, const void *value);

// Removes the value of an index, if it has one; returns whether it had.
bool weft_sparse_drop(weft_sparse *sparse, uint32_t index);

void weft_sparse_close(weft_heap *heap, weft_sparse *sparse);

#endif
