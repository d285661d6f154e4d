// Nearest search: visits rings of cells around the cell of the point, until nothing outside can be
// nearer than the k-th item. If rings find little, because cells are empty, it visits rows of cells
// with items outwards instead, while they may be near enough. The item before or after those of a
// row determines the next row, so empty cells cost nothing.
#include "grid_nearest.h"

#include "walk.h"

#include <float.h>
#include <math.h>

// The number of rows of rings that may find little before the search switches. In hard mode it is
// small, so that tests cover both ways.
#ifdef WEFT_HARD
#define ROWS_LEAST 4u
#else
#define ROWS_LEAST 64u
#endif

typedef struct grid_search {
    const weft_entities *entities;
    const weft_index *index;
    const weft_index_plan *plan;
    weft_grid_form form;
    double point[3];
    int32_t cell[3];
    int64_t low[3]; // the existing cells
    int64_t high[3];
    uint32_t k;
    uint32_t found;
    uint32_t *ids;
    double most;                        // a squared distance within which k items are known to lie
    bool extreme;                       // distances need powers of their own: see far.h
    double distances[WEFT_NEAREST_MAX]; // squared
} grid_search;

WEFT_ALWAYS_INLINE double distance_to(const grid_search *s, uint32_t dimensions, const double *at)
{
    double distance = 0.0;
    for (uint32_t axis = 0; axis < 3 && axis < dimensions; axis++) {
        const double d = at[axis] - s->point[axis];
        distance = axis == 0 ? d * d : distance + d * d;
    }
    return distance;
}

#define DISTANCE_LEAST (WEFT_FAR_LEAST * WEFT_FAR_LEAST)

// Returns whether a squared distance near 0 was rounded.
WEFT_APART static bool is_rounded(const grid_search *s, const double *at)
{
    bool same = true;
    for (uint32_t i = 0; i < s->form.dimensions; i++) same = same && at[i] == s->point[i];
    return !same;
}

// Inserts an entity by its squared distance among those found.
static void meet(grid_search *s, double distance, uint32_t id, const double *at)
{
    uint32_t to = s->found;
    if (WEFT_UNLIKELY(distance < DISTANCE_LEAST)) s->extreme = s->extreme || is_rounded(s, at);
    if (to == s->k) {
        double last = s->distances[to - 1];
        if (distance > last || (distance == last && id > s->ids[to - 1])) return;
        to--;
    }
    s->found = to + 1;
    while (to != 0 && (s->distances[to - 1] > distance ||
                       (s->distances[to - 1] == distance && s->ids[to - 1] > id))) {
        s->distances[to] = s->distances[to - 1];
        s->ids[to] = s->ids[to - 1];
        to--;
    }
    s->distances[to] = distance;
    s->ids[to] = id;
    WEFT_PREFETCH(s->entities->records.base + (size_t)id * s->entities->record_bytes);
}

// Returns the squared distance beyond which items are too far.
WEFT_ALWAYS_INLINE double last_of(const grid_search *s)
{
    return s->found == s->k ? s->distances[s->k - 1] : s->most;
}

WEFT_ALWAYS_INLINE void meet_item(grid_search *s, uint32_t place, double distance, weft_grid_form f,
                                  const double *at)
{
    const uint32_t id = weft_grid_id(s->index, f, place);
    if (!weft_index_moved(s->index, id)) meet(s, distance, id, at);
}

// A short run is visited item by item, because a vector would read after it, where nothing was
// fetched.
WEFT_ALWAYS_INLINE void meet_base(grid_search *s, uint32_t from, uint32_t end, weft_grid_form f)
{
    weft_grid_area area;
    const double wrong = weft_area_centre(&area, f.dimensions, s->point);
    double at[3] = {0.0, 0.0, 0.0};
    uint32_t place = from;
    for (; end - place >= 2 * WEFT_GRID_SIDE; place += WEFT_GRID_SIDE) {
        const double reach = last_of(s);
        weft_area_reach(&area, reach, 0.5 + 0.5 * reach, wrong);
        for (uint64_t found = weft_area_items(&area, s->index, f, place); found != 0;) {
            const uint32_t met = place + weft_bits_pop(&found);
            weft_grid_point(s->index, f, met, at);
            meet_item(s, met, distance_to(s, f.dimensions, at), f, at);
        }
    }
    double last = last_of(s);
    for (; place != end; place++) {
        weft_grid_point(s->index, f, place, at);
        const double distance = distance_to(s, f.dimensions, at);
        if (distance > last) continue;
        meet_item(s, place, distance, f, at);
        last = last_of(s);
    }
}

static void meet_run(grid_search *s, weft_grid_run r)
{
    if (!s->form.wide && s->form.dimensions == 2 && s->form.id_bytes == 3) {
        const weft_grid_form flat = {2, false, 3, s->form.per_cell};
        meet_base(s, r.at, r.end, flat);
    } else {
        meet_base(s, r.at, r.end, s->form);
    }
    for (uint32_t i = r.delta_at; i < r.delta_end; i++) {
        const weft_index_item *item = &weft_index_delta(s->index)[i];
        meet(s, distance_to(s, s->form.dimensions, item->at), item->id, item->at);
    }
}

// Sets the range of existing cells along an axis.
static void find_axis(grid_search *s, uint32_t axis)
{
    const int32_t limit = weft_grid_limit(s->form.dimensions);
    const bool bounded = weft_cells_bounded(s->index);
    const bool used = axis < s->form.dimensions;
    s->low[axis] = bounded ? s->index->low[axis] : used ? -limit : 0;
    s->high[axis] = bounded ? s->low[axis] + s->index->size[axis] - 1 : used ? limit - 1 : 0;
}

// Returns a lower bound of the squared distance along an axis to anything in a cell.
static double gap_of(const grid_search *s, uint32_t axis, int64_t cell)
{
    const double size = s->plan->cell;
    const double at = s->point[axis];
    double gap = 0.0;
    if (cell > s->cell[axis]) gap = (double)cell * size - at;
    if (cell < s->cell[axis]) gap = at - (double)(cell + 1) * size;
    gap -= (gap + (at < 0.0 ? -at : at)) * WEFT_GRID_SLACK;
    return gap > 0.0 ? gap * gap : 0.0;
}

// Visits the existing cells of a row from `from` to `to` that are near enough. `gap` is the squared
// distance of the row.
static void meet_cells(grid_search *s, int64_t y, int64_t z, int64_t from, int64_t to, double gap)
{
    const double last = last_of(s);
    if (from < s->low[0]) from = s->low[0];
    if (to > s->high[0]) to = s->high[0];
    while (from <= to && from < s->cell[0] && gap + gap_of(s, 0, from) > last) from++;
    while (from <= to && to > s->cell[0] && gap + gap_of(s, 0, to) > last) to--;
    if (from > to || gap > last) return;
    const int32_t cell[3] = {(int32_t)from, (int32_t)y, (int32_t)z};
    meet_run(s, weft_grid_run_of(s->index, s->form.dimensions, cell, (int32_t)to));
}

// Visits the cells that are `ring` cells away. With `whole`, it visits nearer cells too, beginning
// with the row of cells that contains the point. Returns the number of rows of cells.
static size_t meet_ring(grid_search *s, int64_t ring, bool whole)
{
    int64_t low[3];
    int64_t high[3];
    size_t rows = 0;
    for (uint32_t axis = 1; axis < 3; axis++) {
        const int64_t reach = axis < s->form.dimensions ? ring : 0;
        low[axis] = s->cell[axis] - reach < s->low[axis] ? s->low[axis] : s->cell[axis] - reach;
        high[axis] = s->cell[axis] + reach > s->high[axis] ? s->high[axis] : s->cell[axis] + reach;
    }
    const int64_t x = s->cell[0];
    const bool own = low[1] <= s->cell[1] && s->cell[1] <= high[1] && low[2] <= s->cell[2] &&
                     s->cell[2] <= high[2]; // the row of the point is in the box
    if (whole && own) meet_cells(s, s->cell[1], s->cell[2], x - ring, x + ring, 0.0);
    for (int64_t z = low[2]; z <= high[2]; z++) {
        const double z_gap = s->form.dimensions == 3 ? gap_of(s, 2, z) : 0.0;
        bool z_edge = s->form.dimensions == 3 && (z - s->cell[2] == ring || s->cell[2] - z == ring);
        for (int64_t y = low[1]; y <= high[1]; y++) {
            const double gap = z_gap + gap_of(s, 1, y);
            rows++;
            if (whole && y == s->cell[1] && z == s->cell[2]) continue;
            if (whole || z_edge || y - s->cell[1] == ring || s->cell[1] - y == ring) {
                meet_cells(s, y, z, x - ring, x + ring, gap);
            } else {
                meet_cells(s, y, z, x - ring, x - ring, gap);
                meet_cells(s, y, z, x + ring, x + ring, gap);
            }
        }
    }
    return rows;
}

// Returns a lower bound of the squared distance of anything beyond a ring, infinite if there are no
// cells beyond it.
static double beyond(const grid_search *s, int64_t ring)
{
    double least = (double)INFINITY;
    for (uint32_t i = 0; i < s->form.dimensions; i++) {
        double size = s->plan->cell;
        double below = s->point[i] - (double)(s->cell[i] - ring) * size;
        double above = (double)(s->cell[i] + ring + 1) * size - s->point[i];
        if (s->cell[i] - ring > s->low[i] && below < least) least = below;
        if (s->cell[i] + ring < s->high[i] && above < least) least = above;
    }
    if (least == (double)INFINITY) return least;
    least -= least * WEFT_GRID_SLACK;
    for (uint32_t i = 0; i < s->form.dimensions; i++) {
        least -= (s->point[i] < 0.0 ? -s->point[i] : s->point[i]) * WEFT_GRID_SLACK;
    }
    if (!(least > 0.0)) return 0.0;
    return least < WEFT_FAR_MOST ? least * least : DBL_MAX;
}

// ------------------------------------------------------------------------------------------------
// Rows with items

// Finds the places of items in the given cells, for any value along the first `axes` axes.
static weft_grid_run places_of_cells(const grid_search *s, uint32_t axes, const int32_t *cell)
{
    int32_t low[3];
    int32_t high[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        low[axis] = axis < axes ? (int32_t)s->low[axis] : cell[axis];
        high[axis] = axis < axes ? (int32_t)s->high[axis] : cell[axis];
    }
    weft_grid_run r = weft_grid_run_of(s->index, s->form.dimensions, low, low[0]);
    r.end = weft_grid_run_of(s->index, s->form.dimensions, high, high[0]).end;
    return r;
}

// Returns the cell of an item along an axis.
static int32_t cell_at(const grid_search *s, uint32_t place, uint32_t axis)
{
    return weft_grid_cell(weft_grid_number(s->index, s->form, place, axis), s->form);
}

// Visits an item. Returns false if it, and all items in farther cells of the row, are too far.
static bool meet_farther(grid_search *s, uint32_t place, double gap)
{
    double at[3] = {0.0, 0.0, 0.0};
    weft_grid_point(s->index, s->form, place, at);
    const double distance = distance_to(s, s->form.dimensions, at);
    if (!(distance > last_of(s))) {
        meet_item(s, place, distance, s->form, at);
        return true;
    }
    return !(gap + gap_of(s, 0, cell_at(s, place, 0)) > last_of(s));
}

// Visits the items of a row in both directions, from the cell of the point.
static void sweep_row(grid_search *s, const int32_t *row, weft_grid_run r, double gap)
{
    int32_t cell[3] = {s->cell[0], row[1], row[2]};
    uint32_t middle = s->cell[0] < s->low[0] ? r.at : r.end;
    if (s->low[0] <= s->cell[0] && s->cell[0] <= s->high[0]) {
        middle = weft_grid_run_of(s->index, s->form.dimensions, cell, cell[0]).at;
    }
    for (uint32_t i = middle; i != r.end && meet_farther(s, i, gap); i++) continue;
    for (uint32_t i = middle; i != r.at && meet_farther(s, i - 1, gap); i--) continue;
}

// Visits the items of base in the cells that `cell` fixes above an axis: outwards along the axis
// from the cell of the point, from one cell with items to the next.
static void sweep(grid_search *s, uint32_t axis, int32_t *cell, double gap)
{
    const weft_grid_run all = places_of_cells(s, axis + 1, cell);
    const int64_t own = s->cell[axis] < s->low[axis] ? s->low[axis] : s->cell[axis];
    uint32_t low = UINT32_MAX; // items from this place on, and before `high`, were visited
    uint32_t high = 0;
    double least = gap;
    cell[axis] = (int32_t)(own > s->high[axis] ? s->high[axis] : own);
    while (!(least > last_of(s))) {
        const weft_grid_run r = places_of_cells(s, axis, cell);
        if (axis == 1) {
            sweep_row(s, cell, r, least);
        } else {
            sweep(s, axis - 1, cell, least);
        }
        low = r.at < low ? r.at : low;
        high = r.end > high ? r.end : high;
        if (low == all.at && high == all.end) return;
        const int32_t below = low == all.at ? 0 : cell_at(s, low - 1, axis);
        const int32_t above = high == all.end ? 0 : cell_at(s, high, axis);
        const double below_gap = low == all.at ? (double)INFINITY : gap_of(s, axis, below);
        const double above_gap = high == all.end ? (double)INFINITY : gap_of(s, axis, above);
        const bool down = high == all.end || (low != all.at && below_gap < above_gap);
        cell[axis] = down ? below : above;
        low -= down; // makes progress, even if that cell was rounded
        high += !down;
        least = gap + (down ? below_gap : above_gap);
    }
}

// Visits all items that may be near enough, after rings have found little. The items found so far
// limit the distance.
static void sweep_all(grid_search *s)
{
    int32_t cell[3] = {0, 0, 0};
    s->most = last_of(s);
    s->found = 0;
    meet_run(s, (weft_grid_run){0, 0, 0, 0, s->index->delta_count});
    if (s->index->count != 0) sweep(s, s->form.dimensions - 1, cell, 0.0);
}

// ------------------------------------------------------------------------------------------------
// Extreme distances: visits all items, and orders them by distances with their own powers

static void meet_far(grid_search *s, int16_t *powers, uint32_t id, const double *at)
{
    const weft_far met = weft_far_between(at, s->point, s->form.dimensions);
    uint32_t to = s->found;
    while (to != 0) {
        const weft_far other = {s->distances[to - 1], powers[to - 1]};
        if (weft_far_less(other, met)) break;
        if (!weft_far_less(met, other) && s->ids[to - 1] < id) break;
        to--;
    }
    if (to == s->k) return;
    if (s->found < s->k) s->found++;
    for (uint32_t i = s->found - 1; i > to; i--) {
        s->distances[i] = s->distances[i - 1];
        powers[i] = powers[i - 1];
        s->ids[i] = s->ids[i - 1];
    }
    s->distances[to] = met.square;
    powers[to] = (int16_t)met.power;
    s->ids[to] = id;
}

static uint32_t find_far(grid_search *s)
{
    int16_t powers[WEFT_NEAREST_MAX];
    double at[3] = {0.0, 0.0, 0.0};
    s->found = 0;
    for (uint32_t place = 0; place < s->index->count; place++) {
        const uint32_t id = weft_grid_id(s->index, s->form, place);
        weft_grid_point(s->index, s->form, place, at);
        if (!weft_index_moved(s->index, id)) meet_far(s, powers, id, at);
    }
    for (uint32_t i = 0; i < s->index->delta_count; i++) {
        const weft_index_item *item = &weft_index_delta(s->index)[i];
        meet_far(s, powers, item->id, item->at);
    }
    return s->found;
}

// ------------------------------------------------------------------------------------------------
// A search

// Prefetches the cells around the point, because nearly all searches read them.
static void fetch_around(const grid_search *s)
{
    weft_grid_cells around;
    if (!weft_cells_bounded(s->index)) return;
    for (uint32_t axis = 0; axis < 3; axis++) {
        int32_t reach = axis < s->form.dimensions ? 1 : 0;
        around.low[axis] = s->cell[axis] - reach;
        around.high[axis] = s->cell[axis] + reach;
        if (around.low[axis] < s->low[axis]) around.low[axis] = (int32_t)s->low[axis];
        if (around.high[axis] > s->high[axis]) around.high[axis] = (int32_t)s->high[axis];
        if (around.low[axis] > around.high[axis]) return;
    }
    around.row[0] = around.low[1] - 1;
    around.row[1] = around.low[2];
    weft_grid_fetch(s->index, &around, weft_grid_starts_of(s->index, &around), s->form);
}

// Returns the number of items of base in the cell of the point.
static uint32_t own_count(const grid_search *s)
{
    for (uint32_t i = 0; i < 3; i++) {
        if (s->cell[i] < s->low[i] || s->cell[i] > s->high[i]) return 0;
    }
    const weft_grid_run own = weft_grid_run_of(s->index, s->form.dimensions, s->cell, s->cell[0]);
    return own.end - own.at;
}

// Searches with squares of doubles.
static void find_near(grid_search *s)
{
    size_t rows = 0;
    bool few = s->index->count + s->index->delta_count <= 64; // not more than the rows of a few
                                                              // rings
    const bool sparse = own_count(s) < s->k;                  // one ring around it is needed
    for (int64_t ring = sparse; rows <= ROWS_LEAST + (size_t)s->found && !few; ring++) {
        rows += meet_ring(s, ring, sparse && ring == 1) + 1;
        double rest = beyond(s, ring);
        if (rest == (double)INFINITY) return;
        if (s->found == s->k && s->distances[s->k - 1] < rest) return;
    }
    sweep_all(s);
}

uint32_t weft_grid_nearest(const weft_world *world, uint32_t number, bool made, const double *point,
                           size_t k, uint32_t *ids)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    grid_search s;
    s.entities = &world->entities;
    s.index = &world->indexes[number];
    s.plan = plan;
    s.form = weft_grid_form_of(plan);
    s.k = (uint32_t)(k < WEFT_NEAREST_MAX ? k : WEFT_NEAREST_MAX);
    s.found = 0;
    s.most = (double)INFINITY;
    s.extreme = false;
    s.ids = ids;
    s.point[2] = 0.0;
    if (!made || k == 0) return 0;
    for (uint32_t i = 0; i < plan->field_count; i++) {
        if (point[i] != point[i]) return 0;
        s.point[i] = point[i];
        s.extreme = s.extreme || point[i] - point[i] != 0.0; // infinite
    }
    uint64_t key = weft_grid_key(s.point, s.form);
    for (uint32_t i = 0; i < 3; i++) s.cell[i] = weft_cell_of_key(key, plan->field_count, i);
    for (uint32_t i = 0; i < 3; i++) find_axis(&s, i);
    fetch_around(&s);
    if (!s.extreme) find_near(&s);
    bool beyond_squares = s.found != 0 && s.distances[s.found - 1] > DBL_MAX;
    return s.extreme || beyond_squares ? find_far(&s) : s.found;
}
