// Walks over the items in a ball or a box of a grid.
//
// A walk finds several entities in advance, as bits for up to WEFT_GRID_SPANS spans of adjacent
// items, and returns them one by one. Moved items are skipped only then, because few of the found
// items have moved. Only inlined functions take the address of a walk, so that a compiler may remove
// members of an iterator that a game does not read, such as the value of the component.
#ifndef WEFT_WALK_H
#define WEFT_WALK_H

#include "area.h"

#define WEFT_GRID_SPANS (64u / WEFT_GRID_SIDE) // one bit for each item

// The cells of the walk.
typedef struct weft_grid_cells {
    int32_t low[3];
    int32_t high[3];
    int32_t row[2]; // y and z of the current row of cells
} weft_grid_cells;

// The cell starts of the current row in a bounded grid.
typedef struct weft_grid_starts {
    size_t row;
    size_t from; // positions of offsets: the walk's first cell, and the cell after its last
    size_t to;
} weft_grid_starts;

// The rest of a row.
typedef struct weft_grid_run {
    uint32_t at;       // next place in base
    uint32_t stop;     // place before which the next item of delta belongs, if there is one
    uint32_t end;      // end of the row in base
    uint32_t delta_at; // next item of delta in the area, or delta_end
    uint32_t delta_end;
} weft_grid_run;

typedef struct weft_grid_walk {
    const weft_world *world;
    const weft_index *index; // NULL: the walk is empty
    weft_grid_area area;
    weft_grid_cells cells;
    weft_grid_starts starts;
    weft_grid_run run;
    weft_grid_run following; // bounded grid: the current row; `run` is the previous one
    bool more;               // there is a current row
    uint64_t moment;
    uint32_t updates;
    const unsigned char *ids;         // of base and delta
    const uint64_t *moved;            // bits by entity index; NULL: nothing has moved
    uint32_t id;                      // of the current entity
    uint64_t ahead;                   // bits of found entities that were not returned yet
    uint32_t places[WEFT_GRID_SPANS]; // for each span: the place of bit 0 of `ahead`, wrapping
} weft_grid_walk;

// Returns the cell starts of the current row, which may be one before the rows of the box.
WEFT_ALWAYS_INLINE weft_grid_starts weft_grid_starts_of(const weft_index *index,
                                                        const weft_grid_cells *cells)
{
    weft_grid_starts s;
    s.row = weft_cells_row(index, cells->row[0], cells->row[1]);
    s.from = s.row * ((size_t)index->size[0] + 2) + (size_t)(cells->low[0] - index->low[0]);
    s.to = s.from + (size_t)(cells->high[0] - cells->low[0]) + 1;
    return s;
}

// Prefetches the items that the walk will read, for up to 8 rows.
WEFT_ALWAYS_INLINE void weft_grid_fetch(const weft_index *index, const weft_grid_cells *cells,
                                        weft_grid_starts s, weft_grid_form f)
{
    const unsigned char *ids = weft_grid_ids(index, f);
    for (int32_t y = cells->low[1]; y <= cells->high[1] && y < cells->low[1] + 8; y++) {
        s.row++;
        s.from += (size_t)index->size[0] + 2;
        s.to += (size_t)index->size[0] + 2;
        uint32_t from = weft_cells_place(index, false, s.row, s.from);
        uint32_t to = weft_cells_place(index, false, s.row, s.to);
        for (uint32_t axis = 0; axis < f.dimensions; axis++) {
            const unsigned char *numbers = weft_grid_axis(index, f, axis);
            WEFT_PREFETCH(numbers + from * weft_grid_number_bytes(f));
            WEFT_PREFETCH(numbers + to * weft_grid_number_bytes(f));
        }
        WEFT_PREFETCH(ids + from * f.id_bytes);
        WEFT_PREFETCH(ids + to * f.id_bytes);
    }
}

// Finds the run of the next row of a bounded grid, so that its items can be fetched in time.
WEFT_ALWAYS_INLINE void weft_grid_follow(weft_grid_walk *w, weft_grid_form f)
{
    const weft_index *index = w->index;
    weft_grid_cells *cells = &w->cells;
    if (cells->row[0] == cells->high[1]) {
        w->more = f.dimensions == 3 && cells->row[1] != cells->high[2];
        if (!w->more) return;
        cells->row[1]++;
        cells->row[0] = cells->low[1] - 1;
        w->starts = weft_grid_starts_of(index, cells);
    }
    cells->row[0]++;
    w->starts.row++;
    w->starts.from += (size_t)index->size[0] + 2;
    w->starts.to += (size_t)index->size[0] + 2;
    const weft_grid_starts s = w->starts;
    weft_grid_run run = {0, 0, 0, 0, 0};
    run.at = weft_cells_place(index, false, s.row, s.from);
    run.stop = run.end = weft_cells_place(index, false, s.row, s.to);
    if (WEFT_UNLIKELY(index->delta_count != 0)) {
        run.delta_at = weft_cells_place(index, true, s.row, s.from);
        run.delta_end = weft_cells_place(index, true, s.row, s.to);
    }
    w->following = run;
}

// Begins a walk over the cells between its bounds. It is empty unless `good`.
WEFT_ALWAYS_INLINE void weft_grid_begin(weft_grid_walk *w, const weft_world *world, uint32_t number,
                                        bool good, weft_grid_form f)
{
    const weft_index *index = &world->indexes[number];
    const weft_grid_run none = {0, 0, 0, 0, 0};
    const weft_grid_starts nowhere = {0, 0, 0};
    weft_grid_cells *cells = &w->cells;
    w->world = world;
    w->moment = weft_moment(world);
    w->updates = index->updates;
    w->run = w->following = none;
    w->starts = nowhere;
    w->ids = good ? weft_grid_ids(index, f) : NULL; // an index that is not built has no items
    w->moved = index->moved_count != 0 ? (const uint64_t *)(const void *)index->moved.base : NULL;
    w->id = UINT32_MAX;
    w->ahead = 0;
    for (uint32_t i = 0; i < 3; i++) cells->low[i] = cells->high[i] = 0;
    for (uint32_t i = 0; good && i < f.dimensions; i++) {
        cells->low[i] = weft_grid_cell(w->area.low[i], f);
        cells->high[i] = weft_grid_cell(w->area.high[i], f);
        if (!weft_cells_bounded(index)) continue;
        int32_t last = index->low[i] + index->size[i] - 1;
        if (cells->low[i] < index->low[i]) cells->low[i] = index->low[i];
        if (cells->high[i] > last) cells->high[i] = last;
        if (cells->low[i] > cells->high[i]) good = false;
    }
    w->index = good ? index : NULL;
    cells->row[0] = good ? cells->low[1] - 1 : 0;
    cells->row[1] = cells->low[2];
    w->more = good;
    if (!good || !weft_cells_bounded(index)) return;
    w->starts = weft_grid_starts_of(index, cells);
    weft_grid_fetch(index, cells, w->starts, f);
    weft_grid_follow(w, f);
}

// Begins a walk over a ball. It is empty unless `made`, which means that the index is up to date.
// The arrays have one number for each dimension.
WEFT_ALWAYS_INLINE void weft_grid_ball(weft_grid_walk *w, const weft_world *world, uint32_t number,
                                       bool made, const double *centre, double radius,
                                       weft_grid_form f)
{
    bool good = made && radius >= 0.0;
    const double wrong = weft_area_centre(&w->area, f.dimensions, centre);
    weft_area_reach(&w->area, radius * radius, radius, wrong);
    for (uint32_t i = 0; i < f.dimensions; i++) {
        const double at = centre[i];
        const double slack = ((at < 0.0 ? -at : at) + radius) * WEFT_GRID_SLACK;
        const double high = at + radius + slack;
        w->area.low[i] = at - radius - slack;
        w->area.high[i] = high == high ? high : radius; // NaN if the centre and the radius are
                                                        // infinite
        good = good && at == at;
    }
    w->area.radius = radius;
    w->area.extreme = weft_area_is_extreme(f.dimensions, centre, radius);
    weft_grid_begin(w, world, number, good, f);
}

// Like weft_grid_ball, over a box.
WEFT_ALWAYS_INLINE void weft_grid_box(weft_grid_walk *w, const weft_world *world, uint32_t number,
                                      bool made, const double *low, const double *high,
                                      weft_grid_form f)
{
    bool good = made;
    memset(&w->area, 0, sizeof w->area);
    for (uint32_t i = 0; i < f.dimensions; i++) {
        w->area.low[i] = low[i];
        w->area.high[i] = high[i];
        w->area.from[i] = weft_float_above(low[i]);
        w->area.to[i] = -weft_float_above(-high[i]);
        good = good && low[i] <= high[i];
    }
    w->area.narrow = true;
    weft_grid_begin(w, world, number, good, f);
}

// Sets `stop` to the place of the next item of delta in the area.
WEFT_ALWAYS_INLINE void weft_grid_stop(weft_grid_walk *w, weft_grid_form f)
{
    weft_grid_run *run = &w->run;
    const weft_index_item *item = weft_index_delta(w->index) + run->delta_at;
    while (run->delta_at != run->delta_end && !weft_area_has(&w->area, f.dimensions, item->at)) {
        run->delta_at++;
        item++;
    }
    run->stop = run->delta_at != run->delta_end ? item->before : run->end;
}

// The next row of an unbounded grid with items in the walk's cells.
typedef struct weft_grid_row {
    weft_grid_cells cells;
    weft_grid_run run;
    bool found;
} weft_grid_row;

WEFT_PURE weft_grid_row weft_grid_far(const weft_world *world, const weft_index *index,
                                      weft_grid_cells cells);

// Returns the run from one cell to another cell of its row. In a bounded grid both must be in the
// box.
weft_grid_run weft_grid_run_of(const weft_index *index, uint32_t dimensions, const int32_t *from,
                               int32_t to);

// Advances to the next row of cells. Returns false if there are no more.
WEFT_ALWAYS_INLINE bool weft_grid_step(weft_grid_walk *w, weft_grid_form f)
{
    if (!w->more) return false;
    if (WEFT_LIKELY(weft_cells_bounded(w->index))) {
        w->run = w->following;
        weft_grid_follow(w, f);
    } else {
        weft_grid_row next = weft_grid_far(w->world, w->index, w->cells);
        w->cells = next.cells;
        w->run = next.run;
        w->more = next.found;
    }
    if (WEFT_UNLIKELY(w->run.delta_at != w->run.delta_end)) weft_grid_stop(w, f);
    return true;
}

// Finds the next entities of a walk. Returns false if there are no more.
WEFT_ALWAYS_INLINE bool weft_grid_look(weft_grid_walk *w, weft_grid_form f)
{
    for (uint32_t bit = 0; bit < 64;) {
        weft_grid_run *run = &w->run;
        uint32_t *place = &w->places[bit / WEFT_GRID_SIDE];
        if (run->at != run->stop) {
            uint32_t left = run->stop - run->at;
            uint64_t found = weft_area_items(&w->area, w->index, f, run->at);
            if (left < WEFT_GRID_SIDE) found &= weft_bits_low(left);
            *place = run->at - bit;
            w->ahead |= found << bit;
            bit += found != 0 ? WEFT_GRID_SIDE : 0;
            run->at += left < WEFT_GRID_SIDE ? left : WEFT_GRID_SIDE;
        } else if (WEFT_UNLIKELY(run->delta_at != run->delta_end)) {
            *place = w->index->capacity + run->delta_at++ - bit;
            w->ahead |= (uint64_t)1 << bit;
            bit += WEFT_GRID_SIDE;
            weft_grid_stop(w, f);
        } else if (!weft_grid_step(w, f)) {
            break;
        }
    }
    return w->ahead != 0;
}

// Advances to the next entity and stores it in w->id. Returns false at the end.
WEFT_ALWAYS_INLINE bool weft_grid_next(weft_grid_walk *w, weft_grid_form f)
{
    const weft_index *index = w->index;
    uint32_t place;
    if (!index) return false;
    if (weft_index_stale(w->world, index, w->moment, w->updates)) {
        w->index = NULL;
        return false;
    }
    do {
        if (w->ahead == 0 && !weft_grid_look(w, f)) return false;
        const uint32_t bit = weft_bits_pop(&w->ahead);
        place = w->places[bit / WEFT_GRID_SIDE] + bit;
        w->id = weft_id_read(w->ids + (size_t)place * f.id_bytes, f.id_bytes);
    } while (WEFT_UNLIKELY(w->moved && (w->moved[w->id / 64] >> (w->id % 64) & 1u) != 0) &&
             place < index->capacity);
    return true;
}

#endif
