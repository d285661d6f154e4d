// A map from old to new handles, for example from the entities of a clone to their copies. It is
// sorted by the old handle. All zero is an empty map.
#ifndef WEFT_MAP_H
#define WEFT_MAP_H

#include "../base/memory.h"
#include "../store/entity.h"

typedef struct weft_map {
    void *pairs;  // old handle, new handle, old handle …, each of plan->format.handle_bytes
    size_t count; // of pairs
    void (*free_)(void *user, void *memory, size_t bytes); // of the world that filled the map
    void *user;
} weft_map;

// Allocates space for `count` pairs in an empty map with the memory hooks of a heap. The caller
// writes the pairs. The map may outlive the world of the heap. Returns false if there is no memory.
bool weft_map_open(weft_heap *heap, weft_format f, weft_map *map, size_t count);

// Frees the pairs, and makes the map empty. An empty map is allowed.
void weft_map_close(weft_format f, weft_map *map);

// Writes pair i.
static inline void weft_map_put(weft_format f, const weft_map *map, size_t i, uint64_t old_handle,
                                uint64_t new_handle)
{
    unsigned char *pair = (unsigned char *)map->pairs + i * 2 * f.handle_bytes;
    weft_handle_store(f, pair, 0, old_handle);
    weft_handle_store(f, pair, 1, new_handle);
}

// Returns the new handle of an old one, or 0 if the map lacks it. O(log count).
uint64_t weft_map_find(weft_format f, const weft_map *map, uint64_t old_handle);

#endif
