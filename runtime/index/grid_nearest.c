// The nearest: rings of cells around that of the point, until none outside can be nearer than the
// k-th.
#include "grid_nearest.h"

#include "walk.h"

#include <math.h>

typedef struct grid_search {
    const weft_index *index;
    const weft_index_plan *plan;
    weft_grid_form form;
    double point[3];
    int32_t cell[3];
    int64_t low[3]; // the cells that there are
    int64_t high[3];
    uint32_t k;
    uint32_t found;
    uint32_t *ids;
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

// Puts an entity where its distance, squared, has it among those found.
static void meet(grid_search *s, double distance, uint32_t id)
{
    uint32_t to = s->found;
    if (distance != distance) return;
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
}

// Returns a distance, squared, that is too far by now.
WEFT_ALWAYS_INLINE double last_of(const grid_search *s)
{
    return s->found == s->k ? s->distances[s->k - 1] : (double)INFINITY;
}

WEFT_ALWAYS_INLINE void meet_item(grid_search *s, uint32_t place, double distance, weft_grid_form f)
{
    const uint32_t id = weft_grid_id(s->index, f, place);
    if (!weft_index_moved(s->index, id)) meet(s, distance, id);
}

// A short run is met item by item: a vector would read beyond it, where nothing was fetched.
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
            meet_item(s, met, distance_to(s, f.dimensions, at), f);
        }
    }
    double last = last_of(s);
    for (; place != end; place++) {
        weft_grid_point(s->index, f, place, at);
        const double distance = distance_to(s, f.dimensions, at);
        if (distance > last) continue;
        meet_item(s, place, distance, f);
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
        meet(s, distance_to(s, s->form.dimensions, item->at), item->id);
    }
}

// Finds the cells that there are along an axis.
static void find_axis(grid_search *s, uint32_t axis)
{
    const int32_t limit = weft_grid_limit(s->form.dimensions);
    const bool bounded = weft_cells_bounded(s->index);
    const bool used = axis < s->form.dimensions;
    s->low[axis] = bounded ? s->index->low[axis] : used ? -limit : 0;
    s->high[axis] = bounded ? s->low[axis] + s->index->size[axis] - 1 : used ? limit - 1 : 0;
}

// Returns a distance, squared, that nothing in such cells along an axis can be nearer than.
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

// Meets the cells of a row from one to another, as far as there are such and they are near enough.
// `gap` is the distance of the row, squared.
static void meet_cells(grid_search *s, int64_t y, int64_t z, int64_t from, int64_t to, double gap)
{
    const double last = last_of(s);
    if (from < s->low[0]) from = s->low[0];
    if (to > s->high[0]) to = s->high[0];
    while (from <= to && from < s->cell[0] && gap + gap_of(s, 0, from) > last) from++;
    while (from <= to && to > s->cell[0] && gap + gap_of(s, 0, to) > last) to--;
    if (from > to || gap > last) return;
    if (from == to && gap + gap_of(s, 0, from) > last) return;
    const int32_t cell[3] = {(int32_t)from, (int32_t)y, (int32_t)z};
    meet_run(s, weft_grid_run_of(s->index, s->form.dimensions, cell, (int32_t)to));
}

// Meets what lies in the cells that are `ring` cells away. `whole`: and in those which are nearer,
// beginning with the row of the point. Returns the number of their rows.
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

// Returns a distance, squared, that nothing beyond a ring can be nearer than; infinite if there are
// no cells beyond it.
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
    least -= least * WEFT_GRID_SLACK;
    for (uint32_t i = 0; i < s->form.dimensions && least < (double)INFINITY; i++) {
        least -= (s->point[i] < 0.0 ? -s->point[i] : s->point[i]) * WEFT_GRID_SLACK;
    }
    return least > 0.0 ? least * least : 0.0;
}

// Lets the processor fetch the cells around that of the point, since nearly all searches read them.
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

// Counts what base has in the cell of the point.
static uint32_t own_count(const grid_search *s)
{
    for (uint32_t i = 0; i < 3; i++) {
        if (s->cell[i] < s->low[i] || s->cell[i] > s->high[i]) return 0;
    }
    const weft_grid_run own = weft_grid_run_of(s->index, s->form.dimensions, s->cell, s->cell[0]);
    return own.end - own.at;
}

uint32_t weft_grid_nearest(const weft_world *world, uint32_t number, bool made, const double *point,
                           size_t k, uint32_t *ids)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    grid_search s;
    s.index = &world->indexes[number];
    s.plan = plan;
    s.form = weft_grid_form_of(plan);
    s.k = (uint32_t)(k < WEFT_NEAREST_MAX ? k : WEFT_NEAREST_MAX);
    s.found = 0;
    s.ids = ids;
    s.point[2] = 0.0;
    if (!made || k == 0) return 0;
    for (uint32_t i = 0; i < plan->field_count; i++) {
        if (point[i] != point[i]) return 0;
        s.point[i] = point[i];
    }
    uint64_t key = weft_grid_key(s.point, s.form);
    for (uint32_t i = 0; i < 3; i++) s.cell[i] = weft_cell_of_key(key, plan->field_count, i);
    for (uint32_t i = 0; i < 3; i++) find_axis(&s, i);
    fetch_around(&s);
    size_t rows = 0;
    size_t most = 64 + s.index->count / 4;
    bool few = s.index->count + s.index->delta_count <= 64; // no more than the rows of some rings
    const bool sparse = own_count(&s) < s.k;                // one ring around it is needed
    for (int64_t ring = sparse; rows <= most && !few; ring++) {
        rows += meet_ring(&s, ring, sparse && ring == 1) + 1;
        double rest = beyond(&s, ring);
        if (rest == (double)INFINITY) return s.found;
        if (s.found == s.k && s.distances[s.k - 1] < rest) return s.found;
    }
    s.found = 0; // what there is lies far away, or far apart: to meet all is quicker
    weft_grid_run all = {0, s.index->count, s.index->count, 0, s.index->delta_count};
    meet_run(&s, all);
    return s.found;
}
