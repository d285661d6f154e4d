// Builds grids: one pass over the rows counts the items of each cell, and another writes them. The
// previous box is kept if it still contains all items.
#include "grid.h"

#include "../world/rows.h"
#include "point.h"
#include "sorted.h"

weft_grid_form weft_grid_form_of(const weft_index_plan *plan)
{
    weft_grid_form f = {plan->field_count, plan->wide, plan->id_bytes, plan->per_cell};
    return f;
}

WEFT_ALWAYS_INLINE void cells_of(const double *at, weft_grid_form f, int32_t *cell)
{
    cell[2] = 0;
    for (uint32_t i = 0; i < f.dimensions; i++) cell[i] = weft_grid_cell(at[i], f);
}

uint64_t weft_grid_key(const double *at, weft_grid_form f)
{
    int32_t cell[3];
    cells_of(at, f, cell);
    return weft_cell_key(cell, f.dimensions);
}

bool weft_grid_space(weft_world *world, weft_index *index, weft_grid_form f, size_t base,
                     size_t delta)
{
    size_t bytes = weft_grid_number_bytes(f) * f.dimensions + f.id_bytes;
    size_t most = 2 * (size_t)world->plan->max_entities + WEFT_GRID_SIDE;
    return weft_region_grow(&world->heap, &index->items, base * bytes + delta * f.id_bytes,
                            most * bytes);
}

// ------------------------------------------------------------------------------------------------
// Passes over all rows

// A bounded grid that is being filled.
typedef struct grid_box {
    uint32_t *places;
    void *offsets; // of cells
    size_t row;    // number of offsets of a row
    int32_t low[3];
    int32_t size[3];
    double from[3]; // cells before rounding: at least `from`, and below `to`
    double to[3];
    bool wide; // offsets have 32 bits
} grid_box;

typedef struct grid_pass {
    weft_world *world;
    const weft_index_plan *plan;
    weft_index *index;
    grid_box box;
    bool full; // 16 bits were too few for a count
    bool ascending;
    int64_t last;     // entity index of the previous row
    uint32_t *listed; // entity indices of the keys, for an unbounded grid
    uint32_t count;   // number of keys
    int32_t low[3];   // of all measured cells
    int32_t high[3];
} grid_pass;

// Processes a row; returning false ends the pass. It gets a copy of the box, so that the compiler
// knows that stores do not change it.
typedef bool (*see_point)(grid_pass *p, const grid_box *box, weft_grid_form f, const double *at,
                          uint32_t id);

WEFT_ALWAYS_INLINE bool see_points(grid_pass *p, const weft_points *s, weft_grid_form f, bool f32,
                                   weft_format format, see_point see)
{
    const grid_box box = p->box;
    const void *handles = weft_column(s->table, 0);
    double at[3] = {0.0, 0.0, 0.0};
    bool ascending = p->ascending;
    int64_t last = p->last;
    for (uint32_t first = 0; first < s->table->count; first += 64) {
        for (uint64_t left = weft_index_passing(p->plan, s->table, first); left != 0;) {
            uint32_t row = first + weft_bits_pop(&left);
            uint32_t id = weft_handle_index(format, weft_handle_load(format, handles, row));
            weft_point_read(s, f.dimensions, f32, row, at);
            if (!see(p, &box, f, at, id)) return false;
            ascending &= id > last;
            last = id;
        }
    }
    p->ascending = ascending;
    p->last = last;
    return true;
}

// Most grids have two f32 fields in one column. For these the compiler knows the form.
WEFT_ALWAYS_INLINE bool see_table(grid_pass *p, const weft_table *table, see_point see)
{
    const weft_points s = weft_points_of(p->world, p->plan, table);
    const weft_grid_form f = weft_grid_form_of(p->plan);
    weft_format format = p->world->plan->format;
    if (s.f32 && s.first[0] && f.dimensions == 2 && format.handle_bytes == 4) {
        const weft_grid_form flat = {2, false, f.id_bytes, f.per_cell};
        const weft_points columns = {.world = s.world,
                                     .plan = s.plan,
                                     .table = table,
                                     .first = {s.first[0], s.first[1], NULL},
                                     .stride = {s.stride[0], s.stride[1], 0},
                                     .f32 = true};
        format.handle_bytes = 4;
        return see_points(p, &columns, flat, true, format, see);
    }
    return see_points(p, &s, f, s.f32, format, see);
}

WEFT_ALWAYS_INLINE bool see_rows(grid_pass *p, see_point see)
{
    const weft_query *query = &p->world->queries[p->plan->query];
    p->ascending = true;
    p->last = -1;
    for (uint32_t t = 0; t < query->count; t++) {
        if (!see_table(p, query->tables[t], see)) return false;
    }
    return true;
}

static bool measure_point(grid_pass *p, const grid_box *box, weft_grid_form f, const double *at,
                          uint32_t id)
{
    (void)box;
    int32_t cell[3];
    (void)id;
    if (!weft_point_is(at, f.dimensions)) return true;
    cells_of(at, f, cell);
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (cell[axis] < p->low[axis]) p->low[axis] = cell[axis];
        if (cell[axis] > p->high[axis]) p->high[axis] = cell[axis];
    }
    return true;
}

// The position of a point's cell in the box.
typedef struct boxed {
    size_t row;
    size_t offset;
    bool nowhere; // a coordinate is NaN
    bool outside;
} boxed;

WEFT_APART static boxed box_any(const grid_box *box, weft_grid_form f, const double *at)
{
    boxed b = {0, 0, !weft_point_is(at, f.dimensions), false};
    int32_t cell[3];
    cells_of(at, f, cell);
    b.outside = !b.nowhere && weft_cells_offset(box->low, box->size, cell) == SIZE_MAX;
    if (b.nowhere || b.outside) return b;
    b.row = (size_t)(cell[2] - box->low[2]) * (size_t)box->size[1];
    b.row += (size_t)(cell[1] - box->low[1]);
    b.offset = b.row * box->row + (size_t)(cell[0] - box->low[0]);
    return b;
}

WEFT_ALWAYS_INLINE boxed box_point(const grid_box *box, weft_grid_form f, const double *at)
{
    size_t in[3] = {0, 0, 0};
    for (uint32_t i = 0; i < f.dimensions; i++) {
        double cell = at[i] * f.per_cell;
        if (WEFT_UNLIKELY(!(cell >= box->from[i] && cell < box->to[i]))) return box_any(box, f, at);
        int32_t whole = (int32_t)cell;
        in[i] = (size_t)(whole - (cell < (double)whole) - box->low[i]);
    }
    size_t row = f.dimensions == 3 ? in[2] * (size_t)box->size[1] + in[1] : in[1];
    boxed b = {row, row * box->row + in[0], false, false};
    return b;
}

// Counts are stored two cells later, so that `fill_point` turns them into the starts of cells.
WEFT_ALWAYS_INLINE bool count_point(grid_pass *p, const grid_box *box, weft_grid_form f,
                                    const double *at, uint32_t id)
{
    const boxed b = box_point(box, f, at);
    (void)id;
    if (WEFT_UNLIKELY(b.nowhere || b.outside)) return b.nowhere;
    if (WEFT_UNLIKELY(box->wide)) {
        ((uint32_t *)box->offsets)[b.offset + 2]++;
        return true;
    }
    uint16_t *count = (uint16_t *)box->offsets + b.offset + 2;
    *count = (uint16_t)(*count + 1u);
    if (WEFT_UNLIKELY(*count == 0)) p->full = true;
    return true;
}

WEFT_ALWAYS_INLINE bool fill_point(grid_pass *p, const grid_box *box, weft_grid_form f,
                                   const double *at, uint32_t id)
{
    const boxed b = box_point(box, f, at);
    if (WEFT_UNLIKELY(b.nowhere)) return true;
    size_t place = box->places[b.row];
    if (WEFT_UNLIKELY(box->wide)) {
        place += ((uint32_t *)box->offsets)[b.offset + 1]++;
    } else {
        uint16_t *next = (uint16_t *)box->offsets + b.offset + 1;
        place += *next;
        *next = (uint16_t)(*next + 1u);
    }
    weft_grid_write(p->index, f, place, at, id);
    return true;
}

// Writes all rows, in the order of entity indices.
static void fill_entities(grid_pass *p)
{
    const weft_world *world = p->world;
    const weft_grid_form f = weft_grid_form_of(p->plan);
    double at[3] = {0.0, 0.0, 0.0};
    for (uint32_t id = 0; id < world->entities.index_count; id++) {
        weft_wide_record record = weft_record_at(&world->entities, world->plan->format, id);
        if (record.generation == 0) continue;
        const weft_table *table = world->tables.items[record.table];
        if (!world->plan->queries[p->plan->query].matches(table)) continue;
        uint64_t passing = weft_index_passing(p->plan, table, record.row & ~63u);
        weft_points s = weft_points_of(world, p->plan, table);
        if ((passing >> (record.row % 64) & 1u) == 0) continue;
        weft_point_read(&s, f.dimensions, s.f32, record.row, at);
        (void)fill_point(p, &p->box, f, at, id);
    }
}

// Stores the key of a row, for an unbounded grid.
static bool list_point(grid_pass *p, const grid_box *box, weft_grid_form f, const double *at,
                       uint32_t id)
{
    (void)box;
    if (!weft_point_is(at, f.dimensions)) return true;
    ((uint64_t *)(void *)p->index->keys.base)[p->count] = weft_grid_key(at, f);
    p->listed[p->count++] = id;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Bounded grids

typedef enum filled { FILLED, FILLED_OUTSIDE, FILLED_NO_MEMORY } filled;

static grid_box box_of(const weft_index *index)
{
    uint32_t *places = (uint32_t *)(void *)index->cells.base;
    grid_box box = {
        .places = places,
        .offsets = places + index->rows,
        .row = (size_t)index->size[0] + 2,
        .wide = index->wide,
    };
    for (uint32_t i = 0; i < 3; i++) {
        box.low[i] = index->low[i];
        box.size[i] = index->size[i];
        box.from[i] = (double)index->low[i];
        box.to[i] = (double)index->low[i] + (double)index->size[i];
    }
    return box;
}

// Writes all rows into the cells of the box, unless one is outside.
static filled fill_box(grid_pass *p, bool wide)
{
    weft_index *index = p->index;
    if (!weft_cells_clear(p->world, index, false, wide)) return FILLED_NO_MEMORY;
    p->box = box_of(index);
    p->full = false;
    if (!see_rows(p, count_point)) return FILLED_OUTSIDE;
    if (p->full || !weft_cells_add_up(index, false, &index->count)) return fill_box(p, true);
    if (p->ascending) {
        see_rows(p, fill_point);
    } else {
        fill_entities(p);
    }
    return FILLED;
}

// Chooses a box around the measured cells, with a margin if that does not take too many cells.
// Returns false if the box would have too many cells, so that the grid must be unbounded.
static bool choose_box(grid_pass *p, size_t rows)
{
    weft_index *index = p->index;
    double most = (double)rows * WEFT_CELLS_PER_ITEM + WEFT_CELLS_LEAST;
    for (uint32_t larger = 2; larger-- != 0;) {
        double sizes[3];
        for (uint32_t i = 0; i < 3; i++) {
            int64_t size = (int64_t)p->high[i] - p->low[i] + 1;
            int64_t margin = larger == 1 && i < p->plan->field_count ? size / 16 + 1 : 0;
            int32_t limit = weft_grid_limit(p->plan->field_count);
            if (p->low[i] - margin < -limit || p->high[i] + margin >= limit) margin = 0;
            size += 2 * margin;
            sizes[i] = (double)size;
            index->low[i] = (int32_t)(p->low[i] - margin);
            index->size[i] = size > INT32_MAX ? 0 : (int32_t)size;
        }
        if (weft_cells_size(sizes[0], sizes[1], sizes[2]) > most) continue;
        index->rows = (uint32_t)index->size[1] * (uint32_t)index->size[2];
        return true;
    }
    memset(index->size, 0, sizeof index->size);
    return false;
}

// Returns whether the previous box has not become too large.
static bool box_fits(const weft_index *index, size_t rows)
{
    double size = weft_cells_size(index->size[0], index->size[1], index->size[2]);
    return weft_cells_bounded(index) &&
           size <= 2.0 * ((double)rows * WEFT_CELLS_PER_ITEM + WEFT_CELLS_LEAST);
}

// ------------------------------------------------------------------------------------------------
// Unbounded grids

// Writes the items in the order of `ids`, which are sorted by key.
static void write_items(grid_pass *p, const uint32_t *ids)
{
    const weft_world *world = p->world;
    const weft_grid_form f = weft_grid_form_of(p->plan);
    for (uint32_t i = 0; i < p->count; i++) {
        double at[3];
        weft_place place = weft_place_of(&world->entities, world->plan->format, ids[i]);
        weft_points s = weft_points_of(world, p->plan, world->tables.items[place.table]);
        weft_point_read(&s, f.dimensions, s.f32, place.row, at);
        weft_grid_write(p->index, f, i, at, ids[i]);
    }
}

// Sorts items by cell, for a grid without a box.
static bool fill_unbounded(grid_pass *p, size_t rows)
{
    weft_world *world = p->world;
    weft_index *index = p->index;
    size_t spare_bytes = rows * (sizeof(uint64_t) + sizeof(uint32_t));
    size_t ids_bytes = rows * sizeof(uint32_t);
    if (!weft_index_space(world, &index->keys, rows, sizeof(uint64_t))) return false;
    void *spare = weft_allocate(&world->heap, spare_bytes);
    uint32_t *ids = spare ? (uint32_t *)weft_allocate(&world->heap, ids_bytes) : NULL;
    p->count = 0;
    if (ids) {
        p->listed = ids;
        see_rows(p, list_point);
        weft_keys_sort((uint64_t *)(void *)index->keys.base, ids, p->count, spare);
        write_items(p, ids);
    }
    index->count = p->count;
    weft_free(&world->heap, ids, ids_bytes);
    weft_free(&world->heap, spare, spare_bytes);
    return ids != NULL;
}

bool weft_grid_make(weft_world *world, uint32_t number)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    weft_index *index = &world->indexes[number];
    size_t rows = weft_index_rows(world, plan);
    size_t capacity = rows + WEFT_GRID_SIDE;
    if (!weft_grid_space(world, index, weft_grid_form_of(plan), capacity, 0)) return false;
    grid_pass p = {.world = world, .plan = plan, .index = index};
    weft_index_settled(index);
    index->capacity = (uint32_t)capacity;
    index->count = 0;
    index->left = false;
    filled kept = box_fits(index, rows) ? fill_box(&p, false) : FILLED_OUTSIDE;
    if (kept != FILLED_OUTSIDE) return kept == FILLED;
    for (uint32_t i = 0; i < 3; i++) {
        p.low[i] = rows == 0 ? 0 : INT32_MAX;
        p.high[i] = rows == 0 ? 0 : INT32_MIN;
    }
    see_rows(&p, measure_point);
    if (p.low[0] > p.high[0]) { // no row has a cell
        memset(p.low, 0, sizeof p.low);
        memset(p.high, 0, sizeof p.high);
    }
    if (!choose_box(&p, rows)) return fill_unbounded(&p, rows);
    return fill_box(&p, false) == FILLED;
}
