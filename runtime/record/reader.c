// Handing marks over, showing and clearing them.
#include "reader.h"

#include "../world/report.h"
#include "removals.h"

bool weft_turns_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    world->listening = (bool *)weft_allocate_zeroed(&world->heap, plan->stream_count);
    if (!world->listening) return plan->stream_count == 0;
    for (uint32_t r = 0; r < plan->reader_count; r++) {
        for (uint32_t i = 0; i < plan->readers[r].watch_count; i++) {
            const weft_watch_plan *watch = &plan->readers[r].watches[i];
            world->listening[watch->pending] |= watch->shown == watch->pending; // no query
        }
    }
    return true;
}

void weft_turns_close(weft_world *world)
{
    weft_free(&world->heap, world->listening, world->plan->stream_count);
}

static void hand_over(const weft_world *world, weft_table *table, const weft_watch_plan *watch,
                      uint32_t except)
{
    weft_marks *marks = &table->marks;
    uint32_t inbox = marks->slots[watch->inbox];
    if (!weft_marked_any(marks, watch->inbox, table->count)) return;
    for (uint32_t i = 0; i < watch->listener_count; i++) {
        uint16_t pending = watch->listeners[i];
        if (pending == except || !world->listening[pending]) continue;
        weft_marks_add(marks, inbox, marks->slots[pending], table->count);
    }
    weft_marks_clear(marks, inbox, table->count);
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
            if (table->count != 0 && table->marks.slots[watch->inbox] != WEFT_NONE) {
                with(world, table, watch);
            }
        }
    }
}

static void begin_in(weft_world *world, weft_table *table, const weft_watch_plan *watch)
{
    if (watch->pending != watch->inbox) hand_over(world, table, watch, WEFT_NONE);
}

void weft_turn_begin(weft_world *world, uint32_t reader)
{
    weft_world_lock(world);
    each_table(world, reader, begin_in);
    weft_world_unlock(world);
}

static void end_in(weft_world *world, weft_table *table, const weft_watch_plan *watch)
{
    if (watch->own) hand_over(world, table, watch, watch->pending);
    weft_marks_clear(&table->marks, table->marks.slots[watch->pending], table->count);
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

static void show_in(weft_world *world, weft_table *table, const weft_watch_plan *watch)
{
    weft_marks *marks = &table->marks;
    uint32_t pending = marks->slots[watch->pending];
    uint32_t shown = marks->slots[watch->shown];
    begin_in(world, table, watch);
    weft_marks_clear(marks, shown, table->count);
    weft_marks_add(marks, pending, shown, table->count);
    weft_marks_clear(marks, pending, table->count);
}

// Every row that has it.
static void mark_all_in(const weft_plan *plan, weft_table *table, const weft_watch_plan *watch,
                        uint32_t stream)
{
    const weft_component_plan *c = &plan->components[watch->component];
    uint32_t shown = table->marks.slots[stream];
    if (c->bitset == WEFT_NONE) {
        weft_mark_range(&table->marks, shown, 0, table->count);
        return;
    }
    const uint64_t *words =
        (const uint64_t *)weft_column(table, plan->first_bitset + (uint32_t)c->bitset);
    if (words) weft_mark_mask(&table->marks, shown, 0, words, (table->count + 63) / 64);
}

static void show_all_in(weft_world *world, weft_table *table, const weft_watch_plan *watch)
{
    mark_all_in(world->plan, table, watch, watch->shown);
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
    each_table(world, reader, show_in);
    for (uint32_t i = 0; i < r->watch_count; i++) {
        const weft_watch_plan *watch = &r->watches[i];
        first |= !world->listening[watch->pending];
        world->listening[watch->pending] = true;
    }
    if (first) each_table(world, reader, show_all_in);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Loading

void weft_watch_all(weft_world *world, const weft_watch_plan *watch, uint32_t stream)
{
    for (uint32_t t = 0; t < world->tables.count; t++) {
        weft_table *table = world->tables.items[t];
        if (table->count != 0 && table->marks.slots[stream] != WEFT_NONE) {
            mark_all_in(world->plan, table, watch, stream);
        }
    }
}

void weft_watch_nothing(weft_world *world)
{
    for (uint32_t t = 0; t < world->tables.count; t++) {
        const weft_table *table = world->tables.items[t];
        for (uint32_t slot = 0; slot < table->marks.streams && table->count != 0; slot++) {
            weft_marks_clear(&table->marks, slot, table->count);
        }
    }
}
