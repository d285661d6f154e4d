// Grids: two or three numbers of a component as coordinates, in cells of one size.
//
// The key of an item is its cell, rows of cells first (z, then y, then x), so that the cells of one
// row lie side by side and a walk goes along runs of them. Items of base hold the coordinates, in
// the width that keeps them exact, and the entity index, of three bytes where these do:
//
//   item     | x | y | id |            of f32, or of f64 where f32 would round
//   bounded  `cells` has where the items of each cell begin, in a box around all there are, while
//            the box has few cells beside the items; whoever leaves the box has it made anew
//   else     `keys` has the cell of each item, and runs are found by binary search
//
// Coordinates beyond ±2^30 cells (2^20 in three dimensions) count to the last cell, so infinities
// have a cell as well. An entity of which a coordinate is no number is nowhere, and in no index.
//
// Distances are computed in f64, from the exact coordinates. A walk has the entities in the order
// of their cells, and those of a cell by entity index.
#ifndef WEFT_GRID_H
#define WEFT_GRID_H

#include "cells.h"

// How the items of a grid lie. Generated code passes it by value, as constants.
typedef struct weft_grid_form {
    uint32_t dimensions;
    bool wide;
    uint32_t id_bytes;
    double per_cell; // 1 / the side of a cell
} weft_grid_form;

static inline uint32_t weft_grid_item_bytes(weft_grid_form f)
{
    return (f.wide ? 8u : 4u) * f.dimensions + f.id_bytes;
}

WEFT_ALWAYS_INLINE const unsigned char *weft_grid_place(const weft_index *index, weft_grid_form f,
                                                        uint32_t place)
{
    return index->items.base + (size_t)place * weft_grid_item_bytes(f);
}

WEFT_ALWAYS_INLINE double weft_grid_at(const unsigned char *item, weft_grid_form f, uint32_t axis)
{
    float f32;
    double f64;
    if (f.wide) {
        memcpy(&f64, item + axis * sizeof f64, sizeof f64);
        return f64;
    }
    memcpy(&f32, item + axis * sizeof f32, sizeof f32);
    return (double)f32;
}

WEFT_ALWAYS_INLINE uint32_t weft_grid_id(const unsigned char *item, weft_grid_form f)
{
    return weft_id_read(item + (f.wide ? 8u : 4u) * f.dimensions, f.id_bytes);
}

// By which bounds of a walk are widened, against rounding.
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

// Makes base from the tables. False: no memory.
bool weft_grid_make(weft_world *world, uint32_t index);

// Tells whether something in delta has left the box of a bounded grid.
bool weft_grid_left(const weft_world *world, uint32_t index);

weft_grid_form weft_grid_form_of(const weft_index_plan *plan);

// Returns the cell of a point as a key.
uint64_t weft_grid_key(const double *at, weft_grid_form f);

#endif
