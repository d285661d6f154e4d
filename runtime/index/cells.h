// The cells of a grid: their keys, and in a bounded grid the start of each cell's items.
//
// A bounded grid has a box of cells that contains all items: W cells along x, and R rows of cells.
// For each row it stores the place of the first item, and for each cell the offset of its first
// item from that place:
//
//   places   | u32 | … R of them |
//   offsets  | u16 or u32 | … W + 2 of them, the last for counting | … R times
//
// 16 bits are enough unless a row has more than 65,535 items. In hard mode the limit is lower, so
// that tests cover both widths.
#ifndef WEFT_CELLS_H
#define WEFT_CELLS_H

#include "index.h"

#ifdef WEFT_HARD
#define WEFT_CELLS_NARROW 20u // largest number of items of a row for 16 bits
#else
#define WEFT_CELLS_NARROW UINT16_MAX
#endif

// Cells along an axis are numbered from -limit to limit - 1.
static inline int32_t weft_grid_limit(uint32_t dimensions)
{
    return dimensions == 3 ? 1 << 20 : 1 << 30;
}

static inline bool weft_cells_bounded(const weft_index *index)
{
    return index->size[0] != 0;
}

// Returns the number of a row of cells in the box. The row must be in the box.
static inline size_t weft_cells_row(const weft_index *index, int32_t y, int32_t z)
{
    return (size_t)(z - index->low[2]) * (size_t)index->size[1] + (size_t)(y - index->low[1]);
}

// Returns a place in base or delta, given a row and the position of an offset among all offsets.
WEFT_ALWAYS_INLINE uint32_t weft_cells_place(const weft_index *index, bool delta, size_t row,
                                             size_t offset)
{
    const weft_region *cells = delta ? &index->delta_cells : &index->cells;
    const uint32_t *places = (const uint32_t *)(const void *)cells->base;
    const void *offsets = places + index->rows;
    if (WEFT_UNLIKELY(delta ? index->delta_wide : index->wide))
        return places[row] + ((const uint32_t *)offsets)[offset];
    return places[row] + ((const uint16_t *)offsets)[offset];
}

// Returns the place of the first item of a cell, which is counted from the low end of its row. The
// cell after the last gives the end of the row.
static inline uint32_t weft_cell_start(const weft_index *index, bool delta, size_t row, size_t x)
{
    return weft_cells_place(index, delta, row, row * ((size_t)index->size[0] + 2) + x);
}

// Returns the position of a cell's offset among all offsets. Returns SIZE_MAX if the cell is
// outside the box.
static inline size_t weft_cells_offset(const int32_t *low, const int32_t *size, const int32_t *cell)
{
    uint32_t x = (uint32_t)cell[0] - (uint32_t)low[0];
    uint32_t y = (uint32_t)cell[1] - (uint32_t)low[1];
    uint32_t z = (uint32_t)cell[2] - (uint32_t)low[2];
    if (x >= (uint32_t)size[0] || y >= (uint32_t)size[1] || z >= (uint32_t)size[2]) return SIZE_MAX;
    return ((size_t)z * (size_t)size[1] + y) * ((size_t)size[0] + 2) + x;
}

// Returns the number of offsets of a box of cells.
static inline double weft_cells_size(double x, double y, double z)
{
    return (x + 2.0) * y * z;
}

// Makes space for the starts of the cells of the box, and sets them to 0. Returns false if there is
// no memory.
bool weft_cells_clear(weft_world *world, weft_index *index, bool delta, bool wide);

// Converts the counts of cells to offsets, and stores their total in *total. Returns false if 16
// bits are too few for a row.
bool weft_cells_add_up(const weft_index *index, bool delta, uint32_t *total);

// Adds the counts that are stored in the cells of delta to the offsets of base. Returns false if 16
// bits are too few for a row.
bool weft_cells_shift(const weft_index *index);

// Computes the starts of the cells in delta. Returns false if there is no memory.
bool weft_cells_of_delta(weft_world *world, weft_index *index, uint32_t dimensions);

// Make the key of a cell, ordered by rows of cells, and read a coordinate of the cell from a key.
static inline uint64_t weft_cell_key(const int32_t *cell, uint32_t dimensions)
{
    uint32_t bits = dimensions == 3 ? 21 : 32;
    int32_t limit = weft_grid_limit(dimensions);
    uint64_t key = dimensions == 3 ? (uint64_t)(cell[2] + limit) : 0;
    key = key << bits | (uint32_t)(cell[1] + limit);
    return key << bits | (uint32_t)(cell[0] + limit);
}

static inline int32_t weft_cell_of_key(uint64_t key, uint32_t dimensions, uint32_t axis)
{
    uint32_t bits = dimensions == 3 ? 21 : 32;
    if (axis >= dimensions) return 0;
    uint64_t low = key >> axis * bits & weft_bits_low(bits);
    return (int32_t)((int64_t)low - weft_grid_limit(dimensions));
}

#endif
