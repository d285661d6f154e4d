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
    uint32_t k;
    uint32_t found;
    uint32_t *ids;
    double distances[WEFT_NEAREST_MAX]; // squared
} grid_search;

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

WEFT_ALWAYS_INLINE void meet_base(grid_search *s, uint32_t from, uint32_t end, weft_grid_form f)
{
    double last = s->found == s->k ? s->distances[s->k - 1] : (double)INFINITY;
    for (uint32_t place = from; place != end; place++) {
        double dx = weft_grid_number(s->index, f, place, 0) - s->point[0];
        double dy = weft_grid_number(s->index, f, place, 1) - s->point[1];
        double distance = dx * dx + dy * dy;
        if (f.dimensions == 3) {
            double dz = weft_grid_number(s->index, f, place, 2) - s->point[2];
            distance += dz * dz;
        }
        if (distance > last) continue;
        uint32_t id = weft_grid_id(s->index, f, place);
        if (weft_index_moved(s->index, id)) continue;
        meet(s, distance, id);
        if (s->found == s->k) last = s->distances[s->k - 1];
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
        double distance = 0.0;
        for (uint32_t axis = 0; axis < s->form.dimensions; axis++) {
            double d = item->at[axis] - s->point[axis];
            distance += d * d;
        }
        meet(s, distance, item->id);
    }
}

// Meets the cells of a row from one to another, as far as a bounded grid has them.
static void meet_cells(grid_search *s, int32_t y, int32_t z, int64_t from, int64_t to)
{
    const weft_index *index = s->index;
    int64_t limit = weft_grid_limit(s->form.dimensions);
    int64_t low = weft_cells_bounded(index) ? index->low[0] : -limit;
    int64_t high =
        weft_cells_bounded(index) ? (int64_t)index->low[0] + index->size[0] - 1 : limit - 1;
    if (from < low) from = low;
    if (to > high) to = high;
    if (from > to) return;
    const int32_t cell[3] = {(int32_t)from, y, z};
    meet_run(s, weft_grid_run_of(index, s->form.dimensions, cell, (int32_t)to));
}

// The cells that there are along an axis.
static void axis_of(const grid_search *s, uint32_t axis, int64_t *low, int64_t *high)
{
    int64_t limit = weft_grid_limit(s->form.dimensions);
    bool bounded = weft_cells_bounded(s->index);
    bool used = axis < s->form.dimensions;
    *low = bounded ? s->index->low[axis] : used ? -limit : 0;
    *high = bounded ? *low + s->index->size[axis] - 1 : used ? limit - 1 : 0;
}

// Meets what lies in the cells that are `ring` cells away. Returns the number of their rows.
static size_t meet_ring(grid_search *s, int64_t ring)
{
    int64_t low[3];
    int64_t high[3];
    size_t rows = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        int64_t reach = axis < s->form.dimensions ? ring : 0;
        axis_of(s, axis, &low[axis], &high[axis]);
        if (low[axis] < s->cell[axis] - reach) low[axis] = s->cell[axis] - reach;
        if (high[axis] > s->cell[axis] + reach) high[axis] = s->cell[axis] + reach;
    }
    int64_t x = s->cell[0];
    for (int64_t z = low[2]; z <= high[2]; z++) {
        bool z_edge = s->form.dimensions == 3 && (z - s->cell[2] == ring || s->cell[2] - z == ring);
        for (int64_t y = low[1]; y <= high[1]; y++) {
            rows++;
            if (z_edge || y - s->cell[1] == ring || s->cell[1] - y == ring) {
                meet_cells(s, (int32_t)y, (int32_t)z, x - ring, x + ring);
            } else {
                meet_cells(s, (int32_t)y, (int32_t)z, x - ring, x - ring);
                meet_cells(s, (int32_t)y, (int32_t)z, x + ring, x + ring);
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
        int64_t low;
        int64_t high;
        double size = s->plan->cell;
        axis_of(s, i, &low, &high);
        double below = s->point[i] - (double)(s->cell[i] - ring) * size;
        double above = (double)(s->cell[i] + ring + 1) * size - s->point[i];
        if (s->cell[i] - ring > low && below < least) least = below;
        if (s->cell[i] + ring < high && above < least) least = above;
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
        int64_t low;
        int64_t high;
        int32_t reach = axis < s->form.dimensions ? 1 : 0;
        axis_of(s, axis, &low, &high);
        around.low[axis] = s->cell[axis] - reach;
        around.high[axis] = s->cell[axis] + reach;
        if (around.low[axis] < low) around.low[axis] = (int32_t)low;
        if (around.high[axis] > high) around.high[axis] = (int32_t)high;
        if (around.low[axis] > around.high[axis]) return;
    }
    around.row[0] = around.low[1] - 1;
    around.row[1] = around.low[2];
    weft_grid_fetch(s->index, &around, weft_grid_starts_of(s->index, &around), s->form);
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
    if (!made || k == 0) return 0;
    for (uint32_t i = 0; i < plan->field_count; i++) {
        if (point[i] != point[i]) return 0;
        s.point[i] = point[i];
    }
    uint64_t key = weft_grid_key(s.point, s.form);
    for (uint32_t i = 0; i < 3; i++) s.cell[i] = weft_cell_of_key(key, plan->field_count, i);
    fetch_around(&s);
    size_t rows = 0;
    size_t most = 64 + s.index->count / 4;
    bool few = s.index->count + s.index->delta_count <= 64; // no more than the rows of some rings
    for (int64_t ring = 0; rows <= most && !few; ring++) {
        rows += meet_ring(&s, ring) + 1;
        double rest = beyond(&s, ring);
        if (rest == (double)INFINITY) return s.found;
        if (s.found == s.k && s.distances[s.k - 1] < rest) return s.found;
    }
    s.found = 0; // what there is lies far away, or far apart: to meet all is quicker
    weft_grid_run all = {0, s.index->count, s.index->count, 0, s.index->delta_count};
    meet_run(&s, all);
    return s.found;
}
