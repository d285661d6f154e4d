// Logs removals, and makes space for them in advance.
#include "removals.h"

#include "../world/rows.h"
#include "lost.h"

// ------------------------------------------------------------------------------------------------
// Space

static uint32_t count_having(const weft_world *world, uint32_t component)
{
    const weft_component_plan *c = &world->plan->components[component];
    if (c->sparse != WEFT_NONE) return weft_sparse_count(&world->sparse[c->sparse]);
    uint32_t rows = 0;
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        if (c->bitset != WEFT_NONE) {
            rows += table->bitset_counts[c->bitset];
        } else if (weft_set_has(table->set, component)) {
            rows += table->count;
        }
    }
    return rows;
}

// Returns the size of a value in a log; 0 if it has no values.
static size_t value_bytes_of(const weft_plan *plan, const weft_removal_plan *removal)
{
    return removal->value ? plan->components[removal->component].size : 0;
}

// Makes space in a log for `rows` removals. Returns false if there is no memory.
static bool log_hold(weft_world *world, uint32_t removal, size_t rows)
{
    const weft_plan *plan = world->plan;
    weft_removed *log = &world->changes.removed[removal];
    size_t limit = plan->max_entities;
    size_t handle_bytes = plan->format.handle_bytes;
    size_t value_bytes = value_bytes_of(plan, &plan->removals[removal]);
    if (!weft_region_grow(&world->heap, &log->handles, rows * handle_bytes, limit * handle_bytes) ||
        !weft_region_grow(&world->heap, &log->values, rows * value_bytes, limit * value_bytes)) {
        return false;
    }
    if (log->capacity < rows) log->capacity = (uint32_t)rows;
    return true;
}

// Makes space in a log for `more` rows that will get its component. It makes twice the space for
// removals that may follow, so that rows are counted rarely. The capacity must also hold the
// removals that are already logged. Returns false if there is no memory.
static bool log_grow(weft_world *world, uint32_t removal, uint32_t more)
{
    weft_removed *log = &world->changes.removed[removal];
    size_t limit = world->plan->max_entities;
    uint64_t most = (uint64_t)count_having(world, world->plan->removals[removal].component) + more;
    size_t rows = most < limit ? (size_t)most : limit;
    size_t twice = most * 2 < limit ? (size_t)most * 2 : limit;
    if (!log_hold(world, removal, twice) && log->capacity < rows) return false;
    log->count_max = (uint32_t)rows;
    return true;
}

// A call may make space several times before its rows get the component, for example once for each
// table. These rows are not counted yet, so the log adds them up until the world changes.
static void log_promise(const weft_world *world, weft_removed *log, uint32_t n)
{
    uint32_t most = world->plan->max_entities;
    if (log->promised_in != weft_version(world)) log->promised = 0;
    log->promised_in = weft_version(world);
    log->promised = n < most - log->promised ? log->promised + n : most;
}

static bool log_ready(weft_world *world, uint32_t removal, uint32_t n)
{
    weft_removed *log = &world->changes.removed[removal];
    if (log->capacity == world->plan->max_entities) return true;
    log_promise(world, log, n);
    if (log->capacity - log->count_max < n) return log_grow(world, removal, log->promised);
    log->count_max += n;
    return true;
}

bool weft_removed_ready(weft_world *world, uint32_t component, uint32_t n)
{
    const weft_component_plan *c = &world->plan->components[component];
    for (uint32_t i = 0; i < c->removal_count; i++) {
        if (!log_ready(world, (uint32_t)c->first_removal + i, n)) return false;
    }
    return true;
}

bool weft_removed_trim(weft_world *world)
{
    const weft_plan *plan = world->plan;
    bool trimmed = true;
    for (uint32_t i = 0; i < plan->removal_count; i++) {
        const weft_removal_plan *r = &plan->removals[i];
        weft_removed *log = &world->changes.removed[i];
        uint32_t having = count_having(world, r->component);
        size_t rows = (size_t)log->count + having;
        if (rows >= log->capacity) continue;
        size_t handle_bytes = rows * plan->format.handle_bytes;
        trimmed = weft_region_trim(&world->heap, &log->handles, handle_bytes) && trimmed;
        size_t value_bytes = rows * value_bytes_of(plan, r);
        trimmed = weft_region_trim(&world->heap, &log->values, value_bytes) && trimmed;
        log->capacity = (uint32_t)rows;
        log->count_max = having;
    }
    return trimmed;
}

// ------------------------------------------------------------------------------------------------
// Notes

// Returns whether the row got the component after the last turn of the reader with these change
// sets.
static bool is_new(uint32_t incoming, uint32_t unseen, const weft_table *table, uint32_t row)
{
    const weft_change_bits *bits = &table->change_bits;
    return weft_marked(bits, bits->slots[incoming], row) ||
           weft_marked(bits, bits->slots[unseen], row);
}

// Returns whether removing the component from a row would be logged: the row has it, and had it at
// the reader's last turn.
static bool stays(const weft_plan *plan, const weft_removal_plan *r, const weft_table *table,
                  uint32_t row)
{
    return weft_row_has(plan, table, row, r->component) &&
           !is_new(r->incoming, r->unseen, table, row);
}

bool weft_removed_load(weft_world *world, uint32_t removal, uint32_t count, bool *fits)
{
    const weft_plan *plan = world->plan;
    uint64_t most = count; // possible removals, if all rows with the component lose it
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        for (uint32_t row = 0; row < table->count; row++) {
            most += stays(plan, &plan->removals[removal], table, row);
        }
    }
    *fits = most <= plan->max_entities;
    if (!*fits) return true;
    world->changes.removed[removal].count = count;
    return log_grow(world, removal, count);
}

static void note(weft_world *world, uint32_t removal, const weft_table *table, uint32_t row)
{
    const weft_plan *plan = world->plan;
    const weft_removal_plan *r = &plan->removals[removal];
    weft_removed *log = &world->changes.removed[removal];
    weft_format f = plan->format;
    uint64_t handle = weft_handle_load(f, weft_column(table, 0), row);
    WEFT_ASSERT(log->count, <, log->capacity, "a removal has no space");
    weft_handle_store(f, log->handles.base, log->count, handle);
    if (r->value) {
        size_t size = plan->components[r->component].size;
        unsigned char *to = log->values.base + log->count * size;
        const void *value = weft_row_value(world, table, row, r->component, to);
        if (value != to) memcpy(to, value, size);
    }
    log->count++;
}

// Returns the entity index of a row.
static uint32_t entity_of(const weft_world *world, const weft_table *table, uint32_t row)
{
    weft_format f = world->plan->format;
    return weft_handle_index(f, weft_handle_load(f, weft_column(table, 0), row));
}

void weft_removed_note(weft_world *world, const weft_table *table, uint32_t row, uint32_t component,
                       uint32_t reader)
{
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    if (c->indexed) weft_lost_component(world, component, entity_of(world, table, row));
    for (uint32_t i = c->first_removal; i < (uint32_t)c->first_removal + c->removal_count; i++) {
        const weft_removal_plan *r = &plan->removals[i];
        if (r->reader == reader || is_new(r->incoming, r->unseen, table, row)) continue;
        note(world, i, table, row);
    }
    for (uint32_t i = 0; i < c->removal_set_count; i++) {
        const weft_removal_set_plan *r = &plan->removal_sets[c->first_removal_set + i];
        // Nothing is recorded for a query before it was first begun.
        if (r->reader == reader || !world->changes.listening[r->unseen]) continue;
        if (is_new(r->incoming, r->unseen, table, row)) continue;
        weft_row_mark(table, row, r->change_set);
    }
}

void weft_removed_row(weft_world *world, const weft_table *table, uint32_t row)
{
    const weft_plan *plan = world->plan;
    if (plan->index_count != 0) weft_lost_whole(world, entity_of(world, table, row));
    for (uint32_t i = 0; i < plan->removal_count; i++) {
        if (stays(plan, &plan->removals[i], table, row)) note(world, i, table, row);
    }
}

const void *weft_listener_removed(weft_world *world, uint32_t removal, bool begun, uint32_t *count)
{
    weft_removed *log = &world->changes.removed[removal];
    *count = begun ? log->count : 0;
    if (begun) log->count = 0;
    return log->handles.base;
}

void weft_removed_consume(weft_world *world, uint32_t reader)
{
    const weft_plan *plan = world->plan;
    for (uint32_t i = 0; i < plan->removal_count; i++) {
        if (plan->removals[i].reader == reader) world->changes.removed[i].count = 0;
    }
}

// ------------------------------------------------------------------------------------------------

void weft_removed_change(weft_world *world, weft_handle_change change, void *context)
{
    const weft_plan *plan = world->plan;
    for (uint32_t i = 0; i < plan->removal_count; i++) {
        const weft_removal_plan *r = &plan->removals[i];
        const weft_removed *log = &world->changes.removed[i];
        size_t size = plan->components[r->component].size;
        for (uint32_t n = 0; n < log->count; n++) {
            uint64_t handle = weft_handle_load(plan->format, log->handles.base, n);
            weft_handle_store(plan->format, log->handles.base, n, change(context, handle));
            if (!r->value || !plan->components[r->component].has_entities) continue;
            weft_handles_change(world, r->component, log->values.base + n * size, change, context);
        }
    }
}
