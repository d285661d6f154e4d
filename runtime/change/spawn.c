// Prefabs are spawned here, one or many, and space is made for them beforehand. The rows of a
// prefab are appended to a table that is known since the world was opened, so nothing is searched
// for.
#include "spawn.h"

#include "../record/hook.h"
#include "../record/removals.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "layout.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Rows of a prefab

// Writes one value into rows of a column: the first, then ever longer copies of what is written
// already, short enough to stay in the nearest cache.
static void column_fill(unsigned char *at, size_t size, size_t rows, const void *value)
{
    size_t rows_max = size < 4096 ? 4096 / size : 1;
    weft_copy(at, value, size);
    for (size_t done = 1; done < rows;) {
        size_t more = done < rows_max ? done : rows_max;
        if (more > rows - done) more = rows - done;
        memcpy(at + done * size, at, more * size);
        done += more;
    }
}

static void write_sparse_values(weft_world *world, weft_table *table, uint32_t first, uint32_t rows,
                                const weft_prefab_layout_value *v, const void *value)
{
    weft_format f = world->plan->format;
    const void *handles = weft_column(table, 0);
    const void *given = weft_source_at(&v->source, value);
    for (uint32_t row = first; row < first + rows; row++) {
        uint32_t index = weft_handle_index(f, weft_handle_load(f, handles, row));
        weft_sparse_write(&world->sparse[v->store], index, given ? given : v->defaults);
    }
}

void weft_prefab_rows_write(weft_world *world, uint32_t prefab, uint32_t first_row, uint32_t rows,
                            const void *value)
{
    weft_table *table = world->prefab_tables[prefab];
    const weft_prefab_layout *layout = &world->prefab_layouts[prefab];
    weft_mark_added_range(&table->change_bits, first_row, rows);
    for (uint32_t i = 0; i < layout->column_count; i++) {
        const weft_prefab_layout_column *c = &layout->columns[i];
        const void *given = weft_source_at(&c->source, value);
        if (!given) continue;
        unsigned char *base = (unsigned char *)weft_column(table, c->column);
        column_fill(base + (size_t)first_row * c->size, c->size, rows, given);
    }
    for (uint32_t i = 0; i < layout->value_count; i++) {
        write_sparse_values(world, table, first_row, rows, &layout->values[i], value);
    }
    for (uint32_t i = 0; i < layout->bitset_count; i++) {
        for (uint32_t row = first_row; row < first_row + rows; row++) {
            weft_bitset_write(world->plan, table, layout->bitsets[i], row, true);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Refusals

static bool spawn_refuse(weft_world *world, weft_status status)
{
    return weft_refuse_space(world, weft_refusal_of(status, WEFT_NONE, 0));
}

weft_status weft_spawn_status(const weft_world *world)
{
    const weft_entities *entities = &world->entities;
    if (weft_entities_live(entities) >= entities->live_limit) return WEFT_FULL;
    bool fresh = entities->free_count <= entities->wait;
    return fresh && entities->index_count == entities->index_limit ? WEFT_FULL : WEFT_NO_MEMORY;
}

bool weft_spawn_refused(weft_world *world)
{
    if (weft_busy(world, "spawn" WEFT_RECORDED)) return false;
    return spawn_refuse(world, weft_spawn_status(world));
}

// ------------------------------------------------------------------------------------------------
// Space

// Makes space for rows in a prefab's table, in its columns and all its bitsets, and for noting
// removals.
static bool table_ready(weft_world *world, uint32_t prefab, uint32_t more)
{
    weft_table *table = world->prefab_tables[prefab];
    const weft_prefab_layout *layout = &world->prefab_layouts[prefab];
    if (!weft_table_grow(&world->heap, world->plan, table, table->count + more)) return false;
    for (uint32_t i = 0; i < layout->bitset_count; i++) {
        if (!weft_bitset_open(&world->heap, world->plan, table, layout->bitsets[i])) return false;
    }
    for (uint32_t i = 0; i < world->plan->removal_count; i++) {
        uint32_t component = world->plan->removals[i].component;
        if (i != world->plan->components[component].first_removal) continue;
        if (!weft_set_has(world->plan->prefabs[prefab].set, component)) continue;
        if (!weft_removed_ready(world, component, more)) return false;
    }
    return true;
}

bool weft_prefab_row_ready(weft_world *world, uint32_t prefab, uint32_t index)
{
    const weft_prefab_layout *layout = &world->prefab_layouts[prefab];
    if (!table_ready(world, prefab, 1)) return false;
    for (uint32_t i = 0; i < layout->value_count; i++) {
        weft_sparse *sparse = &world->sparse[layout->values[i].store];
        if (!weft_sparse_ready(&world->heap, sparse, index)) return false;
    }
    return true;
}

// Makes space for n more rows of a prefab, except for the pages of their indices.
static bool rows_ready(weft_world *world, uint32_t prefab, uint32_t n)
{
    const weft_prefab_layout *layout = &world->prefab_layouts[prefab];
    if (!table_ready(world, prefab, n)) return false;
    for (uint32_t i = 0; i < layout->value_count; i++) {
        weft_sparse *sparse = &world->sparse[layout->values[i].store];
        if (!weft_sparse_reserve(&world->heap, sparse, n)) return false;
    }
    return true;
}

// Takes pages for so many indices from `first` on, in every store that a prefab has values in.
static bool pages_ready(weft_world *world, uint32_t prefab, uint32_t first, uint32_t indices)
{
    const weft_prefab_layout *layout = &world->prefab_layouts[prefab];
    for (uint32_t i = 0; i < layout->value_count; i++) {
        weft_sparse *sparse = &world->sparse[layout->values[i].store];
        if (!weft_sparse_pages(&world->heap, sparse, first, indices)) return false;
    }
    return true;
}

// Counts how many of n more entities get an index that another entity had.
static uint32_t indices_reused(const weft_entities *entities, uint64_t n)
{
    uint32_t waiting = entities->free_count;
    uint32_t reused = waiting > entities->wait ? waiting - entities->wait : 0;
    return reused < n ? reused : (uint32_t)n;
}

// Takes pages for the indices that the next n entities get, and for no others.
static bool next_pages_ready(weft_world *world, uint32_t prefab, uint32_t n)
{
    const weft_entities *entities = &world->entities;
    uint32_t reused = indices_reused(entities, n);
    uint32_t index = entities->free_head;
    if (world->prefab_layouts[prefab].value_count == 0) return true;
    for (uint32_t i = 0; i < reused; i++) {
        if (!pages_ready(world, prefab, index, 1)) return false;
        weft_free_record(entities, world->plan->format, index, &index);
    }
    return pages_ready(world, prefab, entities->index_count, n - reused);
}

static weft_status too_many(weft_world *world, uint64_t n)
{
    world->wanted = n;
    return WEFT_FULL;
}

// Makes space for the records of n more entities, and gives the number of indices that will have
// been handed out then.
static weft_status records_ready(weft_world *world, uint64_t n, uint32_t *indices)
{
    weft_entities *entities = &world->entities;
    if (n > entities->live_limit - weft_entities_live(entities)) return too_many(world, n);
    uint64_t fresh = n - indices_reused(entities, n);
    if (fresh > entities->index_limit - entities->index_count) return too_many(world, n);
    *indices = entities->index_count + (uint32_t)fresh;
    bool grown = weft_entities_grow(entities, &world->heap, *indices);
    return grown ? WEFT_OK : WEFT_NO_MEMORY;
}

// Reserves for n entities of a prefab; WEFT_NONE: for entities without components.
static weft_status reserve_rows(weft_world *world, uint32_t prefab, size_t n)
{
    uint32_t indices;
    weft_table *empty = world->tables.items[0];
    if (weft_busy(world, "reserve" WEFT_WAITS)) return WEFT_BUSY;
    weft_status status = records_ready(world, n, &indices);
    if (status == WEFT_OK) {
        // An entity that dies until the n spawn gives its index to one of them, so every index
        // needs its page.
        bool done =
            prefab == WEFT_NONE
                ? weft_table_grow(&world->heap, world->plan, empty, empty->count + (uint32_t)n)
                : rows_ready(world, prefab, (uint32_t)n) && pages_ready(world, prefab, 0, indices);
        if (!done) status = WEFT_NO_MEMORY;
    }
    if (status != WEFT_OK) {
        spawn_refuse(world, status);
    } else {
        weft_world_changed(world); // columns may have moved
    }
    return status;
}

weft_status weft_world_reserve(weft_world *world, size_t n)
{
    return reserve_rows(world, WEFT_NONE, n);
}

weft_status weft_prefab_reserve(weft_world *world, uint32_t prefab, size_t n)
{
    return reserve_rows(world, prefab, n);
}

// ------------------------------------------------------------------------------------------------
// Spawning

uint64_t weft_spawn_empty(weft_world *world)
{
    return weft_spawn(world, world->plan->format, world->tables.items[0]).handle;
}

bool weft_prefab_ready(weft_world *world, uint32_t prefab)
{
    const weft_entities *entities = &world->entities;
    bool reused = entities->free_count > entities->wait;
    if (weft_busy(world, "spawn" WEFT_RECORDED)) return false;
    if (weft_prefab_row_ready(world, prefab,
                              reused ? entities->free_head : entities->index_count)) {
        return true;
    }
    return spawn_refuse(world, weft_spawn_status(world));
}

// Appends n rows to a table for new entities. Their memory is ready.
static void rows_append(weft_world *world, weft_table *table, uint32_t n)
{
    weft_format f = world->plan->format;
    weft_entities *entities = &world->entities;
    uint32_t reused = indices_reused(entities, n);
    for (uint32_t i = 0; i < reused; i++) {
        uint32_t index = 0;
        uint32_t generation = 0;
        weft_index_take(entities, f, &index, &generation);
        weft_row_append(world, f, table, weft_handle(f, index, generation));
    }
    unsigned char *handles = (unsigned char *)weft_column(table, 0);
    weft_entities_take_fresh(entities, f, n - reused, table->id, table->count,
                             handles + (size_t)table->count * f.handle_bytes);
    table->count += n - reused;
}

weft_status weft_prefab_spawn(weft_world *world, uint32_t prefab, uint64_t n, const void *value,
                              void *out, uint32_t *first_row)
{
    weft_table *table = world->prefab_tables[prefab];
    size_t handle_bytes = world->plan->format.handle_bytes;
    uint32_t indices;
    *first_row = table->count;
    if (n == 0) return WEFT_OK;
    weft_status status = records_ready(world, n, &indices);
    if (status != WEFT_OK) return status;
    if (!rows_ready(world, prefab, (uint32_t)n) || !next_pages_ready(world, prefab, (uint32_t)n)) {
        return WEFT_NO_MEMORY;
    }
    rows_append(world, table, (uint32_t)n);
    if (out) {
        const unsigned char *handles = (const unsigned char *)weft_column(table, 0);
        memcpy(out, handles + *first_row * handle_bytes, (size_t)n * handle_bytes);
    }
    weft_prefab_rows_write(world, prefab, *first_row, (uint32_t)n, value);
    weft_world_changed(world);
    weft_hooks_added(world, table, *first_row, (uint32_t)n);
    return WEFT_OK;
}

bool weft_spawn_many(weft_world *world, uint32_t prefab, size_t n, const void *value, void *out,
                     uint32_t *first_row)
{
    if (weft_busy(world, "spawn_many" WEFT_RECORDED)) return false;
    weft_status status = weft_prefab_spawn(world, prefab, n, value, out, first_row);
    return status == WEFT_OK || spawn_refuse(world, status);
}
