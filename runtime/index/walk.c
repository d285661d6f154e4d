// Finds rows of cells outside of inline walks: for unbounded grids, and for nearest searches.
#include "walk.h"

weft_grid_run weft_grid_run_of(const weft_index *index, uint32_t dimensions, const int32_t *from,
                               int32_t to)
{
    weft_grid_run r = {0, 0, 0, 0, 0};
    if (weft_cells_bounded(index)) {
        size_t row = weft_cells_row(index, from[1], from[2]);
        size_t low = (size_t)(from[0] - index->low[0]);
        size_t high = (size_t)(to - index->low[0]) + 1;
        r.at = weft_cell_start(index, false, row, low);
        r.stop = r.end = weft_cell_start(index, false, row, high);
        if (index->delta_count == 0) return r;
        r.delta_at = weft_cell_start(index, true, row, low);
        r.delta_end = weft_cell_start(index, true, row, high);
        return r;
    }
    int32_t last[3] = {to, from[1], from[2]};
    uint64_t low = weft_cell_key(from, dimensions);
    uint64_t high = weft_cell_key(last, dimensions) + 1;
    r.at = weft_keys_from(index, 0, index->count, low);
    r.stop = r.end = weft_keys_from(index, r.at, index->count, high);
    if (index->delta_count == 0) return r;
    r.delta_at = weft_delta_from(index, low);
    r.delta_end = weft_delta_from(index, high);
    return r;
}

// ------------------------------------------------------------------------------------------------
// Unbounded grids

// Moves the current row to the next one with items, at or after it. Returns false if there is no
// such row. *inside is set if the walk's cells include a part of it.
static bool skip_rows(const weft_index *index, uint32_t dimensions, weft_grid_cells *cells,
                      bool *inside)
{
    const int32_t from[3] = {cells->low[0], cells->row[0], cells->row[1]};
    uint64_t key = weft_cell_key(from, dimensions);
    uint32_t base = weft_keys_from(index, 0, index->count, key);
    uint32_t delta = weft_delta_from(index, key);
    uint64_t next = UINT64_MAX;
    if (base < index->count) next = ((const uint64_t *)(const void *)index->keys.base)[base];
    if (delta < index->delta_count && weft_index_delta(index)[delta].key < next) {
        next = weft_index_delta(index)[delta].key;
    }
    if (next == UINT64_MAX) return false;
    cells->row[0] = weft_cell_of_key(next, dimensions, 1);
    cells->row[1] = weft_cell_of_key(next, dimensions, 2);
    *inside = cells->row[0] >= cells->low[1] && cells->row[0] <= cells->high[1];
    if (!*inside && cells->row[0] > cells->high[1]) cells->row[0] = cells->high[1];
    if (!*inside && cells->row[0] < cells->low[1]) cells->row[0] = cells->low[1] - 1;
    return cells->row[1] <= cells->high[2];
}

weft_grid_row weft_grid_far(const weft_world *world, const weft_index *index, weft_grid_cells cells)
{
    const uint32_t dimensions = world->plan->indexes[index - world->indexes].field_count;
    weft_grid_row r = {cells, {0, 0, 0, 0, 0}, false};
    for (;;) {
        bool inside = true;
        if (r.cells.row[0] >= cells.high[1]) {
            if (r.cells.row[1] >= cells.high[2]) return r;
            r.cells.row[1]++;
            r.cells.row[0] = cells.low[1] - 1;
        }
        r.cells.row[0]++;
        if (!skip_rows(index, dimensions, &r.cells, &inside)) {
            r.cells.row[0] = cells.high[1];
            r.cells.row[1] = cells.high[2];
            return r;
        }
        if (!inside) continue;
        int32_t from[3] = {cells.low[0], r.cells.row[0], r.cells.row[1]};
        r.run = weft_grid_run_of(index, dimensions, from, cells.high[0]);
        r.found = r.run.at != r.run.end || r.run.delta_at != r.run.delta_end;
        if (r.found) return r;
    }
}
