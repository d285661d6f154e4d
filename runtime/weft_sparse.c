// Sparse components: making room, putting, dropping.
#include "weft_sparse.h"

#include <assert.h>

#define PAGES_FIRST 4u

static bool grow_values(weft_heap *heap, weft_region *region, uint32_t count, uint32_t limit,
                        uint32_t size)
{
    const uint64_t bytes_max = SIZE_MAX / 2;
    uint64_t bytes = (uint64_t)count * size;
    uint64_t limit_bytes = (uint64_t)limit * size;
    if (limit_bytes > bytes_max) limit_bytes = bytes_max;
    return bytes <= limit_bytes &&
           weft_region_grow(heap, region, (size_t)bytes, (size_t)limit_bytes);
}

static bool ready_values(weft_heap *heap, weft_sparse *sparse, uint32_t more)
{
    if (more > sparse->limit - sparse->count) return false;
    uint32_t count = sparse->count + more;
    return grow_values(heap, &sparse->values, count, sparse->limit, sparse->size) &&
           grow_values(heap, &sparse->owners, count, sparse->limit, sizeof(uint32_t));
}

// Room in the list of pages for so many.
static bool grow_page_list(weft_heap *heap, weft_sparse *sparse, uint32_t count)
{
    if (count <= sparse->page_capacity) return true;
    uint32_t capacity = sparse->page_capacity == 0 ? PAGES_FIRST : sparse->page_capacity * 2;
    if (capacity < count) capacity = count;
    uint32_t **pages = (uint32_t **)weft_allocate(heap, capacity * sizeof *pages);
    if (!pages) return false;
    for (uint32_t i = 0; i < capacity; i++) {
        pages[i] = i < sparse->page_capacity ? sparse->pages[i] : NULL;
    }
    weft_free(heap, sparse->pages, sparse->page_capacity * sizeof *pages);
    sparse->pages = pages;
    sparse->page_capacity = capacity;
    return true;
}

static bool ready_page(weft_heap *heap, weft_sparse *sparse, uint32_t page)
{
    if (!grow_page_list(heap, sparse, page + 1)) return false;
    if (sparse->pages[page]) return true;
    sparse->pages[page] =
        (uint32_t *)weft_allocate_zeroed(heap, WEFT_SPARSE_PAGE * sizeof(uint32_t));
    return sparse->pages[page] != NULL;
}

bool weft_sparse_reserve(weft_heap *heap, weft_sparse *sparse, uint32_t more, uint32_t indices)
{
    uint32_t pages = indices / WEFT_SPARSE_PAGE + (indices % WEFT_SPARSE_PAGE != 0);
    if (!ready_values(heap, sparse, more) || !grow_page_list(heap, sparse, pages)) return false;
    for (uint32_t page = 0; page < pages; page++) {
        if (!ready_page(heap, sparse, page)) return false;
    }
    return true;
}

bool weft_sparse_ready(weft_heap *heap, weft_sparse *sparse, uint32_t index)
{
    if (weft_sparse_find(sparse, index)) return true;
    return ready_values(heap, sparse, 1) && ready_page(heap, sparse, index / WEFT_SPARSE_PAGE);
}

static uint32_t *owners(const weft_sparse *sparse)
{
    return (uint32_t *)(void *)sparse->owners.base;
}

static uint32_t *entry(const weft_sparse *sparse, uint32_t index)
{
    return &sparse->pages[index / WEFT_SPARSE_PAGE][index % WEFT_SPARSE_PAGE];
}

static void *value_at(const weft_sparse *sparse, uint32_t slot)
{
    return sparse->values.base + (size_t)slot * sparse->size;
}

void *weft_sparse_put(weft_sparse *sparse, uint32_t index, const void *value)
{
    uint32_t *slot_after = entry(sparse, index);
    if (*slot_after == 0) {
        assert((size_t)(sparse->count + 1) * sparse->size <= sparse->values.bytes &&
               "a sparse value was put without making room");
        owners(sparse)[sparse->count] = index;
        *slot_after = ++sparse->count;
    }
    void *place = value_at(sparse, *slot_after - 1);
    if (place != value) weft_copy(place, value, sparse->size);
    return place;
}

bool weft_sparse_drop(weft_sparse *sparse, uint32_t index)
{
    if (!weft_sparse_find(sparse, index)) return false;
    uint32_t slot = *entry(sparse, index) - 1;
    uint32_t last = --sparse->count;
    *entry(sparse, index) = 0;
    if (slot == last) return true;
    uint32_t owner = owners(sparse)[last];
    weft_copy(value_at(sparse, slot), value_at(sparse, last), sparse->size);
    owners(sparse)[slot] = owner;
    *entry(sparse, owner) = slot + 1;
    return true;
}

void weft_sparse_close(weft_heap *heap, weft_sparse *sparse)
{
    for (uint32_t i = 0; i < sparse->page_capacity; i++) {
        weft_free(heap, sparse->pages[i], WEFT_SPARSE_PAGE * sizeof(uint32_t));
    }
    weft_free(heap, sparse->pages, sparse->page_capacity * sizeof *sparse->pages);
    weft_region_free(heap, &sparse->values);
    weft_region_free(heap, &sparse->owners);
    *sparse = (weft_sparse){.size = sparse->size, .limit = sparse->limit};
}

#ifdef WEFT_HARD
void weft_sparse_shake(weft_heap *heap, weft_sparse *sparse)
{
    weft_region_shake(heap, &sparse->values);
    weft_region_shake(heap, &sparse->owners);
}
#endif
