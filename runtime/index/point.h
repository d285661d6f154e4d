// The rows of a table as points with two or three coordinates.
#ifndef WEFT_POINT_H
#define WEFT_POINT_H

#include "index.h"

// The location of the coordinates in a table.
typedef struct weft_points {
    const weft_world *world;
    const weft_index_plan *plan;
    const weft_table *table;
    const unsigned char *first[3]; // of row 0; NULL: the component is sparse
    size_t stride[3];
    weft_type types[3];
    bool f32; // all coordinates are f32
} weft_points;

weft_points weft_points_of(const weft_world *world, const weft_index_plan *plan,
                           const weft_table *table);

// Reads a number of any type except 64-bit integers.
double weft_point_number(weft_type type, const void *value);

// Reads a row as a point.
WEFT_ALWAYS_INLINE void weft_point_read(const weft_points *points, uint32_t dimensions, bool f32,
                                        uint32_t row, double *at)
{
    for (uint32_t i = 0; i < dimensions; i++) {
        const void *value =
            points->first[i] ? points->first[i] + row * points->stride[i]
                             : weft_index_field(points->world, points->plan, points->table, row, i);
        float number;
        if (f32) {
            memcpy(&number, value, sizeof number);
            at[i] = (double)number;
        } else {
            at[i] = weft_point_number(points->types[i], value);
        }
    }
}

// Returns whether a point has a cell: no coordinate is NaN.
static inline bool weft_point_is(const double *at, uint32_t dimensions)
{
    bool is = at[0] == at[0] && at[1] == at[1];
    return is && (dimensions == 2 || at[2] == at[2]);
}

#endif
