// A stop on an expression that may become true for any entity. All rows that may pass are tested,
// 64 at a time, as in a selection. Each evaluation has a number, which is stored with the entities
// that passed. So nothing must be cleared between evaluations.
#include "stop_any.h"

#include "../select/rows.h"
#include "../select/tables.h"
#include "../world/report.h"

// Makes space for all entity indices. Returns false if there is no memory, which is reported.
static bool passing_ready(weft_world *world, weft_stop *stop)
{
    if (weft_array_grow(&world->heap, &stop->passing, &stop->passing_capacity,
                        world->entities.index_count, sizeof *stop->passing)) {
        return true;
    }
    weft_report(world, WEFT_NO_MEMORY, "no memory to evaluate '%.64s'", stop->text);
    return false;
}

// Records that an entity passes. Returns whether it failed the last time.
static bool comes_to_pass(weft_format f, weft_stop *stop, uint64_t handle)
{
    weft_passing *one = &stop->passing[weft_handle_index(f, handle)];
    bool passed = one->handle == handle && one->look + 1 == stop->looks;
    *one = (weft_passing){handle, stop->looks};
    return !passed;
}

static uint64_t look_at_table(const weft_world *world, weft_stop *stop, const weft_table *table)
{
    const weft_format f = world->plan->format;
    weft_select_rows rows = {.world = world, .table = table};
    uint64_t first = 0;
    for (; rows.first < table->count; rows.first += WEFT_SELECT_ROWS) {
        uint32_t left = table->count - rows.first;
        rows.count = left < WEFT_SELECT_ROWS ? left : WEFT_SELECT_ROWS;
        for (uint64_t bits = weft_select_run(&rows, stop->program); bits != 0;) {
            uint32_t row = rows.first + weft_bits_pop(&bits);
            uint64_t handle = weft_handle_load(f, weft_column(table, 0), row);
            if (comes_to_pass(f, stop, handle) && first == 0) first = handle;
        }
    }
    return first;
}

uint64_t weft_stop_look_at_all(weft_world *world, weft_stop *stop)
{
    uint64_t first = 0;
    if (!passing_ready(world, stop)) return 0;
    stop->looks++;
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        if (table->count == 0) continue;
        weft_select_bind(world, stop->program, table);
        if (weft_select_match(stop->program) == WEFT_MATCH_NONE) continue;
        uint64_t found = look_at_table(world, stop, table);
        if (first == 0) first = found;
    }
    return first;
}

uint64_t weft_stop_rows(const weft_world *world, const weft_stop *stop)
{
    uint64_t rows = 0;
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        weft_select_bind(world, stop->program, table);
        if (weft_select_match(stop->program) != WEFT_MATCH_NONE) rows += table->count;
    }
    return rows;
}
