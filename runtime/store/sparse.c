// Sparse components: making space, writing, removing.
#include "sparse.h"

#define PAGE_BYTES (WEFT_SPARSE_PAGE * sizeof(uint32_t))

static bool grow_values(weft_heap *heap, weft_region *region, uint32_t count, uint32_t limit,
                        uint32_t size)
{
    uint64_t bytes = (uint64_t)count * size;
    uint64_t limit_bytes = (uint64_t)limit * size;
    if (limit_bytes > SIZE_MAX / 2) limit_bytes = SIZE_MAX / 2;
    return bytes <= limit_bytes &&
           weft_region_grow(heap, region, (size_t)bytes, (size_t)limit_bytes);
}

// Updates the number of values with memory.
static void count_space(weft_sparse *sparse)
{
    size_t values = sparse->values.bytes / sparse->size;
    size_t owners = sparse->owners.bytes / sizeof(uint32_t);
    size_t capacity = values < owners ? values : owners;
    sparse->capacity = capacity < sparse->limit ? (uint32_t)capacity : sparse->limit;
}

bool weft_sparse_reserve(weft_heap *heap, weft_sparse *sparse, uint32_t more)
{
    if (more > sparse->limit - weft_sparse_count(sparse)) return false;
    uint32_t count = weft_sparse_count(sparse) + more;
    if (count <= sparse->capacity) return true;
    if (!grow_values(heap, &sparse->values, count, sparse->limit, sparse->size) ||
        !grow_values(heap, &sparse->owners, count, sparse->limit, sizeof(uint32_t))) {
        return false;
    }
    count_space(sparse);
    return true;
}

// Makes the pages from the one of the index `first` to `last`.
WEFT_APART static bool make_pages(weft_heap *heap, weft_sparse *sparse, uint32_t first,
                                  uint32_t last)
{
    if (!weft_array_grow(heap, &sparse->pages, &sparse->page_capacity, last + 1,
                         sizeof *sparse->pages)) {
        return false;
    }
    for (uint32_t page = first / WEFT_SPARSE_PAGE; page <= last; page++) {
        uint32_t **slots = &sparse->pages[page];
        if (!*slots) *slots = (uint32_t *)weft_allocate_zeroed(heap, PAGE_BYTES);
        if (!*slots) return false;
    }
    return true;
}

bool weft_sparse_pages(weft_heap *heap, weft_sparse *sparse, uint32_t first, uint32_t indices)
{
    if (indices == 0) return true;
    uint32_t last = (first + (indices - 1)) / WEFT_SPARSE_PAGE;
    bool made =
        first / WEFT_SPARSE_PAGE == last && last < sparse->page_capacity && sparse->pages[last];
    return made || make_pages(heap, sparse, first, last);
}

static bool page_is_used(const uint32_t *slots)
{
    for (uint32_t i = 0; i < WEFT_SPARSE_PAGE; i++) {
        if (slots[i] != 0) return true;
    }
    return false;
}

bool weft_sparse_trim(weft_heap *heap, weft_sparse *sparse)
{
    uint32_t count = weft_sparse_count(sparse);
    uint32_t pages = 0; // up to the last that is used
    for (uint32_t i = 0; i < sparse->page_capacity; i++) {
        uint32_t **slots = &sparse->pages[i];
        if (*slots && page_is_used(*slots)) {
            pages = i + 1;
        } else {
            weft_free(heap, *slots, PAGE_BYTES);
            *slots = NULL;
        }
    }
    bool list =
        weft_array_trim(heap, &sparse->pages, &sparse->page_capacity, pages, sizeof *sparse->pages);
    bool values = weft_region_trim(heap, &sparse->values, (size_t)count * sparse->size);
    bool owners = weft_region_trim(heap, &sparse->owners, count * sizeof(uint32_t));
    count_space(sparse);
    return list && values && owners;
}

bool weft_sparse_ready(weft_heap *heap, weft_sparse *sparse, uint32_t index)
{
    if (weft_sparse_find(sparse, index)) return true;
    return weft_sparse_reserve(heap, sparse, 1) && weft_sparse_pages(heap, sparse, index, 1);
}

void *weft_sparse_write(weft_sparse *sparse, uint32_t index, const void *value)
{
    uint32_t *slot = weft_sparse_slot(sparse, index);
    if (*slot == 0) {
        WEFT_ASSERT(weft_sparse_count(sparse), <, sparse->capacity,
                    "a sparse value was written without space for it");
        weft_sparse_append(sparse, slot, index);
    }
    void *place = sparse->values.base + (size_t)(*slot - 1) * sparse->size;
    if (place != value) weft_copy(place, value, sparse->size);
    return place;
}

bool weft_sparse_drop(weft_sparse *sparse, uint32_t index)
{
    if (!weft_sparse_find(sparse, index)) return false;
    weft_sparse_take(sparse, index, sparse->size);
    return true;
}

void weft_sparse_close(weft_heap *heap, weft_sparse *sparse)
{
    for (uint32_t i = 0; i < sparse->page_capacity; i++) {
        weft_free(heap, sparse->pages[i], PAGE_BYTES);
    }
    weft_free(heap, sparse->pages, sparse->page_capacity * sizeof *sparse->pages);
    weft_region_free(heap, &sparse->values);
    weft_region_free(heap, &sparse->owners);
    *sparse = (weft_sparse){.size = sparse->size, .limit = sparse->limit};
}
