// Moves change bits from the incoming change set to the readers that have not seen them.
#include "reader.h"

#include "../world/report.h"
#include "loans.h"
#include "removals.h"

#include <string.h>

void weft_turns_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    for (uint32_t r = 0; r < plan->reader_count; r++) {
        for (uint32_t i = 0; i < plan->readers[r].watch_count; i++) {
            const weft_watch_plan *watch = &plan->readers[r].watches[i];
            bool system = watch->visible == watch->unseen;
            world->changes.listening[watch->unseen] |= system || plan->readers[r].listener;
            if (watch->singleton) weft_flag_set(world, watch->incoming);
        }
    }
}

// Returns the next table, from position *at, that has rows and keeps a change set, and moves *at
// after it. Returns NULL if there is none.
static weft_table *next_table(const weft_world *world, uint32_t change_set, uint32_t *at)
{
    while (*at < world->lists.every_table.count) {
        weft_table *table = world->lists.every_table.tables[(*at)++];
        if (table->count != 0 && table->change_bits.slots[change_set] != WEFT_NONE) return table;
    }
    return NULL;
}

// Moves the incoming flag to all recording readers of a singleton, except `except`. If it is not
// set, nothing is written, because parts of another reader may be reading their flag.
static void distribute_flag(const weft_world *world, const weft_watch_plan *watch, uint32_t except)
{
    if (world->changes.flags[watch->incoming] == 0) return;
    for (uint32_t i = 0; i < watch->listener_count; i++) {
        uint16_t unseen = watch->listeners[i];
        if (unseen == except || !world->changes.listening[unseen]) continue;
        world->changes.flags[unseen] |= world->changes.flags[watch->incoming];
    }
    world->changes.flags[watch->incoming] = 0;
    weft_loans_mark(world, watch->incoming);
}

// Moves incoming bits to all recording readers of a component, except `except`.
static void distribute(const weft_world *world, const weft_watch_plan *watch, uint32_t except)
{
    weft_table *table;
    if (watch->singleton) {
        distribute_flag(world, watch, except);
        return;
    }
    for (uint32_t t = 0; (table = next_table(world, watch->incoming, &t)) != NULL;) {
        weft_change_bits *bits = &table->change_bits;
        uint32_t incoming = bits->slots[watch->incoming];
        if (!weft_marked_any(bits, watch->incoming, table->count)) continue;
        for (uint32_t i = 0; i < watch->listener_count; i++) {
            uint16_t unseen = watch->listeners[i];
            if (unseen == except || !world->changes.listening[unseen]) continue;
            weft_change_bits_add(bits, incoming, bits->slots[unseen], table->count);
        }
        weft_loans_clear(world, table, watch->incoming);
    }
    weft_loans_mark(world, watch->incoming);
}

// Clears the changes that a reader has seen. If it reads the incoming change set, lent marks stay.
static void clear_seen(const weft_world *world, const weft_watch_plan *watch)
{
    weft_table *table;
    if (watch->singleton) world->changes.flags[watch->unseen] = 0;
    for (uint32_t t = 0; !watch->singleton && (table = next_table(world, watch->unseen, &t));) {
        if (watch->unseen == watch->incoming) {
            weft_loans_clear(world, table, watch->unseen);
        } else {
            const weft_change_bits *bits = &table->change_bits;
            weft_change_bits_clear(bits, bits->slots[watch->unseen], table->count);
        }
    }
    if (watch->unseen == watch->incoming) weft_loans_mark(world, watch->incoming);
}

bool weft_singleton_unseen(weft_world *world, uint32_t unseen, uint32_t incoming)
{
    weft_world_lock(world); // another reader that begins its turn may be moving the incoming flag
    bool is_unseen = (world->changes.flags[unseen] | world->changes.flags[incoming]) != 0;
    weft_world_unlock(world);
    return is_unseen;
}

void weft_turn_begin(weft_world *world, uint32_t reader)
{
    const weft_reader_plan *r = &world->plan->readers[reader];
    weft_world_lock(world);
    for (uint32_t i = 0; i < r->watch_count; i++) {
        const weft_watch_plan *watch = &r->watches[i];
        if (watch->unseen != watch->incoming) distribute(world, watch, WEFT_NONE);
    }
    weft_world_unlock(world);
}

void weft_turn_end(weft_world *world, uint32_t reader)
{
    const weft_reader_plan *r = &world->plan->readers[reader];
    weft_world_lock(world);
    for (uint32_t i = 0; i < r->watch_count; i++) {
        if (r->watches[i].own) distribute(world, &r->watches[i], r->watches[i].unseen);
        clear_seen(world, &r->watches[i]);
    }
    weft_removed_consume(world, reader);
    weft_world_unlock(world);
}

// ------------------------------------------------------------------------------------------------
// Queries of the game

static void make_visible(const weft_world *world, const weft_watch_plan *watch)
{
    weft_table *table;
    if (watch->singleton) {
        world->changes.flags[watch->visible] = world->changes.flags[watch->unseen];
    }
    for (uint32_t t = 0; !watch->singleton && (table = next_table(world, watch->unseen, &t));) {
        weft_change_bits *bits = &table->change_bits;
        uint32_t visible = bits->slots[watch->visible];
        weft_change_bits_clear(bits, visible, table->count);
        weft_change_bits_add(bits, bits->slots[watch->unseen], visible, table->count);
    }
    clear_seen(world, watch);
}

bool weft_turn_show(weft_world *world, uint32_t reader)
{
    const weft_reader_plan *r = &world->plan->readers[reader];
    if (world->now.running != WEFT_HOOK_RUNS &&
        weft_busy(world, "a query that asks for changes is begun through the ctx of a system that "
                         "lists it")) {
        return false;
    }
    bool first = false;
    world->loans.turns++;
    weft_turn_begin(world, reader);
    for (uint32_t i = 0; i < r->watch_count; i++) {
        make_visible(world, &r->watches[i]);
        first |= !r->watches[i].removed && !world->changes.listening[r->watches[i].unseen];
    }
    for (uint32_t i = 0; first && i < r->watch_count; i++) {
        world->changes.listening[r->watches[i].unseen] = true;
        weft_watch_all(world, &r->watches[i], r->watches[i].visible);
    }
    return true;
}

bool weft_listener_begin(weft_world *world, uint32_t reader, const char *call)
{
    if (weft_busy(world, call)) return false;
    if (reader != WEFT_NONE) (void)weft_turn_show(world, reader); // it was tested for busy above
    return true;
}

bool weft_turn_missing(const weft_world *world, uint32_t first, const char *call)
{
    weft_world *reported = (weft_world *)(uintptr_t)world; // the report is not part of its state
    weft_report(reported, WEFT_REFUSED,
                "%s was called before the query was begun for the first time: it shows what that "
                "showed last, so begin the query before",
                call);
    WEFT_ASSERT(world->changes.listening[first], ==, true, weft_world_error(reported));
    return world->changes.listening[first];
}

// ------------------------------------------------------------------------------------------------
// Loading

void weft_watch_all(weft_world *world, const weft_watch_plan *watch, uint32_t change_set)
{
    const weft_plan *plan = world->plan;
    weft_table *table;
    if (watch->removed) return;
    if (watch->singleton) {
        weft_flag_set(world, change_set);
        return;
    }
    const weft_component_plan *c = &plan->components[watch->component];
    for (uint32_t t = 0; (table = next_table(world, change_set, &t)) != NULL;) {
        weft_change_bits *bits = &table->change_bits;
        if (c->bitset == WEFT_NONE) {
            weft_mark_range(bits, bits->slots[change_set], 0, table->count);
            continue;
        }
        const void *words = weft_column(table, (uint32_t)plan->first_bitset + c->bitset);
        if (!words) continue;
        weft_mark_mask(bits, bits->slots[change_set], 0, (const uint64_t *)words,
                       weft_bits_words(table->count));
    }
}

void weft_watch_nothing(weft_world *world)
{
    size_t change_sets = (size_t)world->plan->change_set_count + world->plan->flag_count;
    weft_loans_end(world);
    if (world->changes.flags)
        memset(world->changes.flags, 0, change_sets * sizeof *world->changes.flags);
    for (uint32_t t = 0; t < world->lists.every_table.count; t++) {
        const weft_table *table = world->lists.every_table.tables[t];
        for (uint32_t slot = 0; slot < table->change_bits.set_count && table->count != 0; slot++) {
            weft_change_bits_clear(&table->change_bits, slot, table->count);
        }
    }
}
