// Grids: two or three fields of a component are coordinates, and space is divided into cells of one
// size.
//
// The key of an item is its cell, ordered by rows of cells (z, then y, then x). Cells of one row
// are therefore adjacent, and a walk visits runs of them. Items of base have their coordinates, in
// a width that keeps them exact, and the entity index, in three bytes if these are enough. Each is
// a separate array with space for `capacity` items, so that several items can be tested at once
// (area.h):
//
//   items    | x … | y … | id … | id of delta … |    f32, or f64 if f32 would round
//   bounded  `cells` has the start of each cell's items, in a box around all items, if the box has
//            few cells for the number of items; an item that leaves the box causes a rebuild
//   else     `keys` has the cell of each item, and binary search finds runs
//
// Coordinates beyond ±2^30 cells (2^20 in three dimensions) belong to the last cell, so infinities
// have a cell too. An entity with a coordinate that is NaN is not in the index.
//
// Distances are computed in f64, from the exact coordinates. A walk returns entities in the order
// of their cells, and entities of one cell by index.
#ifndef WEFT_GRID_H
#define WEFT_GRID_H

#include "cells.h"

// The layout of a grid's items. Generated code passes it by value, as constants.
typedef struct weft_grid_form {
    uint32_t dimensions;
    bool wide;
    uint32_t id_bytes;
    double per_cell; // 1 / the side of a cell
} weft_grid_form;

#define WEFT_GRID_SIDE 16u // items tested at once; that many are readable after the last item

WEFT_ALWAYS_INLINE size_t weft_grid_number_bytes(weft_grid_form f)
{
    return f.wide ? sizeof(double) : sizeof(float);
}

// Returns the coordinates of base along an axis.
WEFT_ALWAYS_INLINE unsigned char *weft_grid_axis(const weft_index *index, weft_grid_form f,
                                                 uint32_t axis)
{
    return index->items.base + (size_t)index->capacity * weft_grid_number_bytes(f) * axis;
}

// Returns the entity indices of base. Those of delta follow at `capacity`.
WEFT_ALWAYS_INLINE unsigned char *weft_grid_ids(const weft_index *index, weft_grid_form f)
{
    return weft_grid_axis(index, f, f.dimensions);
}

WEFT_ALWAYS_INLINE uint32_t weft_grid_id(const weft_index *index, weft_grid_form f, uint32_t place)
{
    return weft_id_read(weft_grid_ids(index, f) + (size_t)place * f.id_bytes, f.id_bytes);
}

// Reads one coordinate, or all coordinates, of an item of base.
WEFT_ALWAYS_INLINE double weft_grid_number(const weft_index *index, weft_grid_form f,
                                           uint32_t place, uint32_t axis)
{
    const unsigned char *from = weft_grid_axis(index, f, axis) + place * weft_grid_number_bytes(f);
    float f32;
    double f64;
    if (f.wide) {
        memcpy(&f64, from, sizeof f64);
        return f64;
    }
    memcpy(&f32, from, sizeof f32);
    return (double)f32;
}

WEFT_ALWAYS_INLINE void weft_grid_point(const weft_index *index, weft_grid_form f, uint32_t place,
                                        double *at)
{
    for (uint32_t i = 0; i < 3 && i < f.dimensions; i++)
        at[i] = weft_grid_number(index, f, place, i);
}

// Writes the entity index of an item of base or delta, or a whole item of base.
WEFT_ALWAYS_INLINE void weft_grid_write_id(const weft_index *index, weft_grid_form f, size_t place,
                                           uint32_t id)
{
    weft_id_write(weft_grid_ids(index, f) + place * f.id_bytes, f.id_bytes, id);
}

WEFT_ALWAYS_INLINE void weft_grid_write(const weft_index *index, weft_grid_form f, size_t place,
                                        const double *at, uint32_t id)
{
    for (uint32_t i = 0; i < 3 && i < f.dimensions; i++) { // lets gcc see the size of `at`
        unsigned char *to = weft_grid_axis(index, f, i) + place * weft_grid_number_bytes(f);
        float f32 = (float)at[i];
        if (f.wide) {
            memcpy(to, &at[i], sizeof at[i]);
        } else {
            memcpy(to, &f32, sizeof f32);
        }
    }
    weft_grid_write_id(index, f, place, id);
}

// Bounds of a walk are widened by this factor, because of rounding.
#define WEFT_GRID_SLACK 0x1p-40

// Returns the cell of a coordinate along its axis.
WEFT_ALWAYS_INLINE int32_t weft_grid_cell(double at, weft_grid_form f)
{
    const int32_t limit = weft_grid_limit(f.dimensions);
    double cell = at * f.per_cell;
    if (!(cell > -(double)limit)) return -limit;
    if (cell >= (double)limit) return limit - 1;
    int32_t whole = (int32_t)cell;
    return whole - (cell < (double)whole);
}

// Makes space for `base` items of base and `delta` items of delta. Returns false if there is no
// memory.
bool weft_grid_space(weft_world *world, weft_index *index, weft_grid_form f, size_t base,
                     size_t delta);

// Builds base from the tables. Returns false if there is no memory.
bool weft_grid_make(weft_world *world, uint32_t index);

weft_grid_form weft_grid_form_of(const weft_index_plan *plan);

// Returns the cell of a point as a key.
uint64_t weft_grid_key(const double *at, weft_grid_form f);

#endif
