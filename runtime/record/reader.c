// Change bits go from the incoming change set to the readers that have yet to see them.
#include "reader.h"

#include "../world/report.h"
#include "removals.h"

bool weft_turns_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    if (!weft_array_open(&world->heap, &world->listening, plan->change_set_count, sizeof(bool))) {
        return false;
    }
    for (uint32_t r = 0; r < plan->reader_count; r++) {
        for (uint32_t i = 0; i < plan->readers[r].watch_count; i++) {
            const weft_watch_plan *watch = &plan->readers[r].watches[i];
            world->listening[watch->unseen] |= watch->visible == watch->unseen; // no query
        }
    }
    return true;
}

void weft_turns_close(weft_world *world)
{
    weft_free(&world->heap, world->listening, world->plan->change_set_count);
}

// Moves incoming bits to all readers of a component that listen, but for `except`.
static void distribute(const weft_world *world, weft_table *table, const weft_watch_plan *watch,
                       uint32_t except)
{
    weft_change_bits *bits = &table->change_bits;
    uint32_t incoming = bits->slots[watch->incoming];
    if (!weft_marked_any(bits, watch->incoming, table->count)) return;
    for (uint32_t i = 0; i < watch->listener_count; i++) {
        uint16_t unseen = watch->listeners[i];
        if (unseen == except || !world->listening[unseen]) continue;
        weft_change_bits_add(bits, incoming, bits->slots[unseen], table->count);
    }
    weft_change_bits_clear(bits, incoming, table->count);
}

// Calls for each table that keeps what is watched.
typedef void (*with_table)(weft_world *world, weft_table *table, const weft_watch_plan *watch);

static void each_table(weft_world *world, uint32_t reader, with_table with)
{
    const weft_reader_plan *r = &world->plan->readers[reader];
    for (uint32_t i = 0; i < r->watch_count; i++) {
        const weft_watch_plan *watch = &r->watches[i];
        for (uint32_t t = 0; t < world->tables.count; t++) {
            weft_table *table = world->tables.items[t];
            if (table->count != 0 && table->change_bits.slots[watch->incoming] != WEFT_NONE) {
                with(world, table, watch);
            }
        }
    }
}

static void begin_in(weft_world *world, weft_table *table, const weft_watch_plan *watch)
{
    if (watch->unseen != watch->incoming) distribute(world, table, watch, WEFT_NONE);
}

void weft_turn_begin(weft_world *world, uint32_t reader)
{
    weft_world_lock(world);
    each_table(world, reader, begin_in);
    weft_world_unlock(world);
}

static void end_in(weft_world *world, weft_table *table, const weft_watch_plan *watch)
{
    if (watch->own) distribute(world, table, watch, watch->unseen);
    weft_change_bits_clear(&table->change_bits, table->change_bits.slots[watch->unseen],
                           table->count);
}

void weft_turn_end(weft_world *world, uint32_t reader)
{
    weft_world_lock(world);
    each_table(world, reader, end_in);
    weft_removed_consume(world, reader);
    weft_world_unlock(world);
}

// ------------------------------------------------------------------------------------------------
// Queries of the game

static void make_visible_in(weft_world *world, weft_table *table, const weft_watch_plan *watch)
{
    weft_change_bits *bits = &table->change_bits;
    uint32_t unseen = bits->slots[watch->unseen];
    uint32_t visible = bits->slots[watch->visible];
    begin_in(world, table, watch);
    weft_change_bits_clear(bits, visible, table->count);
    weft_change_bits_add(bits, unseen, visible, table->count);
    weft_change_bits_clear(bits, unseen, table->count);
}

// Sets the bits of every row that has the component.
static void mark_all_in(const weft_plan *plan, weft_table *table, const weft_watch_plan *watch,
                        uint32_t change_set)
{
    const weft_component_plan *c = &plan->components[watch->component];
    uint32_t visible = table->change_bits.slots[change_set];
    if (c->bitset == WEFT_NONE) {
        weft_mark_range(&table->change_bits, visible, 0, table->count);
        return;
    }
    const uint64_t *words =
        (const uint64_t *)weft_column(table, plan->first_bitset + (uint32_t)c->bitset);
    if (words) weft_mark_mask(&table->change_bits, visible, 0, words, (table->count + 63) / 64);
}

static void make_all_visible_in(weft_world *world, weft_table *table, const weft_watch_plan *watch)
{
    mark_all_in(world->plan, table, watch, watch->visible);
}

bool weft_turn_show(weft_world *world, uint32_t reader)
{
    const weft_reader_plan *r = &world->plan->readers[reader];
    if (world->running != WEFT_HOOK_RUNS &&
        weft_busy(world, "a query that asks for changes is begun through the ctx of a system that "
                         "lists it")) {
        return false;
    }
    bool first = false;
    each_table(world, reader, make_visible_in);
    for (uint32_t i = 0; i < r->watch_count; i++) {
        const weft_watch_plan *watch = &r->watches[i];
        first |= !world->listening[watch->unseen];
        world->listening[watch->unseen] = true;
    }
    if (first) each_table(world, reader, make_all_visible_in);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Loading

void weft_watch_all(weft_world *world, const weft_watch_plan *watch, uint32_t change_set)
{
    for (uint32_t t = 0; t < world->tables.count; t++) {
        weft_table *table = world->tables.items[t];
        if (table->count != 0 && table->change_bits.slots[change_set] != WEFT_NONE) {
            mark_all_in(world->plan, table, watch, change_set);
        }
    }
}

void weft_watch_nothing(weft_world *world)
{
    for (uint32_t t = 0; t < world->tables.count; t++) {
        const weft_table *table = world->tables.items[t];
        for (uint32_t slot = 0; slot < table->change_bits.set_count && table->count != 0; slot++) {
            weft_change_bits_clear(&table->change_bits, slot, table->count);
        }
    }
}
