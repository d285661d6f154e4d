// Walks over what lies in a ball or a box of a grid.
//
// A walk finds some entities ahead, in a loop that does not branch on what it finds, and hands them
// out one by one. It is passed to no function by its address, so that a compiler may leave out what
// a game does not read of an iterator, such as the value of the component.
#ifndef WEFT_WALK_H
#define WEFT_WALK_H

#include "grid.h"

#define WEFT_GRID_AHEAD 64u // entities that a walk finds ahead

// A walk goes over a ball or a box.
typedef struct weft_grid_area {
    double centre[3];
    double reach; // of a ball: its radius squared
    double low[3];
    double high[3];
    bool ball;
} weft_grid_area;

// The cells that it goes over.
typedef struct weft_grid_cells {
    int32_t low[3];
    int32_t high[3];
    int32_t row[2]; // y and z of the row of cells at hand
} weft_grid_cells;

// Where the starts of the row at hand are in a bounded grid.
typedef struct weft_grid_starts {
    size_t row;
    size_t from; // offsets: of the first cell of the walk, and behind its last
    size_t to;
} weft_grid_starts;

// The rest of the row at hand.
typedef struct weft_grid_run {
    uint32_t at;       // in base
    uint32_t stop;     // the item of delta comes before it, if there is one
    uint32_t end;      // of the row
    uint32_t delta_at; // an item that the walk has, or delta_end
    uint32_t delta_end;
} weft_grid_run;

typedef struct weft_grid_walk {
    const weft_world *world;
    const weft_index *index; // NULL: there is nothing
    weft_grid_area area;
    weft_grid_cells cells;
    weft_grid_starts starts;
    weft_grid_run run;
    weft_grid_run following; // of the row at hand, in a bounded grid; `run` is of the one before
    bool more;               // there is such a row
    uint32_t version;
    uint32_t updates;
    uint32_t id; // of the entity at hand
    size_t next; // of those ahead
    size_t count;
    uint32_t ahead[WEFT_GRID_AHEAD];
} weft_grid_walk;

WEFT_ALWAYS_INLINE weft_grid_starts weft_grid_starts_none(void)
{
    const weft_grid_starts none = {0, 0, 0};
    return none;
}

// Finds the starts of the row at hand, which may be one before those of the box.
WEFT_ALWAYS_INLINE weft_grid_starts weft_grid_starts_of(const weft_index *index,
                                                        const weft_grid_cells *cells)
{
    weft_grid_starts s;
    s.row = weft_cells_row(index, cells->row[0], cells->row[1]);
    s.from = s.row * ((size_t)index->size[0] + 2) + (size_t)(cells->low[0] - index->low[0]);
    s.to = s.from + (size_t)(cells->high[0] - cells->low[0]) + 1;
    return s;
}

// Finds the run of the next row of a bounded grid, whose items the processor may fetch meanwhile.
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
    if (run.at != run.end) WEFT_PREFETCH(weft_grid_place(index, f, run.at));
    if (WEFT_UNLIKELY(index->delta_count != 0)) {
        run.delta_at = weft_cells_place(index, true, s.row, s.from);
        run.delta_end = weft_cells_place(index, true, s.row, s.to);
    }
    w->following = run;
}

// Begins a walk over the cells between its bounds; `good`: there may be something.
WEFT_ALWAYS_INLINE void weft_grid_begin(weft_grid_walk *w, const weft_world *world, uint32_t number,
                                        bool good, weft_grid_form f)
{
    const weft_index *index = &world->indexes[number];
    const weft_grid_run none = {0, 0, 0, 0, 0};
    weft_grid_cells *cells = &w->cells;
    w->world = world;
    w->version = weft_version(world);
    w->updates = index->updates;
    w->run = w->following = none;
    w->starts = weft_grid_starts_none();
    w->id = UINT32_MAX;
    w->next = w->count = 0;
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
    weft_grid_follow(w, f);
}

WEFT_ALWAYS_INLINE weft_grid_area weft_grid_nowhere(void)
{
    const weft_grid_area none = {{0.0, 0.0, 0.0}, 0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, false};
    return none;
}

// Begins a walk over a ball; `made` says whether the index is up to date, else there is nothing.
// The arrays have as many numbers as the grid has dimensions.
WEFT_ALWAYS_INLINE void weft_grid_ball(weft_grid_walk *w, const weft_world *world, uint32_t number,
                                       bool made, const double *centre, double radius,
                                       weft_grid_form f)
{
    bool good = made && radius >= 0.0;
    w->area = weft_grid_nowhere();
    w->area.ball = true;
    w->area.reach = radius * radius;
    for (uint32_t i = 0; i < f.dimensions; i++) {
        const double at = centre[i];
        const double slack = ((at < 0.0 ? -at : at) + radius) * WEFT_GRID_SLACK;
        const double high = at + radius + slack;
        w->area.centre[i] = at;
        w->area.low[i] = at - radius - slack;
        w->area.high[i] = high == high ? high : radius; // not a number: both are infinite
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
    w->area = weft_grid_nowhere();
    for (uint32_t i = 0; i < f.dimensions; i++) {
        w->area.low[i] = low[i];
        w->area.high[i] = high[i];
        good = good && low[i] <= high[i];
    }
    weft_grid_begin(w, world, number, good, f);
}

// Tells whether a point lies in an area.
WEFT_ALWAYS_INLINE bool weft_grid_inside(const weft_grid_area *area, uint32_t dimensions, double x,
                                         double y, double z)
{
    if (area->ball) {
        double dx = x - area->centre[0];
        double dy = y - area->centre[1];
        double distance = dx * dx + dy * dy;
        if (dimensions == 3) distance += (z - area->centre[2]) * (z - area->centre[2]);
        return distance <= area->reach;
    }
    bool flat =
        (x >= area->low[0]) & (x <= area->high[0]) & (y >= area->low[1]) & (y <= area->high[1]);
    return dimensions == 2 ? flat : flat & (z >= area->low[2]) & (z <= area->high[2]);
}

// Returns a run from the next item of delta on that the area has, with the place that it comes
// before.
weft_grid_run weft_grid_stop(const weft_world *world, const weft_index *index, weft_grid_area area,
                             weft_grid_run run);

// The next row of an unbounded grid that has items in the cells.
typedef struct weft_grid_row {
    weft_grid_cells cells;
    weft_grid_run run;
    bool found;
} weft_grid_row;

weft_grid_row weft_grid_far(const weft_world *world, const weft_index *index,
                            weft_grid_cells cells);

// Finds the run from one cell to another of its row. In a bounded grid both are in the box.
weft_grid_run weft_grid_run_of(const weft_index *index, uint32_t dimensions, const int32_t *from,
                               int32_t to);

// Steps to the next row of cells. Returns false if there are no more.
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
    if (WEFT_UNLIKELY(w->run.delta_at != w->run.delta_end)) {
        w->run = weft_grid_stop(w->world, w->index, w->area, w->run);
    }
    return true;
}

// Adds those of the items of base up to `stop` that the area has to those ahead. The common case
// has a loop of its own.
WEFT_ALWAYS_INLINE void weft_grid_scan(weft_grid_walk *w, weft_grid_form f, uint32_t stop)
{
    const weft_index *index = w->index;
    const weft_grid_area *area = &w->area;
    const unsigned char *item = weft_grid_place(index, f, w->run.at);
    size_t count = w->count;
    if (WEFT_LIKELY(area->ball && index->moved_count == 0)) {
        const double x = area->centre[0];
        const double y = area->centre[1];
        const double z = f.dimensions == 3 ? area->centre[2] : 0.0;
        const double reach = area->reach;
        for (uint32_t left = stop - w->run.at; left != 0; left--) {
            double dx = weft_grid_at(item, f, 0) - x;
            double dy = weft_grid_at(item, f, 1) - y;
            double distance = dx * dx + dy * dy;
            if (f.dimensions == 3) {
                double dz = weft_grid_at(item, f, 2) - z;
                distance += dz * dz;
            }
            w->ahead[count] = weft_grid_id(item, f);
            count += distance <= reach;
            item += weft_grid_item_bytes(f);
        }
    } else {
        const uint64_t *moved = (const uint64_t *)(const void *)index->moved.base;
        for (uint32_t left = stop - w->run.at; left != 0; left--) {
            double z = f.dimensions == 3 ? weft_grid_at(item, f, 2) : 0.0;
            uint32_t id = weft_grid_id(item, f);
            w->ahead[count] = id;
            bool inside = weft_grid_inside(area, f.dimensions, weft_grid_at(item, f, 0),
                                           weft_grid_at(item, f, 1), z);
            count += (uint32_t)inside & (uint32_t)(~moved[id / 64] >> (id % 64) & 1u);
            item += weft_grid_item_bytes(f);
        }
    }
    w->count = count;
    w->run.at = stop;
}

// Finds the next entities of a walk. Returns false if there are no more.
WEFT_ALWAYS_INLINE bool weft_grid_look(weft_grid_walk *w, weft_grid_form f)
{
    w->next = w->count = 0;
    while (w->count <= WEFT_GRID_AHEAD / 2) {
        if (w->run.at != w->run.stop) {
            uint32_t space = WEFT_GRID_AHEAD - (uint32_t)w->count;
            uint32_t left = w->run.stop - w->run.at;
            weft_grid_scan(w, f, w->run.at + (left < space ? left : space));
        } else if (WEFT_UNLIKELY(w->run.delta_at != w->run.delta_end)) {
            w->ahead[w->count++] = weft_index_delta(w->index)[w->run.delta_at++].id;
            w->run.stop = w->run.end;
            if (w->run.delta_at != w->run.delta_end) {
                w->run = weft_grid_stop(w->world, w->index, w->area, w->run);
            }
        } else if (!weft_grid_step(w, f)) {
            break;
        }
    }
    return w->count != 0;
}

// Steps to the next entity, which is w->id then. Returns false at the end.
WEFT_ALWAYS_INLINE bool weft_grid_next(weft_grid_walk *w, weft_grid_form f)
{
    if (!w->index || weft_index_stale(w->world, w->index, w->version, w->updates)) return false;
    if (w->next == w->count && !weft_grid_look(w, f)) return false;
    w->id = w->ahead[w->next++];
    return true;
}

#endif
