// Cutting the links of a system over links: see over.h.
#include "over.h"

uint32_t weft_over_cut(const weft_world *world, uint32_t link, weft_part *parts)
{
    const weft_adjacency *from = &world->links[link].from;
    uint64_t each = (weft_link_count(world, link) + WEFT_PARTS_MAX - 1) / WEFT_PARTS_MAX;
    uint64_t links = 0; // of the current part
    uint32_t count = 0;
    if (each < WEFT_OVER_PART_LINKS_MIN) each = WEFT_OVER_PART_LINKS_MIN;
    for (uint32_t index = 0; index < from->capacity; index++) {
        uint32_t own = weft_adjacent_of(from, index).count;
        if (own == 0) continue;
        if (count == 0 || links >= each) {
            parts[count] = (weft_part){count, 0, index, 0, index, 0, 0, NULL};
            count++;
            links = 0;
        }
        links += own;
        parts[count - 1].end_row = index + 1;
    }
    return count;
}
