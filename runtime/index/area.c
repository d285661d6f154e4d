// Tests items one by one, if f32 is not precise enough or a ball is extreme.
#include "area.h"

bool weft_area_has_far(uint32_t dimensions, double x, double y, double z, double centre_x,
                       double centre_y, double centre_z, double radius)
{
    const double at[3] = {x, y, z};
    const double centre[3] = {centre_x, centre_y, centre_z};
    const weft_far distance = weft_far_between(at, centre, dimensions);
    return !weft_far_less(weft_far_radius(radius), distance);
}

uint32_t weft_area_far(const weft_index *index, uint32_t dimensions, uint32_t place,
                       double centre_x, double centre_y, double centre_z, double radius)
{
    const weft_grid_form f = {dimensions, true, 0, 0.0};
    uint32_t found = 0;
    for (uint32_t i = 0; i < WEFT_GRID_SIDE; i++) {
        double at[3] = {0.0, 0.0, 0.0};
        weft_grid_point(index, f, place + i, at);
        bool has = weft_area_has_far(dimensions, at[0], at[1], at[2], centre_x, centre_y, centre_z,
                                     radius);
        found |= (uint32_t)has << i;
    }
    return found;
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
