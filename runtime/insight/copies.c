// Opens, grows and closes copies, and copies rows.
#include "copies.h"

// ------------------------------------------------------------------------------------------------
// Opening and closing

static void describe(const weft_plan *plan, weft_copies *copies)
{
    const weft_schema *schema = plan->schema;
    for (uint32_t i = 1; i < plan->first_bitset; i++) {
        const weft_column_plan *column = &plan->columns[i];
        const weft_component_info *info = &schema->components[column->component];
        uint32_t first = plan->components[column->component].first_column;
        const weft_field *fields = info->soa ? &info->fields[i - first] : info->fields;
        copies->cells[i] = weft_cell_plan_of(schema, fields, info->soa ? 1 : info->field_count,
                                             info->soa ? fields->offset : 0, column->size);
    }
    for (uint32_t i = 0; i < plan->sparse_count; i++) {
        const weft_component_info *info = &schema->components[plan->sparse_components[i]];
        copies->cells[plan->first_bitset + i] =
            weft_cell_plan_of(schema, info->fields, info->field_count, 0,
                              plan->components[plan->sparse_components[i]].size);
    }
    for (uint32_t i = 0; i < schema->component_count; i++) {
        bool tag = schema->components[i].storage == WEFT_STORAGE_TAG;
        if (tag) copies->tags[copies->tag_count++] = (uint16_t)i;
    }
}

bool weft_copies_open(weft_world *world, weft_copies *copies)
{
    const weft_plan *plan = world->plan;
    const weft_schema *schema = plan->schema;
    weft_heap *heap = &world->heap;
    size_t bytes = 0;
    for (uint32_t i = 0; i < schema->singleton_count; i++) bytes += schema->singletons[i].size;
    copies->once_bytes = bytes;
    if (!weft_array_open(heap, &copies->cells, (size_t)plan->first_bitset + plan->sparse_count,
                         sizeof *copies->cells) ||
        !weft_array_open(heap, &copies->tags, schema->component_count, sizeof *copies->tags) ||
        !weft_array_open(heap, &copies->stores, plan->sparse_count, sizeof *copies->stores) ||
        !weft_array_open(heap, &copies->once, bytes, 1)) {
        return false;
    }
    describe(plan, copies);
    unsigned char *to = copies->once;
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        memcpy(to, (const unsigned char *)world + info->offset, info->size);
        to += info->size;
    }
    return true;
}

static void close_copied(weft_heap *heap, const weft_copied *copied, size_t bytes)
{
    weft_free(heap, copied->items, copied->capacity * bytes);
    weft_free(heap, copied->runs, copied->run_capacity * sizeof(weft_snapshot *));
}

static void close_table_copy(weft_world *world, const weft_copies *copies, weft_table_copy *copy)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    for (uint32_t i = 0; copy->cells && i < copy->column_count; i++) {
        size_t bytes = plan->columns[copy->columns[i]].size;
        close_copied(heap, &copy->cells[i], bytes);
    }
    for (uint32_t i = 0; copy->tags && i < copies->tag_count; i++) {
        weft_free(heap, copy->tags[i].items, copy->tags[i].capacity * sizeof(uint64_t));
    }
    close_copied(heap, &copy->handles, plan->format.handle_bytes);
    weft_free(heap, copy->set, plan->set_words * sizeof *copy->set);
    weft_free(heap, copy->columns, copy->column_count * sizeof *copy->columns);
    weft_free(heap, copy->first, plan->schema->component_count * sizeof *copy->first);
    weft_free(heap, copy->cells, copy->column_count * sizeof *copy->cells);
    weft_free(heap, copy->tags, copies->tag_count * sizeof *copy->tags);
    weft_free(heap, copy, sizeof *copy);
}

void weft_copies_close(weft_world *world, weft_copies *copies)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    for (uint32_t i = 0; i < copies->table_count; i++) {
        close_table_copy(world, copies, copies->tables[i]);
    }
    for (uint32_t i = 0; copies->stores && i < plan->sparse_count; i++) {
        weft_store_copy *store = &copies->stores[i];
        weft_free(heap, store->handles, store->handle_capacity * sizeof *store->handles);
        weft_free(heap, store->values, (size_t)store->value_capacity * world->sparse[i].size);
    }
    weft_free(heap, copies->tables, copies->table_capacity * sizeof(weft_table_copy *));
    weft_free(heap, copies->by_table, copies->by_table_capacity * sizeof *copies->by_table);
    weft_free(heap, copies->places, copies->place_capacity * sizeof *copies->places);
    weft_free(heap, copies->slots,
              (size_t)copies->slot_capacity * plan->sparse_count * sizeof *copies->slots);
    weft_free(heap, copies->stores, plan->sparse_count * sizeof *copies->stores);
    weft_free(heap, copies->cells,
              ((size_t)plan->first_bitset + plan->sparse_count) * sizeof *copies->cells);
    weft_free(heap, copies->tags, plan->schema->component_count * sizeof *copies->tags);
    weft_free(heap, copies->once, copies->once_bytes);
}

// ------------------------------------------------------------------------------------------------
// Copies of tables

// Lists the columns of a table in ascending order.
static void list_columns(const weft_plan *plan, weft_table_copy *copy)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->schema->component_count; i++) {
        const weft_component_plan *c = &plan->components[i];
        bool has = weft_set_has(copy->set, i);
        copy->first[i] = has ? (uint16_t)count : WEFT_NONE;
        for (uint32_t k = 0; has && k < c->column_count; k++) {
            copy->columns[count++] = (uint16_t)(c->first_column + k);
        }
    }
}

static weft_table_copy *open_table_copy(weft_world *world, weft_copies *copies,
                                        const weft_table *table)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    weft_table_copy *copy = (weft_table_copy *)weft_allocate_zeroed(heap, sizeof *copy);
    if (!copy) return NULL;
    copy->column_count = table->present_count - 1u;
    if (!weft_array_open(heap, &copy->set, plan->set_words, sizeof *copy->set) ||
        !weft_array_open(heap, &copy->columns, copy->column_count, sizeof *copy->columns) ||
        !weft_array_open(heap, &copy->first, plan->schema->component_count, sizeof *copy->first) ||
        !weft_array_open(heap, &copy->cells, copy->column_count, sizeof *copy->cells) ||
        !weft_array_open(heap, &copy->tags, copies->tag_count, sizeof *copy->tags)) {
        close_table_copy(world, copies, copy);
        return NULL;
    }
    memcpy(copy->set, table->set, plan->set_words * sizeof *copy->set);
    list_columns(plan, copy);
    return copy;
}

static bool has_set_of(const weft_world *world, const weft_table_copy *copy,
                       const weft_table *table)
{
    return memcmp(copy->set, table->set, world->plan->set_words * sizeof *copy->set) == 0;
}

// Finds the copy of a table by its id, or by its set if a load has replaced the tables; opens one
// if there is none. Returns WEFT_NO_COPY if there is no memory.
static uint32_t find_table_copy(weft_world *world, weft_copies *copies, const weft_table *table)
{
    uint32_t number = copies->by_table[table->id];
    bool known = number != WEFT_NO_COPY && has_set_of(world, copies->tables[number], table);
    if (known) return number;
    for (uint32_t i = 0; i < copies->table_count; i++) {
        if (has_set_of(world, copies->tables[i], table)) return i;
    }
    if (!weft_array_grow(&world->heap, &copies->tables, &copies->table_capacity,
                         copies->table_count + 1, sizeof(weft_table_copy *))) {
        return WEFT_NO_COPY;
    }
    weft_table_copy *copy = open_table_copy(world, copies, table);
    if (!copy) return WEFT_NO_COPY;
    copies->tables[copies->table_count] = copy;
    return copies->table_count++;
}

bool weft_copies_tag_ready(weft_world *world, weft_table_copy *copy, uint32_t tag)
{
    weft_copied *words = &copy->tags[tag];
    return weft_array_grow(&world->heap, &words->items, &words->capacity,
                           weft_bits_words(copy->table->count), sizeof(uint64_t));
}

// Makes space for the rows of a table.
static bool grow_table_copy(weft_world *world, const weft_copies *copies, weft_table_copy *copy)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    uint32_t rows = copy->table->count;
    bool ready = weft_array_grow(heap, &copy->handles.items, &copy->handles.capacity, rows,
                                 plan->format.handle_bytes);
    for (uint32_t i = 0; ready && i < copy->column_count; i++) {
        ready = weft_array_grow(heap, &copy->cells[i].items, &copy->cells[i].capacity, rows,
                                plan->columns[copy->columns[i]].size);
    }
    for (uint32_t i = 0; ready && i < copies->tag_count; i++) {
        const void *words = weft_column(copy->table, weft_tag_column(world, copies->tags[i]));
        if (words || copy->tags[i].items) ready = weft_copies_tag_ready(world, copy, i);
    }
    return ready;
}

// ------------------------------------------------------------------------------------------------
// Space

static bool tables_ready(weft_world *world, weft_copies *copies)
{
    uint32_t known = copies->by_table_capacity;
    if (!weft_array_grow(&world->heap, &copies->by_table, &copies->by_table_capacity,
                         world->tables.count, sizeof *copies->by_table)) {
        return false;
    }
    for (uint32_t i = known; i < copies->by_table_capacity; i++) copies->by_table[i] = WEFT_NO_COPY;
    for (uint32_t i = 0; i < copies->table_count; i++) copies->tables[i]->table = NULL;
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        if (table->count == 0) continue;
        uint32_t number = find_table_copy(world, copies, table);
        if (number == WEFT_NO_COPY) return false;
        copies->by_table[table->id] = number;
        copies->tables[number]->table = table;
        if (!grow_table_copy(world, copies, copies->tables[number])) return false;
    }
    return true;
}

// Makes space for the slots of each entity index, store by store. If there are more indices than
// before, all slots move, so they are filled in again.
static bool slots_ready(weft_world *world, weft_copies *copies)
{
    const uint32_t stores = world->plan->sparse_count;
    weft_format f = world->plan->format;
    uint32_t had = copies->slot_capacity;
    uint32_t indices = copies->place_capacity;
    uint32_t *slots;
    if (stores == 0 || indices <= had) return true;
    if (!weft_array_open(&world->heap, &slots, (size_t)indices * stores, sizeof *slots))
        return false;
    weft_free(&world->heap, copies->slots, (size_t)had * stores * sizeof *slots);
    copies->slots = slots;
    copies->slot_capacity = indices;
    for (uint32_t i = 0; i < stores; i++) {
        const weft_store_copy *store = &copies->stores[i];
        for (uint32_t slot = 0; slot < store->count; slot++) {
            slots[(size_t)i * indices + weft_handle_index(f, store->handles[slot])] = slot;
        }
    }
    return true;
}

static bool stores_ready(weft_world *world, weft_copies *copies)
{
    for (uint32_t i = 0; i < world->plan->sparse_count; i++) {
        const weft_sparse *sparse = &world->sparse[i];
        weft_store_copy *store = &copies->stores[i];
        uint32_t count = weft_sparse_count(sparse);
        if (!weft_array_grow(&world->heap, &store->handles, &store->handle_capacity, count,
                             sizeof *store->handles) ||
            !weft_array_grow(&world->heap, &store->values, &store->value_capacity, count,
                             sparse->size)) {
            return false;
        }
    }
    return true;
}

bool weft_copies_ready(weft_world *world, weft_copies *copies)
{
    return weft_array_grow(&world->heap, &copies->places, &copies->place_capacity,
                           world->entities.index_count, sizeof *copies->places) &&
           tables_ready(world, copies) && slots_ready(world, copies) && stores_ready(world, copies);
}

// ------------------------------------------------------------------------------------------------
// Rows

const weft_table_copy *weft_copies_find(const weft_copies *copies, weft_format f, uint64_t handle,
                                        uint32_t *row)
{
    uint32_t index = weft_handle_index(f, handle);
    WEFT_ASSERT(index, <, copies->place_capacity, "the copies are not ready for what is looked at");
    weft_place at = copies->places[index];
    if (at.table >= copies->table_count) return NULL;
    const weft_table_copy *copy = copies->tables[at.table];
    *row = at.row;
    bool is_there =
        at.row < copy->count && weft_handle_load(f, copy->handles.items, at.row) == handle;
    return is_there ? copy : NULL;
}

static void copy_bit(weft_copied *words, uint32_t row, bool bit)
{
    uint64_t *w = (uint64_t *)(void *)words->items;
    uint64_t mask = (uint64_t)1 << (row % 64);
    if (!w) return; // no row of the table has the tag
    w[row / 64] = bit ? w[row / 64] | mask : w[row / 64] & ~mask;
}

void weft_copies_row(const weft_world *world, weft_copies *copies, uint32_t number, uint32_t row)
{
    const weft_plan *plan = world->plan;
    weft_format f = plan->format;
    weft_table_copy *copy = copies->tables[number];
    uint64_t handle = weft_handle_load(f, weft_column(copy->table, 0), row);
    weft_snapshots *snapshots = &world->observers.watching->ring->snapshots;
    const uint64_t oldest = weft_ring_oldest(world->observers.watching->ring);
    weft_copied_drop(snapshots, &copy->handles, row / WEFT_RUN_ROWS_MAX);
    weft_handle_store(f, copy->handles.items, row, handle);
    copies->places[weft_handle_index(f, handle)] = (weft_place){number, row};
    for (uint32_t i = 0; i < copy->column_count; i++) {
        const uint32_t column = copy->columns[i];
        const uint32_t size = plan->columns[column].size;
        const uint32_t run_rows = copies->cells[column].run_rows;
        unsigned char *to = copy->cells[i].items + (size_t)row * size;
        if (run_rows != 0) {
            to = row % run_rows * size + weft_copied_own(snapshots, &copy->cells[i], row / run_rows,
                                                         run_rows * size, oldest);
        }
        memcpy(to, weft_cell(copy->table, column, row, size), size);
    }
    for (uint32_t i = 0; i < copies->tag_count; i++) {
        if (!copy->tags[i].items) continue;
        uint32_t column = weft_tag_column(world, copies->tags[i]);
        copy_bit(&copy->tags[i], row, weft_bitset_bit(copy->table, column, row));
    }
}
