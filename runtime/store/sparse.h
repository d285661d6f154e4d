// Sparse components: values packed in one array, found through the entity's index.
//
//   pages[index / 1024][index % 1024] = slot + 1, 0: absent     values[slot]   owners[slot] = index
//
// Adding or removing one moves no row; the last value fills the hole. Whether a row has it is also
// a bit in its table's bitset, so that filters never look here. Pages exist only where somebody has,
// or had, the component, or room for it was reserved.
#ifndef WEFT_SPARSE_H
#define WEFT_SPARSE_H

#include "table.h"

#define WEFT_SPARSE_PAGE 1024u // indices

// Zero but for size and limit: an empty one.
typedef struct weft_sparse {
    weft_region values; // count * size bytes
    weft_region owners; // uint32_t entity index by slot
    uint32_t **pages;
    // How many values there are, in the lower half, and in the upper one how many have come so far,
    // wrapping: while it stays the same none came or went. One addition counts both.
    uint64_t change_count;
    uint32_t page_capacity;
    uint32_t size;     // bytes of a value
    uint32_t limit;    // values there can be: max_entities
    uint32_t capacity; // values there is memory for
} weft_sparse;

#define WEFT_SPARSE_ONE_CAME ((uint64_t)1 << 32 | 1u) // to add to a tally

static inline uint32_t weft_sparse_count(const weft_sparse *sparse)
{
    return (uint32_t)sparse->change_count;
}

// Where an index keeps its slot + 1; NULL: it has no page.
static inline uint32_t *weft_sparse_slot(const weft_sparse *sparse, uint32_t index)
{
    uint32_t page = index / WEFT_SPARSE_PAGE;
    if (page >= sparse->page_capacity || !sparse->pages[page]) return NULL;
    return sparse->pages[page] + index % WEFT_SPARSE_PAGE;
}

// The same of an index that has a value.
static inline uint32_t *weft_sparse_slot_of(const weft_sparse *sparse, uint32_t index)
{
    return sparse->pages[index / WEFT_SPARSE_PAGE] + index % WEFT_SPARSE_PAGE;
}

// The value of a slot. `size` is sparse->size, a constant in generated code.
WEFT_ALWAYS_INLINE void *weft_sparse_value(const weft_sparse *sparse, uint32_t slot, size_t size)
{
    unsigned char *values = sparse->values.base;
    WEFT_TAKEN(values != NULL);
    return values + slot * size;
}

// The value of an index that has one. `size` as above.
WEFT_ALWAYS_INLINE void *weft_sparse_value_of(const weft_sparse *sparse, uint32_t index,
                                              size_t size)
{
    return weft_sparse_value(sparse, *weft_sparse_slot_of(sparse, index) - 1, size);
}

// The value of an index; NULL: it has none. `size` as above.
WEFT_ALWAYS_INLINE void *weft_sparse_find_as(const weft_sparse *sparse, uint32_t index, size_t size)
{
    const uint32_t *slot = weft_sparse_slot(sparse, index);
    return slot && *slot ? weft_sparse_value(sparse, *slot - 1, size) : NULL;
}

static inline void *weft_sparse_find(const weft_sparse *sparse, uint32_t index)
{
    return weft_sparse_find_as(sparse, index, sparse->size);
}

// One more value, not written yet, for an index whose slot that is; there is room. Gives its place
// among the values.
static inline uint32_t weft_sparse_append(weft_sparse *sparse, uint32_t *slot, uint32_t index)
{
    uint32_t last = weft_sparse_count(sparse);
    ((uint32_t *)(void *)sparse->owners.base)[last] = index;
    sparse->change_count += WEFT_SPARSE_ONE_CAME;
    *slot = last + 1;
    return last;
}

// Takes the value of an index that has one, and moves the last value into its place. `size` is
// sparse->size, a constant in generated code.
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

// Room for `more` more values, of whatever indices. False: no memory, or more than the limit; no
// value changed.
bool weft_sparse_reserve(weft_heap *heap, weft_sparse *sparse, uint32_t more);

// Pages for so many indices from `first` on: with room for their values, putting them cannot fail.
// False: no memory; pages it has made stay. O(indices / WEFT_SPARSE_PAGE).
bool weft_sparse_pages(weft_heap *heap, weft_sparse *sparse, uint32_t first, uint32_t indices);

// Room for one more value of that index (nothing to do if it has one). False: no memory, or the
// limit is reached; nothing changed.
bool weft_sparse_ready(weft_heap *heap, weft_sparse *sparse, uint32_t index);

// Writes the value of an index, adding it if it is absent; weft_sparse_ready was called for it.
// Returns where the value lies until the next put, drop or growing.
void *weft_sparse_write(weft_sparse *sparse, uint32_t index, const void *value);

// Takes it away, and moves the last value into its place; false if it was absent.
bool weft_sparse_drop(weft_sparse *sparse, uint32_t index);

void weft_sparse_close(weft_heap *heap, weft_sparse *sparse);

#ifdef WEFT_HARD
// Hard mode: moves all values, as weft_table_relocate does with rows.
void weft_sparse_relocate(weft_heap *heap, weft_sparse *sparse);
#endif

#endif
