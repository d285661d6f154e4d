// Grids: two or three numbers of a component as coordinates, in cells of one size.
//
// The key of an item is its cell, rows of cells first (z, then y, then x), so that the cells of one
// row lie side by side and a walk goes along runs of them. Items of base hold the coordinates, in
// the width that keeps them exact, and the entity index:
//
//   item     | x | y | id |            of f32, or of f64 where f32 would round
//   bounded  `starts` ends the items of each cell of a box around all there are, while the box
//            has few cells beside the items; whoever leaves the box has it made anew
//   else     `keys` has the cell of each item, and runs are found by binary search
//
// Coordinates beyond ±2^30 cells (2^20 in three dimensions) count to the last cell, so infinities
// have a cell as well. An entity of which a coordinate is no number is nowhere, and in no index.
//
// Distances are computed in f64, from the exact coordinates. A walk has the entities in the order
// of their cells, and those of a cell by entity index.
#ifndef WEFT_GRID_H
#define WEFT_GRID_H

#include "index.h"

#define WEFT_NEAREST_MAX 1024u // entities that one call of nearest finds at most

// How the items of a grid lie. Generated code passes it by value, as constants.
typedef struct weft_grid_form {
    uint32_t dimensions;
    bool wide;
    double per_cell; // 1 / the side of a cell
} weft_grid_form;

// A walk over what lies in a ball or a box.
typedef struct weft_grid_walk {
    const weft_world *world;
    const weft_index *index; // NULL: there is nothing
    double centre[3];
    double reach; // of a ball: its radius squared
    double low[3];
    double high[3];
    int32_t cell_low[3];
    int32_t cell_high[3];
    int32_t row[2]; // y and z of the row of cells at hand
    uint32_t at;    // in base
    uint32_t end;
    uint32_t delta_at;
    uint32_t delta_end;
    uint32_t version;
    uint32_t updates;
    uint32_t id; // of the entity at hand
    bool ball;
    bool quick; // the grid is bounded, and nothing is in delta
} weft_grid_walk;

static inline uint32_t weft_grid_item_bytes(weft_grid_form f)
{
    return (f.wide ? 8u : 4u) * (f.dimensions + 1u);
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
    uint32_t id;
    memcpy(&id, item + (f.wide ? 8u : 4u) * f.dimensions, sizeof id);
    return id;
}

// By which bounds of a walk are widened, against rounding.
#define WEFT_GRID_SLACK 0x1p-40

static inline int32_t weft_grid_limit(uint32_t dimensions)
{
    return dimensions == 3 ? 1 << 20 : 1 << 30;
}

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

// Begins a walk over the cells between its bounds; `good`: there may be something.
WEFT_ALWAYS_INLINE void weft_grid_begin(weft_grid_walk *w, const weft_world *world, uint32_t number,
                                        bool good, weft_grid_form f)
{
    const weft_index *index = &world->indexes[number];
    bool has_window = index->size[0] != 0;
    w->world = world;
    w->version = weft_version(world);
    w->updates = index->updates;
    w->at = w->end = w->delta_at = w->delta_end = 0;
    w->id = UINT32_MAX;
    w->cell_low[2] = w->cell_high[2] = 0;
    for (uint32_t i = 0; good && i < f.dimensions; i++) {
        w->cell_low[i] = weft_grid_cell(w->low[i], f);
        w->cell_high[i] = weft_grid_cell(w->high[i], f);
        if (!has_window) continue;
        int32_t last = index->low[i] + index->size[i] - 1;
        if (w->cell_low[i] < index->low[i]) w->cell_low[i] = index->low[i];
        if (w->cell_high[i] > last) w->cell_high[i] = last;
        if (w->cell_low[i] > w->cell_high[i]) good = false;
    }
    w->index = good ? index : NULL;
    w->row[0] = good ? w->cell_low[1] - 1 : 0;
    w->row[1] = w->cell_low[2];
    w->quick = has_window && index->delta_count == 0;
}

// Begins a walk over a ball; `made` says whether the index is up to date, else there is nothing.
// The arrays have as many numbers as the grid has dimensions.
WEFT_ALWAYS_INLINE void weft_grid_ball(weft_grid_walk *w, const weft_world *world, uint32_t number,
                                       bool made, const double *centre, double radius,
                                       weft_grid_form f)
{
    bool good = made && radius >= 0.0;
    w->ball = true;
    w->reach = radius * radius;
    for (uint32_t i = 0; i < f.dimensions; i++) {
        const double at = centre[i];
        const double slack = ((at < 0.0 ? -at : at) + radius) * WEFT_GRID_SLACK;
        const double high = at + radius + slack;
        w->centre[i] = at;
        w->low[i] = at - radius - slack;
        w->high[i] = high == high ? high : radius; // not a number: both are infinite
        good = good && at == at;
    }
    weft_grid_begin(w, world, number, good, f);
}

// Begins one over a box.
WEFT_ALWAYS_INLINE void weft_grid_box(weft_grid_walk *w, const weft_world *world, uint32_t number,
                                      bool made, const double *low, const double *high,
                                      weft_grid_form f)
{
    bool good = made;
    w->ball = false;
    for (uint32_t i = 0; i < f.dimensions; i++) {
        w->low[i] = low[i];
        w->high[i] = high[i];
        good = good && low[i] <= high[i];
    }
    weft_grid_begin(w, world, number, good, f);
}

// Steps to the next row of cells with items. Returns false if there are no more.
bool weft_grid_row(weft_grid_walk *w);

// Steps to the next item of a row that has some in delta. Returns false at its end.
bool weft_grid_merged(weft_grid_walk *w);

// Tells whether a point lies in what the walk goes over.
WEFT_ALWAYS_INLINE bool weft_grid_inside(const weft_grid_walk *w, uint32_t dimensions, double x,
                                         double y, double z)
{
    if (w->ball) {
        double dx = x - w->centre[0];
        double dy = y - w->centre[1];
        double dz = dimensions == 3 ? z - w->centre[2] : 0.0;
        return dx * dx + dy * dy + dz * dz <= w->reach;
    }
    return x >= w->low[0] && x <= w->high[0] && y >= w->low[1] && y <= w->high[1] &&
           (dimensions == 2 || (z >= w->low[2] && z <= w->high[2]));
}

// Steps to the next row of cells of a quick walk. Returns false at the end.
WEFT_ALWAYS_INLINE bool weft_grid_quick_row(weft_grid_walk *w, uint32_t dimensions)
{
    const weft_index *index = w->index;
    const uint32_t *starts = (const uint32_t *)(const void *)index->starts.base;
    if (w->row[0] == w->cell_high[1]) {
        if (dimensions == 2 || w->row[1] == w->cell_high[2]) return false;
        w->row[1]++;
        w->row[0] = w->cell_low[1] - 1;
    }
    w->row[0]++;
    size_t z = dimensions == 3 ? (size_t)(w->row[1] - index->low[2]) : 0;
    size_t row = z * (size_t)index->size[1] + (size_t)(w->row[0] - index->low[1]);
    size_t cell = row * (size_t)index->size[0] + (size_t)(w->cell_low[0] - index->low[0]);
    w->at = starts[cell];
    w->end = starts[cell + (size_t)(w->cell_high[0] - w->cell_low[0]) + 1];
    return true;
}

// Steps to the next entity, which is w->id then. Returns false at the end.
WEFT_ALWAYS_INLINE bool weft_grid_next(weft_grid_walk *w, weft_grid_form f)
{
    if (!w->index || weft_index_stale(w->world, w->index, w->version, w->updates)) return false;
    for (;;) {
        if (WEFT_UNLIKELY(w->delta_at != w->delta_end) && weft_grid_merged(w)) return true;
        // Locals, since a store to the walk could change what is read of the index.
        // Where there are no items there is no address to add to.
        uint32_t left = w->end - w->at;
        const unsigned char *item = left != 0 ? weft_grid_place(w->index, f, w->at) : NULL;
        for (; left != 0; left--) {
            const unsigned char *now = item;
            double z = f.dimensions == 3 ? weft_grid_at(now, f, 2) : 0.0;
            item += weft_grid_item_bytes(f);
            if (!weft_grid_inside(w, f.dimensions, weft_grid_at(now, f, 0), weft_grid_at(now, f, 1),
                                  z)) {
                continue;
            }
            uint32_t id = weft_grid_id(now, f);
            if (WEFT_UNLIKELY(weft_index_moved(w->index, id))) continue;
            w->id = id;
            w->at = w->end - left + 1;
            return true;
        }
        w->at = w->end;
        if (WEFT_LIKELY(w->quick)) {
            if (!weft_grid_quick_row(w, f.dimensions)) return false;
            continue;
        }
        if (!weft_grid_row(w)) return false;
    }
}

// Finds the k entities nearest to a point, at most WEFT_NEAREST_MAX: writes their indices to `ids`,
// nearest first, those as near by index, and returns how many there are.
uint32_t weft_grid_nearest(const weft_world *world, uint32_t index, bool made, const double *point,
                           size_t k, uint32_t *ids);

// Writes the coordinates and the key of a row. False: some coordinate is no number.
bool weft_grid_item(const weft_world *world, const weft_index_plan *plan, const weft_table *table,
                    uint32_t row, weft_index_item *item);

// Makes base from the tables; merges delta into it. False: no memory.
bool weft_grid_make(weft_world *world, uint32_t index);
bool weft_grid_merge(weft_world *world, uint32_t index);

// Tells whether something in delta has left the box of a bounded grid.
bool weft_grid_left(const weft_world *world, uint32_t index);

#endif
