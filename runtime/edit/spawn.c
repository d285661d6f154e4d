// Spawns entities of prefabs, and makes space for them in advance. The table of a prefab is known
// from the opening of the world, so no table is searched.
#include "spawn.h"

#include "../record/loans.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/writer.h"
#include "member.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Rows of a prefab

// Prefabs are given by number; WEFT_NONE: no components.
static const weft_prefab_plan *plan_of(const weft_world *world, uint32_t prefab)
{
    static const weft_prefab_plan no_components;
    return prefab == WEFT_NONE ? &no_components : &world->plan->prefabs[prefab];
}

static weft_table *table_of(const weft_world *world, uint32_t prefab)
{
    return prefab == WEFT_NONE ? world->tables.items[0] : world->shared.prefab_tables[prefab];
}

void weft_prefab_rows_write(weft_world *world, uint32_t prefab, uint32_t first_row, uint32_t rows,
                            const void *value)
{
    const weft_plan *plan = world->plan;
    const weft_prefab_plan *p = plan_of(world, prefab);
    weft_table *table = table_of(world, prefab);
    weft_mark_added_range(&table->change_bits, first_row, rows);
    for (uint32_t i = 0; i < p->component_count; i++) {
        const weft_component_plan *c = &plan->components[p->components[i]];
        const void *from = weft_prefab_value(p, i, value);
        if (!from && i < p->member_count && c->bitset == WEFT_NONE) continue;
        if (!from) from = c->defaults;
        for (uint32_t column = 0; column < c->column_count; column++) {
            weft_column_repeat(plan, table, c->first_column + column, first_row, rows, from);
        }
        for (uint32_t row = 0; c->bitset != WEFT_NONE && row < rows; row++) {
            weft_component_write(world, table, first_row + row, p->components[i], from, true);
        }
    }
}

// Writes new rows of a prefab like weft_prefab_rows_write, and calls hooks.
static void rows_write(weft_world *world, uint32_t prefab, uint32_t first_row, uint32_t rows,
                       const void *value)
{
    weft_prefab_rows_write(world, prefab, first_row, rows, value);
    weft_world_changed(world);
    weft_hooks_added(world, table_of(world, prefab), first_row, rows);
}

// ------------------------------------------------------------------------------------------------
// Refusals

static bool spawn_refuse(weft_world *world, weft_status status)
{
    return weft_refuse_space(world, weft_refusal_of(status, WEFT_NONE, 0));
}

bool weft_spawn_refused(weft_world *world)
{
    if (weft_busy(world, "spawn" WEFT_RECORDED)) return false;
    return spawn_refuse(world, weft_index_status(&world->entities));
}

// ------------------------------------------------------------------------------------------------
// Space

// Makes space for n more rows of a prefab, whose entities have indices among the `indices` indices
// from `first`.
static bool rows_ready(weft_world *world, uint32_t prefab, uint32_t n, uint32_t first,
                       uint32_t indices)
{
    const weft_prefab_plan *p = plan_of(world, prefab);
    weft_table *table = table_of(world, prefab);
    if (!weft_world_table_ready(world, table, table->count + n)) return false;
    for (uint32_t i = 0; i < p->component_count; i++) {
        if (!weft_component_ready(world, table, p->components[i], n, first, indices)) return false;
    }
    return true;
}

// Returns how many of n more entities get an index from the free list.
static uint32_t indices_reused(const weft_entities *entities, uint64_t n)
{
    uint32_t reused = weft_entities_listed(entities);
    return reused < n ? reused : (uint32_t)n;
}

// Makes space for the next n rows of a prefab. In its stores, only pages for the indices of these
// entities are made.
static bool next_rows_ready(weft_world *world, uint32_t prefab, uint32_t n)
{
    const weft_prefab_plan *p = plan_of(world, prefab);
    const weft_entities *entities = &world->entities;
    uint32_t reused = indices_reused(entities, n);
    if (!rows_ready(world, prefab, n, entities->index_count, n - reused)) return false;
    for (uint32_t i = 0; i < p->member_count; i++) {
        uint16_t store = world->plan->components[p->components[i]].sparse;
        uint32_t index = entities->free_head;
        for (uint32_t r = 0; store != WEFT_NONE && r < reused; r++) {
            if (!weft_sparse_pages(&world->heap, &world->sparse[store], index, 1)) return false;
            weft_free_record(entities, world->plan->format, index, &index);
        }
    }
    return true;
}

weft_status weft_records_ready(weft_world *world, uint64_t n, uint32_t *indices)
{
    weft_entities *entities = &world->entities;
    uint32_t count;
    do { // growing may free owed indices, so count again
        count = entities->index_count;
        uint64_t fresh = n - indices_reused(entities, n);
        if (n > entities->live_limit - weft_entities_taken(entities) ||
            fresh > entities->index_limit - count) {
            world->report.wanted = n;
            return WEFT_FULL;
        }
        *indices = count + (uint32_t)fresh;
        if (!weft_entities_grow(entities, &world->heap, *indices)) return WEFT_NO_MEMORY;
    } while (count != entities->index_count);
    return WEFT_OK;
}

weft_status weft_prefab_reserve(weft_world *world, uint32_t prefab, size_t n)
{
    uint32_t indices = 0;
    if (weft_busy(world, "reserve" WEFT_WAITS)) return WEFT_BUSY;
    weft_status status = weft_records_ready(world, n, &indices);
    // An entity that is despawned before the n spawns gives its index to one of them, so every
    // index needs its page.
    if (status == WEFT_OK && !rows_ready(world, prefab, (uint32_t)n, 0, indices)) {
        status = WEFT_NO_MEMORY;
    }
    weft_world_changed(world); // columns may have moved
    if (status != WEFT_OK) weft_refuse(world, weft_refusal_of(status, WEFT_NONE, 0));
    return status;
}

// ------------------------------------------------------------------------------------------------
// Spawning

uint64_t weft_spawn_empty(weft_world *world)
{
    return weft_spawn(world, world->plan->format, world->tables.items[0]).handle;
}

// Reports why no entity can have a handle.
static weft_status refuse_handle(weft_world *world, weft_status status, uint64_t handle)
{
    weft_format f = world->plan->format;
    const weft_entities *entities = &world->entities;
    const weft_handle_text asked = weft_handle_as_text(f, handle);
    uint32_t index = weft_handle_index(f, handle);
    if (status == WEFT_BAD_VALUE && handle == 0) {
        return weft_report(world, status, "no entity can be none");
    }
    if (status == WEFT_BAD_VALUE) {
        return weft_report(world, status, "no entity of this world can be %s", asked.text);
    }
    if (status == WEFT_REFUSED && weft_index_is_away(entities, index)) {
        uint32_t generation = weft_record_at(entities, f, index).table;
        weft_handle_text away = weft_handle_as_text(f, weft_handle(f, index, generation));
        return weft_report(world, status, "no entity can become %s: %s is away", asked.text,
                           away.text);
    }
    if (status == WEFT_REFUSED) {
        weft_handle_text alive = weft_handle_as_text(f, weft_handle_of(entities, f, index));
        return weft_report(world, status, "no entity can become %s: %s is alive", asked.text,
                           alive.text);
    }
    if (status == WEFT_DEAD && weft_index_is_retired(entities, f, index)) {
        return weft_report(world, status,
                           "no entity can become %s: all generations of its index are used up, "
                           "until retired ones are recycled",
                           asked.text);
    }
    if (status == WEFT_DEAD) {
        uint32_t behind;
        uint32_t next = weft_free_record(entities, f, index, &behind);
        weft_handle_text least = weft_handle_as_text(f, weft_handle(f, index, next));
        return weft_report(world, status,
                           "no entity can become %s: it was despawned, and %s is next", asked.text,
                           least.text);
    }
    spawn_refuse(world, status);
    return status;
}

weft_status weft_spawn_at(weft_world *world, uint64_t handle)
{
    weft_format f = world->plan->format;
    weft_table *table = world->tables.items[0];
    if (weft_busy(world, "spawn_at" WEFT_WAITS)) return WEFT_BUSY;
    if (world->entities.promised != 0) {
        return weft_report(world, WEFT_BUSY,
                           "no entity can become %s while spawn commands wait: flush first",
                           weft_handle_as_text(f, handle).text);
    }
    weft_status status = weft_index_may_be(&world->entities, f, handle);
    if (weft_is_away(&world->entities, f, handle)) status = WEFT_REFUSED;
    if (status != WEFT_OK) return refuse_handle(world, status, handle);
    if (!weft_world_table_ready(world, table, table->count + 1) ||
        !weft_index_claim(&world->entities, &world->heap, f, handle)) {
        return refuse_handle(world, WEFT_NO_MEMORY, handle);
    }
    weft_row_append(world, f, table, handle);
    weft_world_changed(world);
    return WEFT_OK;
}

// Returns why a despawned entity cannot have its handle again.
static weft_status why_not_again(const weft_world *world, uint64_t handle)
{
    weft_format f = world->plan->format;
    const weft_entities *entities = &world->entities;
    if (weft_alive(entities, f, handle) || weft_is_away(entities, f, handle)) return WEFT_REFUSED;
    if (!weft_index_may_return(entities, f, handle)) return WEFT_DEAD;
    return weft_entities_live(entities) < entities->live_limit ? WEFT_OK : WEFT_FULL;
}

weft_status weft_spawn_again(weft_world *world, uint64_t handle)
{
    weft_format f = world->plan->format;
    weft_table *table = world->tables.items[0];
    const weft_handle_text text = weft_handle_as_text(f, handle);
    if (weft_busy(world, "spawn_again" WEFT_WAITS)) return WEFT_BUSY;
    if (world->entities.promised != 0) {
        return weft_report(world, WEFT_BUSY,
                           "%s cannot return while spawn commands wait: flush first", text.text);
    }
    weft_status status = why_not_again(world, handle);
    if (status == WEFT_OK && !weft_world_table_ready(world, table, table->count + 1)) {
        status = WEFT_NO_MEMORY;
    }
    if (status == WEFT_REFUSED || status == WEFT_DEAD) {
        return weft_report(world, status, "%s cannot return: %s", text.text,
                           status == WEFT_DEAD ? "its index was used again" : "it exists");
    }
    if (status != WEFT_OK) {
        spawn_refuse(world, status);
        return status;
    }
    weft_index_return(&world->entities, f, handle);
    weft_row_append(world, f, table, handle);
    weft_world_changed(world);
    return WEFT_OK;
}

bool weft_prefab_ready(weft_world *world, uint32_t prefab)
{
    bool ready = !weft_world_is_running(world) && next_rows_ready(world, prefab, 1);
    return ready || weft_spawn_refused(world);
}

bool weft_prefab_place(weft_world *world, uint32_t prefab, uint64_t handle, const void *value)
{
    weft_format f = world->plan->format;
    if (!rows_ready(world, prefab, 1, weft_handle_index(f, handle), 1)) return false;
    uint32_t row = weft_row_append(world, f, table_of(world, prefab), handle);
    rows_write(world, prefab, row, 1, value);
    return true;
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
    weft_table *table = world->shared.prefab_tables[prefab];
    size_t handle_bytes = world->plan->format.handle_bytes;
    uint32_t indices;
    *first_row = table->count;
    if (n == 0) return WEFT_OK;
    weft_status status = weft_records_ready(world, n, &indices);
    if (status != WEFT_OK) return status;
    if (!next_rows_ready(world, prefab, (uint32_t)n)) return WEFT_NO_MEMORY;
    rows_append(world, table, (uint32_t)n);
    if (out) {
        const unsigned char *handles = (const unsigned char *)weft_column(table, 0);
        memcpy(out, handles + *first_row * handle_bytes, (size_t)n * handle_bytes);
    }
    rows_write(world, prefab, *first_row, (uint32_t)n, value);
    return WEFT_OK;
}

static bool spawn(weft_world *world, uint32_t prefab, size_t n, const void *value, void *out,
                  uint32_t *first_row)
{
    if (n != 0 && weft_busy(world, "spawn_many" WEFT_RECORDED)) return false;
    weft_status status = weft_prefab_spawn(world, prefab, n, value, out, first_row);
    return status == WEFT_OK || spawn_refuse(world, status);
}

bool weft_spawn_many(weft_world *world, uint32_t prefab, size_t n, const void *value, void *out,
                     uint32_t *first_row)
{
    value = weft_prefab_given(plan_of(world, prefab), value);
    return spawn(world, prefab, n, value, out, first_row);
}

// Stores the address of the rows of a column from `first_row` at `out`. Returns the next position
// of `out`.
static unsigned char *column_point(unsigned char *out, const weft_world *world,
                                   const weft_table *table, uint32_t column, uint32_t first_row)
{
    const unsigned char *rows = table ? (const unsigned char *)weft_column(table, column) : NULL;
    if (rows) rows += first_row * (size_t)world->plan->columns[column].size;
    memcpy(out, &rows, sizeof rows);
    return out + sizeof rows;
}

void weft_rows_lend(weft_world *world, uint32_t prefab, uint32_t first, size_t n, void *rows)
{
    const weft_plan *plan = world->plan;
    const weft_prefab_plan *p = &plan->prefabs[prefab];
    const weft_table *table = first != UINT32_MAX ? world->shared.prefab_tables[prefab] : NULL;
    unsigned char *out = (unsigned char *)rows + sizeof n;
    // The game gets pointers to write to, whose rows no reader has seen.
    if (n != 0 && WEFT_OBSERVER(world, observers.insight))
        world->observers.insight->calls(world, "spawn_rows");
    if (n != 0 && plan->reader_count != 0) {
        weft_lent_rows lent = {.table = table, .first = first, .count = (uint32_t)n};
        (void)weft_rows_lent(world, WEFT_LENDS, &lent);
    }
    memcpy(rows, &n, sizeof n);
    out = column_point(out, world, table, 0, first);
    for (uint32_t i = 0; i < p->member_count; i++) {
        const weft_component_plan *c = &plan->components[p->components[i]];
        for (uint32_t k = 0; k < c->column_count; k++) {
            out = column_point(out, world, table, c->first_column + k, first);
        }
    }
}

void weft_spawn_rows(weft_world *world, uint32_t prefab, size_t n, const void *value, void *rows)
{
    uint32_t first = 0;
    bool spawned = spawn(world, prefab, n, value, NULL, &first);
    weft_rows_lend(world, prefab, spawned ? first : UINT32_MAX, spawned ? n : 0, rows);
}
