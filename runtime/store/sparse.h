// Sparse components: values packed in one array for the whole world, found by the entity's index.
//
//   pages[index / 1024][index % 1024] = slot + 1, 0: absent     values[slot]   owners[slot] = index
//
// Adding or removing a value moves no row; the last value fills the hole. A bit in the table's
// bitset also records whether a row has the component, so that filters never look here. A page of 4
// KiB exists only if one of its indices has, or had, the component, or space was reserved for it.
//
// The change count combines the number of values and the number of additions, so that one word
// shows whether anything was added or removed. A change writes only the count, the value, its slot,
// its owner, and the bit of the row. A walk that needs the rows of a table with the component, and
// the addresses of their values, computes them in query/sparse_rows.h.
#ifndef WEFT_SPARSE_H
#define WEFT_SPARSE_H

#include "table.h"

#define WEFT_SPARSE_PAGE 1024u // indices

// An empty store is zero except for size and limit.
typedef struct weft_sparse {
    weft_region values; // count * size bytes
    weft_region owners; // entity index by slot, uint32_t
    uint32_t **pages;
    // The lower half is the number of values, the upper half the number of additions, wrapping.
    // While the count is unchanged, no value was added or removed. One addition updates both.
    uint64_t change_count;
    uint32_t page_capacity;
    uint32_t size;     // bytes of a value
    uint32_t limit;    // largest number of values: max_entities
    uint32_t capacity; // values with memory
} weft_sparse;

#define WEFT_SPARSE_ONE_CAME ((uint64_t)1 << 32 | 1u) // one value, one addition

static inline uint32_t weft_sparse_count(const weft_sparse *sparse)
{
    return (uint32_t)sparse->change_count;
}

// Returns a pointer to the index's slot + 1. Returns NULL if the index has no page.
static inline uint32_t *weft_sparse_slot(const weft_sparse *sparse, uint32_t index)
{
    uint32_t page = index / WEFT_SPARSE_PAGE;
    if (page >= sparse->page_capacity || !sparse->pages[page]) return NULL;
    return sparse->pages[page] + index % WEFT_SPARSE_PAGE;
}

// Like weft_sparse_slot, for an index that has a value and therefore a page.
static inline uint32_t *weft_sparse_slot_of(const weft_sparse *sparse, uint32_t index)
{
    return sparse->pages[index / WEFT_SPARSE_PAGE] + index % WEFT_SPARSE_PAGE;
}

// Returns the value in a slot. `size` is sparse->size, which is a constant in generated code.
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

// Returns the value of an index, or NULL if it has none. `size` is as above.
WEFT_ALWAYS_INLINE void *weft_sparse_find_as(const weft_sparse *sparse, uint32_t index, size_t size)
{
    const uint32_t *slot = weft_sparse_slot(sparse, index);
    return slot && *slot ? weft_sparse_value(sparse, *slot - 1, size) : NULL;
}

static inline void *weft_sparse_find(const weft_sparse *sparse, uint32_t index)
{
    return weft_sparse_find_as(sparse, index, sparse->size);
}

// Appends a value for an index with that slot; the caller writes it. There must be space. Returns
// its number among the values.
static inline uint32_t weft_sparse_append(weft_sparse *sparse, uint32_t *slot, uint32_t index)
{
    uint32_t last = weft_sparse_count(sparse);
    ((uint32_t *)(void *)sparse->owners.base)[last] = index;
    sparse->change_count += WEFT_SPARSE_ONE_CAME;
    *slot = last + 1;
    return last;
}

// Removes the value of an index that has one; the last value fills its place. `size` is as above.
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

// Makes space for `more` more values, of any indices. Returns false without changes if there is no
// memory, or if the values would exceed the limit.
bool weft_sparse_reserve(weft_heap *heap, weft_sparse *sparse, uint32_t more);

// Makes pages for `indices` indices from `first`. Writing their values then cannot fail if there is
// space for the values. Returns false if there is no memory; pages already made stay. O(indices /
// WEFT_SPARSE_PAGE).
bool weft_sparse_pages(weft_heap *heap, weft_sparse *sparse, uint32_t first, uint32_t indices);

// Makes space for a value of an index, unless it has one. Returns false if there is no memory.
bool weft_sparse_ready(weft_heap *heap, weft_sparse *sparse, uint32_t index);

// Gives back the memory after the last value, and pages whose indices have no value. Returns false
// if there is no memory to copy the rest.
bool weft_sparse_trim(weft_heap *heap, weft_sparse *sparse);

// Writes the value of an index, and adds it if it is missing. weft_sparse_ready must have been
// called for it. Returns the address of the value, which is valid until the next write, drop or
// growth.
void *weft_sparse_write(weft_sparse *sparse, uint32_t index, const void *value);

// Removes the value of an index. Returns whether it had one.
bool weft_sparse_drop(weft_sparse *sparse, uint32_t index);

void weft_sparse_close(weft_heap *heap, weft_sparse *sparse);

#endif
