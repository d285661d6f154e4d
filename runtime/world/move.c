// A table is made when its set of components first occurs, and listed once it has rows. Edges store
// the next table for each component that is added or removed. Rows move along edges.
#include "move.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Tables

// Moves the columns of any row, like the generated code for tables of prefabs. All columns of the
// table with fewer columns are shared by both.
static uint32_t shift_row(weft_world *world, uint64_t handle, uint32_t row, weft_table *from,
                          weft_table *to)
{
    const weft_table *of = from->present_count < to->present_count ? from : to;
    uint32_t last = from->count - 1;
    weft_columns_shift(of, from, row, last, to, to->count);
    return weft_row_pass(world, world->plan->format, handle, row, from, to);
}

static bool end_row(weft_world *world, uint64_t handle, uint32_t row, weft_table *table)
{
    uint32_t last = table->count - 1;
    if (row != last) weft_columns_shift(table, table, last, last, table, row);
    return weft_row_end(world, world->plan->format, handle, row, table);
}

weft_table *weft_world_table(weft_world *world, const uint64_t *set)
{
    weft_table *table = weft_tables_find(&world->tables, world->plan, set);
    if (table) return table;
    table =
        weft_table_open(&world->heap, world->plan, &world->shared.kit, world->tables.count, set);
    if (table && world->changes.flags)
        weft_change_flags_keep(&table->change_bits, world->changes.flags);
    if (table && !table->shift) table->shift = shift_row;
    if (table && !table->end) table->end = end_row;
    if (!table || weft_tables_add(&world->tables, &world->heap, world->plan, table)) return table;
    weft_table_close(&world->heap, world->plan, table);
    return NULL;
}

// Returns the table at the end of an edge. It tries the last edge first, then the stored edges, and
// then looks up the set.
weft_table *weft_world_table_beyond(weft_world *world, weft_table *table, uint32_t component,
                                    bool add)
{
    uint16_t *last = add ? &table->last_added : &table->last_removed;
    weft_table **next = add ? &table->with : &table->without;
    if (*last == component) return *next;
    weft_table *to = weft_edge_find(&world->tables, table, component, add);
    if (to) {
        *last = (uint16_t)component;
        *next = to;
        return to;
    }
    const uint64_t *closure = world->plan->components[component].closure;
    for (uint32_t i = 0; i < world->plan->set_words; i++) {
        world->scratch.set[i] = table->set[i] | (add ? closure[i] & world->shared.table_set[i] : 0);
    }
    if (!add) weft_set_drop(world->scratch.set, component);
    to = weft_world_table(world, world->scratch.set);
    if (to) weft_edge_remember(&world->tables, &world->heap, table, component, add, to);
    return to;
}

void weft_world_tables_close(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    weft_query *every = &world->lists.every_table;
    for (uint32_t q = 0; world->queries && q < plan->query_count; q++) {
        weft_query *query = &world->queries[q];
        weft_free(heap, query->tables, query->capacity * sizeof *query->tables);
    }
    weft_free(heap, every->tables, every->capacity * sizeof *every->tables);
    weft_tables_close(&world->tables, heap, plan);
}

// ------------------------------------------------------------------------------------------------
// Moving a row

bool weft_world_move_ready(weft_world *world, weft_place from, weft_table *to)
{
    const weft_table *source = world->tables.items[from.table];
    bool full = to->count == to->capacity;
    if (full && !weft_world_table_ready(world, to, to->count + 1)) return false;
    for (uint16_t i = 0; i < source->bitset_count; i++) {
        uint16_t column = source->bitsets[i];
        if (weft_bitset_bit(source, column, from.row) &&
            !weft_bitset_open(&world->heap, world->plan, to, column)) {
            return false;
        }
    }
    return true;
}

uint32_t weft_world_move(weft_world *world, uint64_t handle, weft_place from, weft_table *to)
{
    const weft_plan *plan = world->plan;
    weft_table *source = world->tables.items[from.table];
    uint32_t last = source->count - 1;
    WEFT_ASSERT(source->id, !=, to->id, "a row was moved to its own table");
    weft_row_copy(plan, source, from.row, to, to->count);
    weft_row_bits_drop(plan, source, from.row);
    if (from.row != last) weft_columns_shift(source, source, last, last, source, from.row);
    return weft_row_pass(world, plan->format, handle, from.row, source, to);
}
