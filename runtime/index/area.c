// Items that f32 is not precise enough for, and those of extreme balls, are tested one by one.
#include "area.h"

#include <math.h>

weft_grid_area weft_area_extreme(weft_grid_area area, uint32_t dimensions, double radius)
{
    area.extreme = true;
    area.narrow = false;
    area.radius = radius;
    for (uint32_t i = 0; i < dimensions; i++) {
        const double at = area.centre[i];
        const bool infinite = at - at != 0.0;
        const double slack = ((at < 0.0 ? -at : at) + radius) * WEFT_GRID_SLACK;
        area.low[i] = infinite ? at : at - radius - slack;
        area.high[i] = infinite ? at : at + radius + slack;
        if (radius != (double)INFINITY) continue;
        area.low[i] = -(double)INFINITY;
        area.high[i] = (double)INFINITY;
    }
    return area;
}

bool weft_area_has_far(weft_grid_area area, uint32_t dimensions, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    const weft_far distance = weft_far_between(at, area.centre, dimensions);
    return !weft_far_less(weft_far_radius(area.radius), distance);
}

uint32_t weft_area_exact(weft_grid_area area, const weft_index *index, uint32_t dimensions,
                         bool wide, uint32_t place)
{
    const weft_grid_form f = {dimensions, wide, 0, 0.0};
    uint32_t found = 0;
    for (uint32_t i = 0; i < WEFT_GRID_SIDE; i++) {
        double at[3] = {0.0, 0.0, 0.0};
        weft_grid_point(index, f, place + i, at);
        found |= (uint32_t)weft_area_has(&area, dimensions, at) << i;
    }
    return found;
}
