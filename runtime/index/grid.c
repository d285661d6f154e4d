// Grids are made, merged and walked.
#include "grid.h"

#include "../plan/fields.h"
#include "../world/rows.h"
#include "sorted.h"

#include <float.h>
#include <math.h>

#define CELLS_PER_ITEM 4u // a bounded grid has at most so many cells,
#define CELLS_LEAST 4096u // and so many more

static const uint32_t *cell_starts(const weft_index *index)
{
    return (const uint32_t *)(const void *)index->starts.base;
}

static weft_grid_form form_of(const weft_index_plan *plan)
{
    weft_grid_form f = {plan->field_count, plan->wide, plan->per_cell};
    return f;
}

// ------------------------------------------------------------------------------------------------
// Cells

static uint64_t key_of_cell(const int32_t *cell, uint32_t dimensions)
{
    uint32_t bits = dimensions == 3 ? 21 : 32;
    int32_t limit = weft_grid_limit(dimensions);
    uint64_t key = dimensions == 3 ? (uint64_t)(cell[2] + limit) : 0;
    key = key << bits | (uint32_t)(cell[1] + limit);
    return key << bits | (uint32_t)(cell[0] + limit);
}

static int32_t cell_of_key(uint64_t key, uint32_t dimensions, uint32_t axis)
{
    uint32_t bits = dimensions == 3 ? 21 : 32;
    uint64_t low = key >> axis * bits & weft_bits_low(bits);
    return (int32_t)((int64_t)low - weft_grid_limit(dimensions));
}

static inline void cells_of(const double *at, const weft_index_plan *plan, int32_t *cell)
{
    const weft_grid_form f = form_of(plan);
    cell[2] = 0;
    for (uint32_t i = 0; i < f.dimensions; i++) cell[i] = weft_grid_cell(at[i], f);
}

static uint64_t key_of(const double *at, const weft_index_plan *plan)
{
    int32_t cell[3];
    cells_of(at, plan, cell);
    return key_of_cell(cell, plan->field_count);
}

static bool is_bounded(const weft_index *index)
{
    return index->size[0] != 0;
}

static size_t cell_count(const weft_index *index)
{
    return (size_t)index->size[0] * (size_t)index->size[1] * (size_t)index->size[2];
}

// Returns the number of a cell in the box of a bounded grid; SIZE_MAX: it is outside.
static inline size_t place_of_cell(const weft_index *index, const int32_t *cell)
{
    size_t place = 0;
    for (uint32_t axis = 3; axis-- != 0;) {
        uint32_t in = (uint32_t)cell[axis] - (uint32_t)index->low[axis];
        if (in >= (uint32_t)index->size[axis]) return SIZE_MAX;
        place = place * (size_t)index->size[axis] + in;
    }
    return place;
}

// ------------------------------------------------------------------------------------------------
// Rows as points

// Where the coordinates of a table lie.
typedef struct point_source {
    const weft_world *world;
    const weft_index_plan *plan;
    const weft_table *table;
    const unsigned char *first[3]; // of row 0; NULL: the component is sparse
    size_t stride[3];
    weft_type types[3];
    bool f32; // all of them
} point_source;

static point_source source_of(const weft_world *world, const weft_index_plan *plan,
                              const weft_table *table)
{
    const weft_component_plan *c = &world->plan->components[plan->component];
    const weft_component_info *info = &world->plan->schema->components[plan->component];
    point_source s = {.world = world, .plan = plan, .table = table, .f32 = true};
    for (uint32_t i = 0; i < plan->field_count; i++) {
        uint32_t number = plan->fields[i];
        s.types[i] = info->fields[number].type;
        s.f32 = s.f32 && s.types[i] == WEFT_TYPE_F32;
        if (c->sparse != WEFT_NONE) continue;
        uint32_t column = c->first_column + (info->soa ? number : 0);
        s.first[i] =
            (const unsigned char *)weft_row_member(world->plan, table, 0, plan->component, number);
        s.stride[i] = world->plan->columns[column].size;
    }
    return s;
}

static double read_number(weft_type type, const void *value)
{
    float f32;
    double f64;
    switch (type) {
    case WEFT_TYPE_U8:
        return (double)(uint8_t)weft_bits_read(value, 1);
    case WEFT_TYPE_U16:
        return (double)(uint16_t)weft_bits_read(value, 2);
    case WEFT_TYPE_U32:
        return (double)(uint32_t)weft_bits_read(value, 4);
    case WEFT_TYPE_I8:
        return (double)(int8_t)weft_bits_read(value, 1);
    case WEFT_TYPE_I16:
        return (double)(int16_t)weft_bits_read(value, 2);
    case WEFT_TYPE_I32:
        return (double)(int32_t)weft_bits_read(value, 4);
    case WEFT_TYPE_F64:
        memcpy(&f64, value, sizeof f64);
        return f64;
    default:
        memcpy(&f32, value, sizeof f32);
        return (double)f32;
    }
}

// Reads a row as a point. False: a coordinate is no number.
static inline bool read_point(const point_source *s, uint32_t row, double *at)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < s->plan->field_count; i++) {
        const void *value = s->first[i] ? s->first[i] + row * s->stride[i]
                                        : weft_index_field(s->world, s->plan, s->table, row, i);
        float f32;
        if (s->f32) {
            memcpy(&f32, value, sizeof f32);
            at[i] = (double)f32;
        } else {
            at[i] = read_number(s->types[i], value);
        }
        sum += at[i] != at[i] ? at[i] : 0.0;
    }
    return sum == 0.0;
}

bool weft_grid_item(const weft_world *world, const weft_index_plan *plan, const weft_table *table,
                    uint32_t row, weft_index_item *item)
{
    point_source s = source_of(world, plan, table);
    item->at[2] = 0.0;
    if (!read_point(&s, row, item->at)) return false;
    item->key = key_of(item->at, plan);
    return true;
}

static void write_item(weft_index *index, weft_grid_form f, size_t place, const double *at,
                       uint32_t id)
{
    unsigned char *item = index->items.base + place * weft_grid_item_bytes(f);
    for (uint32_t i = 0; i < f.dimensions; i++) {
        float f32 = (float)at[i];
        if (f.wide) {
            memcpy(item + i * sizeof at[i], &at[i], sizeof at[i]);
        } else {
            memcpy(item + i * sizeof f32, &f32, sizeof f32);
        }
    }
    memcpy(item + (f.wide ? 8u : 4u) * f.dimensions, &id, sizeof id);
}

static void point_of_item(const weft_index *index, weft_grid_form f, uint32_t place, double *at)
{
    const unsigned char *item = weft_grid_place(index, f, place);
    for (uint32_t i = 0; i < f.dimensions; i++) at[i] = weft_grid_at(item, f, i);
}

// ------------------------------------------------------------------------------------------------
// Making: two passes over the rows count the items of each cell and put them there, in the box of
// before while all are in it.

// Goes over all rows; the function for a row returns false to end the pass.
typedef struct grid_pass {
    weft_world *world;
    const weft_index_plan *plan;
    weft_index *index;
    int32_t low[3]; // of all cells that were measured
    int32_t high[3];
    uint32_t last; // entity index of the row before
    bool ascending;
} grid_pass;

typedef bool (*see_point)(grid_pass *p, const double *at, uint32_t id);

WEFT_ALWAYS_INLINE bool see_table(grid_pass *p, const weft_table *table, see_point see)
{
    point_source s = source_of(p->world, p->plan, table);
    double at[3] = {0.0, 0.0, 0.0};
    for (uint32_t first = 0; first < table->count; first += 64) {
        for (uint64_t left = weft_index_passing(p->plan, table, first); left != 0;) {
            uint32_t row = first + weft_bits_pop(&left);
            if (!read_point(&s, row, at)) continue;
            if (!see(p, at, weft_index_entity(p->world, table, row))) return false;
        }
    }
    return true;
}

WEFT_ALWAYS_INLINE bool see_rows(grid_pass *p, see_point see)
{
    const weft_query *query = &p->world->queries[p->plan->query];
    for (uint32_t t = 0; t < query->count; t++) {
        if (!see_table(p, query->tables[t], see)) return false;
    }
    return true;
}

// Does so in the order of entity indices.
static void see_entities(grid_pass *p, see_point see)
{
    const weft_world *world = p->world;
    double at[3] = {0.0, 0.0, 0.0};
    for (uint32_t id = 0; id < world->entities.index_count; id++) {
        weft_wide_record record = weft_record_at(&world->entities, world->plan->format, id);
        if (record.generation == 0) continue;
        const weft_table *table = world->tables.items[record.table];
        if (!world->plan->queries[p->plan->query].matches(table)) continue;
        uint64_t passing = weft_index_passing(p->plan, table, record.row & ~63u);
        point_source s = source_of(world, p->plan, table);
        if ((passing >> (record.row % 64) & 1u) == 0 || !read_point(&s, record.row, at)) continue;
        (void)see(p, at, id);
    }
}

static bool measure_point(grid_pass *p, const double *at, uint32_t id)
{
    int32_t cell[3];
    (void)id;
    cells_of(at, p->plan, cell);
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (cell[axis] < p->low[axis]) p->low[axis] = cell[axis];
        if (cell[axis] > p->high[axis]) p->high[axis] = cell[axis];
    }
    return true;
}

// Counts are kept two cells further on, so that `end_point` turns them into the ends of cells.
static bool count_point(grid_pass *p, const double *at, uint32_t id)
{
    int32_t cell[3];
    cells_of(at, p->plan, cell);
    size_t place = place_of_cell(p->index, cell);
    if (place == SIZE_MAX) return false;
    ((uint32_t *)(void *)p->index->starts.base)[place + 2]++;
    p->ascending = p->ascending && (p->index->count == 0 || id > p->last);
    p->last = id;
    p->index->count++;
    return true;
}

static bool end_point(grid_pass *p, const double *at, uint32_t id)
{
    int32_t cell[3];
    cells_of(at, p->plan, cell);
    size_t place = place_of_cell(p->index, cell);
    uint32_t *end = (uint32_t *)(void *)p->index->starts.base + place + 1;
    write_item(p->index, form_of(p->plan), (*end)++, at, id);
    return true;
}

// Keeps the key of a row, for a grid that has no box.
static bool list_point(grid_pass *p, const double *at, uint32_t id)
{
    weft_index *index = p->index;
    ((uint64_t *)(void *)index->keys.base)[index->count] = key_of(at, p->plan);
    ((uint32_t *)(void *)index->items.base)[index->count++] = id;
    return true;
}

// Adds up counts, so that each cell has its first place one cell further on.
static void add_up(weft_index *index)
{
    uint32_t *starts = (uint32_t *)(void *)index->starts.base;
    size_t cells = cell_count(index);
    for (size_t i = 2; i < cells + 2; i++) starts[i] += starts[i - 1];
}

// Puts all rows into the cells of the box. Returns false if some row is outside.
static bool fill_box(grid_pass *p)
{
    weft_index *index = p->index;
    memset(index->starts.base, 0, (cell_count(index) + 2) * sizeof(uint32_t));
    index->count = 0;
    p->ascending = true;
    if (!see_rows(p, count_point)) return false;
    add_up(index);
    if (p->ascending) {
        see_rows(p, end_point);
    } else {
        see_entities(p, end_point);
    }
    return true;
}

// Chooses a box around what was measured, a bit larger if that takes not too many cells. False: it
// would have too many, so that the grid is unbounded.
static bool choose_box(grid_pass *p, size_t rows)
{
    double most = (double)rows * CELLS_PER_ITEM + CELLS_LEAST;
    for (uint32_t larger = 2; larger-- != 0;) {
        double cells = 1.0;
        for (uint32_t i = 0; i < 3; i++) {
            int64_t size = (int64_t)p->high[i] - p->low[i] + 1;
            int64_t margin = larger == 1 && i < p->plan->field_count ? size / 8 + 1 : 0;
            int32_t limit = weft_grid_limit(p->plan->field_count);
            if (p->low[i] - margin < -limit || p->high[i] + margin >= limit) margin = 0;
            p->index->low[i] = (int32_t)(p->low[i] - margin);
            cells *= (double)(size + 2 * margin);
            p->index->size[i] = size + 2 * margin > INT32_MAX ? 0 : (int32_t)(size + 2 * margin);
        }
        if (cells <= most) return true;
    }
    memset(p->index->size, 0, sizeof p->index->size);
    return false;
}

// Sorts items by cell where no box has all of them.
static bool fill_unbounded(grid_pass *p, size_t rows)
{
    weft_world *world = p->world;
    weft_index *index = p->index;
    size_t spare_bytes = rows * (sizeof(uint64_t) + sizeof(uint32_t));
    size_t ids_bytes = rows * sizeof(uint32_t);
    if (!weft_index_space(world, &index->keys, rows, sizeof(uint64_t))) return false;
    void *spare = weft_allocate(&world->heap, spare_bytes);
    uint32_t *ids = spare ? (uint32_t *)weft_allocate(&world->heap, ids_bytes) : NULL;
    index->count = 0;
    if (ids) {
        see_rows(p, list_point);
        memcpy(ids, index->items.base, index->count * sizeof *ids);
        weft_keys_sort((uint64_t *)(void *)index->keys.base, ids, index->count, spare);
    }
    for (uint32_t i = 0; i < index->count; i++) {
        double at[3];
        weft_place place = weft_place_of(&world->entities, world->plan->format, ids[i]);
        point_source s = source_of(world, p->plan, world->tables.items[place.table]);
        (void)read_point(&s, place.row, at);
        write_item(index, form_of(p->plan), i, at, ids[i]);
    }
    weft_free(&world->heap, ids, ids_bytes);
    weft_free(&world->heap, spare, spare_bytes);
    return ids != NULL;
}

bool weft_grid_make(weft_world *world, uint32_t number)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    weft_index *index = &world->indexes[number];
    size_t rows = weft_index_rows(world, plan);
    grid_pass p = {.world = world, .plan = plan, .index = index};
    if (!weft_index_space(world, &index->items, rows, weft_grid_item_bytes(form_of(plan)))) {
        return false;
    }
    weft_index_settled(index);
    index->count = 0;
    bool fits = cell_count(index) <= 2 * (rows * CELLS_PER_ITEM + CELLS_LEAST);
    if (is_bounded(index) && fits && fill_box(&p)) return true;
    for (uint32_t i = 0; i < 3; i++) {
        p.low[i] = rows == 0 ? 0 : INT32_MAX;
        p.high[i] = rows == 0 ? 0 : INT32_MIN;
    }
    see_rows(&p, measure_point);
    if (p.low[0] > p.high[0]) memset(p.low, 0, sizeof p.low);
    if (p.low[0] > p.high[0]) memset(p.high, 0, sizeof p.high);
    if (!choose_box(&p, rows)) return fill_unbounded(&p, rows);
    size_t cells = cell_count(index) + 2;
    size_t limit = ((size_t)world->plan->max_entities * CELLS_PER_ITEM + CELLS_LEAST + 2) * 4;
    return weft_region_grow(&world->heap, &index->starts, cells * sizeof(uint32_t), limit) &&
           fill_box(&p);
}

// ------------------------------------------------------------------------------------------------
// Merging

static void drop_moved_items(weft_index *index, weft_grid_form f)
{
    uint32_t bytes = weft_grid_item_bytes(f);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < index->count; i++) {
        const unsigned char *item = weft_grid_place(index, f, i);
        if (weft_index_moved(index, weft_grid_id(item, f))) continue;
        if (kept != i) memmove(index->items.base + (size_t)kept * bytes, item, bytes);
        kept++;
    }
    index->count = kept;
}

// Merges delta into base from behind.
static void merge_items(weft_index *index, const weft_index_plan *plan)
{
    weft_grid_form f = form_of(plan);
    uint32_t from = index->count;
    uint32_t delta = index->delta_count;
    uint32_t bytes = weft_grid_item_bytes(f);
    uint32_t to = index->count = from + delta;
    while (delta != 0) {
        const weft_index_item *item = &weft_index_delta(index)[delta - 1];
        bool base = from != 0;
        double at[3];
        if (base) {
            point_of_item(index, f, from - 1, at);
            uint32_t id = weft_grid_id(weft_grid_place(index, f, from - 1), f);
            base = weft_item_before(item->key, item->id, key_of(at, plan), id);
        }
        to--;
        if (base) {
            from--;
            memmove(index->items.base + (size_t)to * bytes, weft_grid_place(index, f, from), bytes);
        } else {
            delta--;
            write_item(index, f, to, item->at, item->id);
        }
    }
}

bool weft_grid_merge(weft_world *world, uint32_t number)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    weft_index *index = &world->indexes[number];
    weft_grid_form f = form_of(plan);
    size_t most = (size_t)index->count + index->delta_count;
    bool bounded = is_bounded(index);
    if (weft_grid_left(world, number)) return weft_grid_make(world, number);
    if (!weft_index_space(world, &index->items, most, weft_grid_item_bytes(f)) ||
        (!bounded && !weft_index_space(world, &index->keys, most, sizeof(uint64_t)))) {
        return false;
    }
    drop_moved_items(index, f);
    merge_items(index, plan);
    weft_index_settled(index);
    uint32_t *starts = (uint32_t *)(void *)index->starts.base;
    if (bounded) memset(starts, 0, (cell_count(index) + 2) * sizeof *starts);
    for (uint32_t i = 0; i < index->count; i++) {
        double at[3];
        int32_t cell[3];
        point_of_item(index, f, i, at);
        cells_of(at, plan, cell);
        if (bounded) {
            starts[place_of_cell(index, cell) + 1]++;
        } else {
            ((uint64_t *)(void *)index->keys.base)[i] = key_of_cell(cell, f.dimensions);
        }
    }
    if (bounded) add_up(index);
    return true;
}

bool weft_grid_left(const weft_world *world, uint32_t number)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    const weft_index *index = &world->indexes[number];
    if (plan->kind != WEFT_INDEX_GRID || !is_bounded(index)) return false;
    for (uint32_t i = 0; i < index->delta_count; i++) {
        int32_t cell[3];
        cells_of(weft_index_delta(index)[i].at, plan, cell);
        if (place_of_cell(index, cell) == SIZE_MAX) return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Walking

// Items of a run of cells in one row: places of base, and of delta.
typedef struct cell_run {
    uint32_t at;
    uint32_t end;
    uint32_t delta_at;
    uint32_t delta_end;
} cell_run;

// Finds the run from one cell to another of its row. In a bounded grid both are in the box.
static cell_run run_of(const weft_index *index, uint32_t dimensions, const int32_t *from,
                       int32_t to)
{
    cell_run r = {0, 0, 0, 0};
    bool bounded = is_bounded(index);
    if (bounded) {
        size_t cell = place_of_cell(index, from);
        r.at = cell_starts(index)[cell];
        r.end = cell_starts(index)[cell + (size_t)(to - from[0]) + 1];
        if (index->delta_count == 0) return r;
    }
    int32_t last[3] = {to, from[1], from[2]};
    uint64_t low = key_of_cell(from, dimensions);
    uint64_t high = key_of_cell(last, dimensions) + 1;
    if (!bounded) {
        r.at = weft_keys_from(index, 0, index->count, low);
        r.end = weft_keys_from(index, r.at, index->count, high);
    }
    if (index->delta_count == 0) return r;
    r.delta_at = weft_delta_from(index, low);
    r.delta_end = weft_delta_from(index, high);
    return r;
}

// Moves the row of a walk over an unbounded grid on to the next one with items, at or behind its
// own. Returns false if there is no such row of the walk; *inside says whether the row is one.
static bool skip_rows(weft_grid_walk *w, uint32_t dimensions, bool *inside)
{
    const weft_index *index = w->index;
    const int32_t from[3] = {w->cell_low[0], w->row[0], w->row[1]};
    uint64_t key = key_of_cell(from, dimensions);
    uint32_t base = weft_keys_from(index, 0, index->count, key);
    uint32_t delta = weft_delta_from(index, key);
    uint64_t next = UINT64_MAX;
    if (base < index->count) next = ((const uint64_t *)(const void *)index->keys.base)[base];
    if (delta < index->delta_count && weft_index_delta(index)[delta].key < next) {
        next = weft_index_delta(index)[delta].key;
    }
    if (next == UINT64_MAX) return false;
    w->row[0] = cell_of_key(next, dimensions, 1);
    w->row[1] = dimensions == 3 ? cell_of_key(next, dimensions, 2) : 0;
    *inside = w->row[0] >= w->cell_low[1] && w->row[0] <= w->cell_high[1];
    if (!*inside && w->row[0] > w->cell_high[1]) w->row[0] = w->cell_high[1];
    if (!*inside && w->row[0] < w->cell_low[1]) w->row[0] = w->cell_low[1] - 1;
    return w->row[1] <= w->cell_high[2];
}

static uint32_t dimensions_of(const weft_grid_walk *w)
{
    const weft_world *world = w->world;
    return world->plan->indexes[w->index - world->indexes].field_count;
}

bool weft_grid_row(weft_grid_walk *w)
{
    uint32_t dimensions = dimensions_of(w);
    w->at = w->end = w->delta_at = w->delta_end = 0;
    for (;;) {
        bool inside = true;
        if (w->row[0] >= w->cell_high[1]) {
            if (w->row[1] >= w->cell_high[2]) return false;
            w->row[1]++;
            w->row[0] = w->cell_low[1] - 1;
        }
        w->row[0]++;
        if (!is_bounded(w->index) && !skip_rows(w, dimensions, &inside)) {
            w->row[0] = w->cell_high[1];
            w->row[1] = w->cell_high[2];
            return false;
        }
        if (!inside) continue;
        int32_t from[3] = {w->cell_low[0], w->row[0], w->row[1]};
        cell_run r = run_of(w->index, dimensions, from, w->cell_high[0]);
        if (r.at == r.end && r.delta_at == r.delta_end) continue;
        w->at = r.at;
        w->end = r.end;
        w->delta_at = r.delta_at;
        w->delta_end = r.delta_end;
        return true;
    }
}

bool weft_grid_merged(weft_grid_walk *w)
{
    const weft_index_plan *plan = &w->world->plan->indexes[w->index - w->world->indexes];
    weft_grid_form f = form_of(plan);
    double at[3] = {0.0, 0.0, 0.0};
    while (w->at != w->end || w->delta_at != w->delta_end) {
        const weft_index_item *item =
            w->delta_at != w->delta_end ? weft_index_delta(w->index) + w->delta_at : NULL;
        uint32_t id = UINT32_MAX;
        bool base = w->at != w->end;
        if (base) {
            id = weft_grid_id(weft_grid_place(w->index, f, w->at), f);
            point_of_item(w->index, f, w->at, at);
            base = !item || !weft_item_before(item->key, item->id, key_of(at, plan), id);
        }
        if (!base) {
            id = item->id;
            memcpy(at, item->at, sizeof at);
        }
        w->at += base;
        w->delta_at += !base;
        if (!weft_grid_inside(w, f.dimensions, at[0], at[1], at[2])) continue;
        if (base && weft_index_moved(w->index, id)) continue;
        w->id = id;
        return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// The nearest: rings of cells around that of the point, until none outside can be nearer than the
// k-th.

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

static void meet(grid_search *s, const double *at, uint32_t id)
{
    double distance = 0.0;
    for (uint32_t i = 0; i < s->form.dimensions; i++) {
        distance += (at[i] - s->point[i]) * (at[i] - s->point[i]);
    }
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
    double at[3] = {0.0, 0.0, 0.0};
    for (uint32_t place = from; place < end; place++) {
        const unsigned char *item = weft_grid_place(s->index, f, place);
        double distance = 0.0;
        for (uint32_t i = 0; i < f.dimensions; i++) {
            at[i] = weft_grid_at(item, f, i);
            distance += (at[i] - s->point[i]) * (at[i] - s->point[i]);
        }
        if (s->found == s->k && distance > s->distances[s->k - 1]) continue;
        uint32_t id = weft_grid_id(item, f);
        if (!weft_index_moved(s->index, id)) meet(s, at, id);
    }
}

static void meet_run(grid_search *s, cell_run r)
{
    if (!s->form.wide && s->form.dimensions == 2) {
        const weft_grid_form flat = {2, false, s->form.per_cell};
        meet_base(s, r.at, r.end, flat);
    } else {
        meet_base(s, r.at, r.end, s->form);
    }
    for (uint32_t i = r.delta_at; i < r.delta_end; i++) {
        const weft_index_item *item = &weft_index_delta(s->index)[i];
        meet(s, item->at, item->id);
    }
}

// Meets the cells of a row from one to another, as far as a bounded grid has them.
static void meet_cells(grid_search *s, int32_t y, int32_t z, int64_t from, int64_t to)
{
    const weft_index *index = s->index;
    int64_t limit = weft_grid_limit(s->form.dimensions);
    int64_t low = is_bounded(index) ? index->low[0] : -limit;
    int64_t high = is_bounded(index) ? (int64_t)index->low[0] + index->size[0] - 1 : limit - 1;
    if (from < low) from = low;
    if (to > high) to = high;
    if (from > to) return;
    const int32_t cell[3] = {(int32_t)from, y, z};
    meet_run(s, run_of(index, s->form.dimensions, cell, (int32_t)to));
}

// The cells that there are along an axis.
static void axis_of(const grid_search *s, uint32_t axis, int64_t *low, int64_t *high)
{
    int64_t limit = weft_grid_limit(s->form.dimensions);
    bool bounded = is_bounded(s->index);
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

uint32_t weft_grid_nearest(const weft_world *world, uint32_t number, bool made, const double *point,
                           size_t k, uint32_t *ids)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    grid_search s;
    s.index = &world->indexes[number];
    s.plan = plan;
    s.form = form_of(plan);
    s.k = (uint32_t)(k < WEFT_NEAREST_MAX ? k : WEFT_NEAREST_MAX);
    s.found = 0;
    s.ids = ids;
    if (!made || k == 0) return 0;
    for (uint32_t i = 0; i < plan->field_count; i++) {
        if (point[i] != point[i]) return 0;
        s.point[i] = point[i];
    }
    cells_of(s.point, plan, s.cell);
    size_t rows = 0;
    size_t most = 64 + s.index->count / 4;
    for (int64_t ring = 0; rows <= most; ring++) {
        rows += meet_ring(&s, ring) + 1;
        double rest = beyond(&s, ring);
        if (rest == (double)INFINITY) return s.found;
        if (s.found == s.k && s.distances[s.k - 1] < rest) return s.found;
    }
    s.found = 0; // what there is lies far away, or far apart: to meet all is quicker
    cell_run all = {0, s.index->count, 0, s.index->delta_count};
    meet_run(&s, all);
    return s.found;
}
