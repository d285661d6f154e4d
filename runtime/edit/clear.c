// Tables come in canonical order, which does not change when a world is saved and loaded: so rows
// that move stand in one order, whatever the history of the world is.
#include "clear.h"

#include "../world/move.h"
#include "../world/rules.h"

static bool has_any(const weft_world *world, const weft_table *table, uint32_t component)
{
    const weft_component_plan *c = &world->plan->components[component];
    if (c->bitset == WEFT_NONE) return table->count != 0 && weft_set_has(table->set, component);
    if (c->sparse == WEFT_NONE) return table->bitset_counts[c->bitset] != 0;
    return weft_sparse_count(&world->sparse[c->sparse]) != 0 &&
           weft_column(table, weft_bitset_column(world->plan, c));
}

// Says whether a row that has the component may lose it.
static bool may_lose(const weft_world *world, const weft_table *table, uint32_t row,
                     uint32_t component)
{
    weft_subject subject = {0, table->set, table, row};
    weft_refusal why;
    return !world->plan->components[component].ruled ||
           weft_rules_remove(world, &subject, component, &why);
}

// ------------------------------------------------------------------------------------------------
// Table components, whose rows move

// Takes all memory that moving rows out of a table needs.
static bool loss_ready(weft_world *world, weft_table *from, uint32_t component)
{
    uint32_t moving = 0;
    for (uint32_t row = 0; row < from->count; row++) {
        moving += may_lose(world, from, row, component);
    }
    if (moving == 0) return true;
    weft_table *to = weft_world_table_beyond(world, from, component, false);
    if (!to || !weft_world_table_ready(world, to, to->count + moving)) return false;
    for (uint16_t i = 0; i < from->bitset_count; i++) {
        uint16_t column = from->bitsets[i];
        const uint64_t *words = (const uint64_t *)weft_column(from, column);
        bool any = weft_bits_count(words, weft_bits_words(from->count)) != 0;
        if (any && !weft_bitset_open(&world->heap, world->plan, to, column)) return false;
    }
    return true;
}

// The tables that are made meanwhile lack the component.
static bool losses_ready(weft_world *world, uint32_t component)
{
    const uint32_t count = world->tables.count;
    for (uint32_t i = 0; i < count; i++) {
        weft_table *table = world->tables.items[i];
        if (has_any(world, table, component) && !loss_ready(world, table, component)) return false;
    }
    return true;
}

// The last row moves first, so that those which stay are moved least.
static void lose_column(weft_world *world, weft_table *from, uint32_t component)
{
    weft_format f = world->plan->format;
    for (uint32_t row = from->count; row-- > 0;) {
        if (!may_lose(world, from, row, component)) continue;
        uint64_t handle = weft_handle_load(f, weft_column(from, 0), row);
        weft_table *to = weft_world_table_beyond(world, from, component, false);
        weft_world_move(world, handle, (weft_place){from->id, row}, to);
    }
}

// ------------------------------------------------------------------------------------------------
// All of them

typedef void (*loser)(weft_world *world, weft_table *table, uint32_t row, uint32_t component);

// Visits the rows that have the component and may lose it. A visit may clear the bit of its row.
static void each_loser(weft_world *world, weft_table *table, uint32_t component, loser each)
{
    const weft_component_plan *c = &world->plan->components[component];
    const bool all = c->bitset == WEFT_NONE;
    const uint32_t column = all ? 0 : weft_bitset_column(world->plan, c);
    for (uint32_t word = 0; (uint64_t)word * 64 < table->count; word++) {
        uint64_t bits = all ? weft_bits_low(table->count - word * 64)
                            : ((const uint64_t *)weft_column(table, column))[word];
        while (bits != 0) {
            uint32_t row = word * 64 + weft_bits_pop(&bits);
            if (may_lose(world, table, row, component)) each(world, table, row, component);
        }
    }
}

static void tell_hook(weft_world *world, weft_table *table, uint32_t row, uint32_t component)
{
    weft_hook_removing(world, table, row, component);
}

static void note_loss(weft_world *world, weft_table *table, uint32_t row, uint32_t component)
{
    weft_losing(world, weft_loss_of(world, table, row, component));
}

static void take_off(weft_world *world, weft_table *table, uint32_t row, uint32_t component)
{
    weft_component_write(world, table, row, component, NULL, false);
}

static void clear_table(weft_world *world, weft_table *table, uint32_t component)
{
    const weft_component_plan *c = &world->plan->components[component];
    if (weft_removal_asked(c)) each_loser(world, table, component, note_loss);
    if (c->bitset == WEFT_NONE) {
        lose_column(world, table, component);
    } else if (c->sparse == WEFT_NONE && !c->ruled) {
        weft_bitset_clear(world->plan, table, weft_bitset_column(world->plan, c));
    } else {
        each_loser(world, table, component, take_off);
    }
}

// Hooks are told of all rows before the first of them loses it.
static void tell_hooks(weft_world *world, uint32_t component)
{
    for (uint32_t i = 0; i < world->every_table.count; i++) {
        weft_table *table = world->every_table.tables[i];
        if (has_any(world, table, component)) each_loser(world, table, component, tell_hook);
    }
}

// Takes the component from all rows that may lose it. Returns whether any row had it.
static bool clear_tables(weft_world *world, uint32_t component)
{
    bool any = false;
    if (world->plan->components[component].on_remove) tell_hooks(world, component);
    for (uint32_t i = 0; i < world->every_table.count; i++) {
        weft_table *table = world->every_table.tables[i];
        if (!has_any(world, table, component)) continue;
        any = true;
        clear_table(world, table, component);
    }
    return any;
}

bool weft_rows_clear(weft_world *world, uint32_t component)
{
    const weft_component_plan *c = &world->plan->components[component];
    world->lists_stay = true;
    bool ready = c->bitset != WEFT_NONE || losses_ready(world, component);
    bool any = ready && clear_tables(world, component);
    world->lists_stay = false;
    if (any && c->bitset != WEFT_NONE) weft_world_changed_in_place(world);
    return ready;
}
