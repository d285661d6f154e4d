// Maps are searched by halving, because the pairs are sorted by the old handle.
#include "map.h"

bool weft_map_open(weft_heap *heap, weft_format f, weft_map *map, size_t count)
{
    *map = (weft_map){.count = count, .free_ = heap->hooks.free_, .user = heap->hooks.user};
    if (count == 0) return true;
    map->pairs = heap->hooks.allocate(heap->hooks.user, count * 2 * f.handle_bytes);
    if (!map->pairs) *map = (weft_map){0};
    return map->pairs != NULL;
}

void weft_map_close(weft_format f, weft_map *map)
{
    if (map->pairs) map->free_(map->user, map->pairs, map->count * 2 * f.handle_bytes);
    *map = (weft_map){0};
}

static uint64_t half_of_pair(weft_format f, const weft_map *map, size_t i, uint32_t which)
{
    const unsigned char *pair = (const unsigned char *)map->pairs + i * 2 * f.handle_bytes;
    return weft_handle_load(f, pair, which);
}

uint64_t weft_map_find(weft_format f, const weft_map *map, uint64_t old_handle)
{
    size_t first = 0;
    for (size_t count = map->count; count != 0;) {
        size_t half = count / 2;
        uint64_t at = half_of_pair(f, map, first + half, 0);
        if (at == old_handle) return half_of_pair(f, map, first + half, 1);
        if (at < old_handle) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return 0;
}
