// One component of one entity, the end of rows, and clearing tags.
#include "component.h"

#include "../world/move.h"

bool weft_component_ready(weft_world *world, uint64_t handle, weft_table *to, uint32_t component)
{
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    uint32_t index = weft_handle_index(plan->format, handle);
    return weft_removed_ready(world, component, 1) &&
           (c->bitset == WEFT_NONE ||
            weft_bitset_open(&world->heap, plan, to, weft_bitset_column(plan, c))) &&
           (c->sparse == WEFT_NONE ||
            weft_sparse_ready(&world->heap, &world->sparse[c->sparse], index));
}

void weft_component_write(weft_world *world, weft_table *table, uint32_t row, uint64_t handle,
                          uint32_t component, const void *value)
{
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    if (c->bitset == WEFT_NONE) {
        weft_row_write(plan, table, row, component, value);
    } else if (c->sparse != WEFT_NONE) {
        uint32_t index = weft_handle_index(plan->format, handle);
        weft_sparse_write(&world->sparse[c->sparse], index, value);
        weft_row_changed(plan, table, row, component);
    }
}

// Adds a component that the entity lacks. A table component moves the row, the others set a bit.
static bool add_one_component(weft_world *world, uint64_t handle, weft_place at, uint32_t component,
                              const void *value)
{
    const weft_component_plan *c = &world->plan->components[component];
    weft_table *to = world->tables.items[at.table];
    uint32_t row = at.row;
    if (c->bitset == WEFT_NONE) {
        to = weft_world_table_with(world, to, component);
        if (!to || !weft_removed_ready(world, component, 1) ||
            !weft_world_move_ready(world, at, to)) {
            return false;
        }
        row = weft_world_move(world, handle, at, to); // which says that the world changed
        weft_component_write(world, to, row, handle, component, value);
    } else {
        if (!weft_component_ready(world, handle, to, component)) return false;
        if (c->sparse != WEFT_NONE) {
            uint32_t index = weft_handle_index(world->plan->format, handle);
            weft_sparse_write(&world->sparse[c->sparse], index, value);
        }
        weft_bitset_write(world->plan, to, weft_bitset_column(world->plan, c), row, true);
        weft_world_changed_in_place(world);
    }
    weft_hook_added(world, to, row, component);
    return true;
}

// Takes away a component that the entity has, once hooks and readers of removals know.
static bool remove_one_component(weft_world *world, uint64_t handle, weft_place at,
                                 uint32_t component)
{
    const weft_component_plan *c = &world->plan->components[component];
    weft_table *from = world->tables.items[at.table];
    bool moves = c->bitset == WEFT_NONE;
    weft_table *to = moves ? weft_world_table_without(world, from, component) : from;
    if (!to || (moves && !weft_world_move_ready(world, at, to))) return false;
    weft_hook_removing(world, from, at.row, component);
    weft_removed_note(world, from, at.row, component, WEFT_NONE);
    if (moves) {
        weft_world_move(world, handle, at, to);
        return true;
    }
    weft_bitset_write(world->plan, from, weft_bitset_column(world->plan, c), at.row, false);
    if (c->sparse != WEFT_NONE) {
        weft_sparse_drop(&world->sparse[c->sparse], weft_handle_index(world->plan->format, handle));
    }
    weft_world_changed_in_place(world);
    return true;
}

weft_change weft_component_change(weft_world *world, uint64_t handle, weft_place at,
                                  uint32_t component, const void *value, bool on)
{
    weft_table *table = world->tables.items[at.table];
    bool has = weft_row_has(world->plan, table, at.row, component);
    if (!on && !has) return WEFT_CHANGE_DONE;
    if (on && has) {
        weft_component_write(world, table, at.row, handle, component, value);
        return WEFT_CHANGE_DONE;
    }
    if (world->plan->components[component].ruled) return WEFT_CHANGE_HAS_RULES;
    bool done = on ? add_one_component(world, handle, at, component, value)
                   : remove_one_component(world, handle, at, component);
    return done ? WEFT_CHANGE_DONE : WEFT_CHANGE_NO_MEMORY;
}

// ------------------------------------------------------------------------------------------------
// Rows that end

// Drops the values that a row has in sparse stores.
static void drop_values(weft_world *world, const weft_table *table, uint32_t row, uint32_t index)
{
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        uint16_t component = world->plan->columns[table->bitsets[i]].component;
        uint16_t store = world->plan->components[component].sparse;
        if (store != WEFT_NONE && weft_bitset_bit(table, table->bitsets[i], row)) {
            weft_sparse_drop(&world->sparse[store], index);
        }
    }
}

bool weft_despawn_with_bits(weft_world *world, uint64_t handle, uint32_t row, weft_table *table)
{
    if (table->change_bits.set_count != 0) weft_removed_row(world, table, row);
    drop_values(world, table, row, weft_handle_index(world->plan->format, handle));
    weft_row_bits_drop(world->plan, table, row);
    return table->end(world, handle, row, table);
}

// ------------------------------------------------------------------------------------------------
// Clearing a tag

// Returns the rows among 64 that keep the tag: those with a tag or sparse component that requires
// it.
static uint64_t rows_kept(const weft_plan *plan, const weft_table *table,
                          const uint64_t *required_by, uint32_t word)
{
    uint64_t kept = 0;
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        uint16_t column = table->bitsets[i];
        if (!weft_set_has(required_by, plan->columns[column].component)) continue;
        kept |= ((const uint64_t *)weft_column(table, column))[word];
    }
    return kept;
}

// Returns the rows among 64 that have the tag and lose it.
static uint64_t rows_losing(const weft_plan *plan, const weft_table *table, uint32_t column,
                            const uint64_t *required_by, uint32_t word)
{
    uint64_t bits = ((const uint64_t *)weft_column(table, column))[word];
    return bits & ~rows_kept(plan, table, required_by, word);
}

static bool sets_meet(const weft_plan *plan, const uint64_t *a, const uint64_t *b)
{
    uint64_t met = 0;
    for (uint32_t i = 0; i < plan->set_words; i++) met |= a[i] & b[i];
    return met != 0;
}

// Takes a tag from the rows of a table that lose it, or only calls the hook for each of them.
static void clear_rows(weft_world *world, weft_table *table, uint32_t component, bool hooks)
{
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    uint32_t column = weft_bitset_column(plan, c);
    for (uint32_t word = 0; (uint64_t)word * 64 < table->count; word++) {
        uint64_t bits = rows_losing(plan, table, column, c->required_by, word);
        while (bits != 0) {
            uint32_t row = word * 64 + weft_bits_pop(&bits);
            if (hooks) {
                weft_hook_removing(world, table, row, component);
                continue;
            }
            weft_removed_note(world, table, row, component, WEFT_NONE);
            weft_bitset_write(plan, table, column, row, false);
        }
    }
}

// Goes over the tables in canonical order, which does not change when a world is saved and loaded:
// hooks are called and removals noted in it. Returns whether a row had the tag.
static bool clear_tables(weft_world *world, uint32_t component, bool hooks)
{
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    bool any = false;
    for (uint32_t i = 0; i < world->every_table.count; i++) {
        weft_table *table = world->every_table.tables[i];
        if (table->bitset_counts[c->bitset] == 0) continue;
        any = true;
        if (!hooks && !c->ruled && c->removal_count == 0) {
            weft_bitset_clear(plan, table, weft_bitset_column(plan, c));
        } else if (!sets_meet(plan, table->set, c->required_by)) {
            clear_rows(world, table, component, hooks);
        }
    }
    return any;
}

void weft_rows_clear(weft_world *world, uint32_t component)
{
    if (world->plan->components[component].on_remove) clear_tables(world, component, true);
    if (clear_tables(world, component, false)) weft_world_changed_in_place(world);
}
