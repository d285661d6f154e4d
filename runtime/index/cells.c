// The start of each cell's items in a bounded grid.
#include "cells.h"

static uint32_t *places_of(const weft_index *index, bool delta)
{
    return (uint32_t *)(void *)(delta ? index->delta_cells : index->cells).base;
}

static size_t offset_count(const weft_index *index)
{
    return ((size_t)index->size[0] + 2) * index->rows;
}

bool weft_cells_clear(weft_world *world, weft_index *index, bool delta, bool wide)
{
    weft_region *cells = delta ? &index->delta_cells : &index->cells;
    size_t bytes = offset_count(index) * (wide ? sizeof(uint32_t) : sizeof(uint16_t));
    size_t most = (size_t)world->plan->max_entities * WEFT_CELLS_PER_ITEM + WEFT_CELLS_LEAST;
    size_t limit = 2 * most * 2 * sizeof(uint32_t);
    bytes += index->rows * sizeof(uint32_t);
    if (limit < bytes) limit = bytes;
    if (!weft_region_grow(&world->heap, cells, bytes, limit)) return false;
    *(delta ? &index->delta_wide : &index->wide) = wide;
    memset(cells->base, 0, bytes);
    return true;
}

static uint32_t add_narrow(uint16_t *offsets, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += offsets[i];
        offsets[i] = (uint16_t)sum;
    }
    return sum;
}

static uint32_t add_wide(uint32_t *offsets, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) offsets[i] = sum += offsets[i];
    return sum;
}

bool weft_cells_add_up(const weft_index *index, bool delta, uint32_t *total)
{
    const bool wide = delta ? index->delta_wide : index->wide;
    uint32_t *places = places_of(index, delta);
    void *offsets = places + index->rows;
    size_t count = (size_t)index->size[0] + 2;
    uint32_t place = 0;
    for (size_t row = 0; row < index->rows; row++) {
        places[row] = place;
        if (wide) {
            place += add_wide((uint32_t *)offsets + row * count, count);
            continue;
        }
        uint32_t sum = add_narrow((uint16_t *)offsets + row * count, count);
        if (sum > WEFT_CELLS_NARROW) return false;
        place += sum;
    }
    *total = place;
    return true;
}

static uint32_t shift_narrow(uint16_t *offsets, const uint16_t *counts, size_t count)
{
    int32_t sum = 0;
    int32_t last = 0;
    for (size_t i = 0; i < count; i++) {
        last = (int32_t)offsets[i] + sum;
        offsets[i] = (uint16_t)last;
        sum += (int16_t)counts[i];
    }
    return (uint32_t)last;
}

static uint32_t shift_wide(uint32_t *offsets, const uint32_t *counts, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        offsets[i] += sum;
        sum += counts[i];
    }
    return offsets[count - 1];
}

bool weft_cells_shift(const weft_index *index)
{
    uint32_t *places = places_of(index, false);
    void *offsets = places + index->rows;
    const void *counts = places_of(index, true) + index->rows;
    size_t count = (size_t)index->size[0] + 2;
    uint32_t place = 0;
    for (size_t row = 0; row < index->rows; row++) {
        size_t first = row * count;
        places[row] = place;
        uint32_t sum = index->wide ? shift_wide((uint32_t *)offsets + first,
                                                (const uint32_t *)counts + first, count)
                                   : shift_narrow((uint16_t *)offsets + first,
                                                  (const uint16_t *)counts + first, count);
        if (!index->wide && sum > WEFT_CELLS_NARROW) return false;
        place += sum;
    }
    return true;
}

bool weft_cells_of_delta(weft_world *world, weft_index *index, uint32_t dimensions)
{
    bool wide = index->delta_count > WEFT_CELLS_NARROW;
    if (!weft_cells_clear(world, index, true, wide)) return false;
    void *offsets = places_of(index, true) + index->rows;
    for (uint32_t i = 0; i < index->delta_count; i++) {
        int32_t cell[3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            cell[axis] = weft_cell_of_key(weft_index_delta(index)[i].key, dimensions, axis);
        }
        size_t behind = weft_cells_offset(index->low, index->size, cell) + 1;
        if (wide) {
            ((uint32_t *)offsets)[behind]++;
        } else {
            ((uint16_t *)offsets)[behind]++;
        }
    }
    return weft_cells_add_up(index, true, &index->delta_count);
}
