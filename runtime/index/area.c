// Items that f32 is not precise enough for are tested one by one.
#include "area.h"

uint32_t weft_area_exact(weft_grid_area area, const weft_index *index, uint32_t dimensions,
                         bool wide, uint32_t place)
{
    const weft_grid_form f = {dimensions, wide, 0, 0.0};
    uint32_t found = 0;
    for (uint32_t i = 0; i < WEFT_GRID_SIDE; i++) {
        double at[3];
        weft_grid_point(index, f, place + i, at);
        found |= (uint32_t)weft_area_has(&area, dimensions, at) << i;
    }
    return found;
}
