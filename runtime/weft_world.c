// The world as a whole: opening and closing it, its tables and queries, moving a row between
// tables, making room, phases. What changes the set of one entity is in weft_structure.c.
#include "weft_command.h"
#include "weft_descent.h"
#include "weft_event.h"
#include "weft_handles.h"
#include "weft_hook.h"
#include "weft_recipe.h"
#include "weft_removed.h"
#include "weft_schedule.h"
#include "weft_turn.h"

#include <float.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Tables and queries

// Where a table stands in a query's list, or would.
static uint32_t query_position(const weft_plan *plan, const weft_query *query,
                               const weft_table *table)
{
    uint32_t low = 0;
    uint32_t high = query->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (weft_table_compare(plan, query->tables[middle], table) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool query_room(weft_heap *heap, weft_query *query)
{
    if (query->count < query->capacity) return true;
    uint32_t capacity = query->capacity == 0 ? 8 : query->capacity * 2;
    weft_table **tables = (weft_table **)weft_allocate(heap, capacity * sizeof *tables);
    if (!tables) return false;
    if (query->count != 0) memcpy(tables, query->tables, query->count * sizeof *tables);
    weft_free(heap, query->tables, query->capacity * sizeof *tables);
    query->tables = tables;
    query->capacity = capacity;
    return true;
}

static void query_insert(const weft_plan *plan, weft_query *query, weft_table *table)
{
    uint32_t position = query_position(plan, query, table);
    memmove(query->tables + position + 1, query->tables + position,
            (query->count - position) * sizeof *query->tables);
    query->tables[position] = table;
    query->count++;
}

static void query_close(weft_heap *heap, weft_query *query)
{
    weft_free(heap, query->tables, query->capacity * sizeof *query->tables);
}

// Makes room in the queries that the table matches, then gives it to all or to none.
static bool table_publish(weft_world *world, weft_table *table)
{
    const weft_plan *plan = world->plan;
    for (uint32_t q = 0; q < plan->query_count; q++) {
        if (plan->query_matches[q](table) && !query_room(&world->heap, &world->queries[q])) {
            return false;
        }
    }
    if (!query_room(&world->heap, &world->every_table)) return false;
    if (!weft_tables_add(&world->tables, &world->heap, plan, table)) return false;
    for (uint32_t q = 0; q < plan->query_count; q++) {
        if (plan->query_matches[q](table)) query_insert(plan, &world->queries[q], table);
    }
    query_insert(plan, &world->every_table, table);
    return true;
}

// What generated code has for the columns of a prefab, for any: the smaller table says which.
static uint32_t shift_row(weft_world *world, uint64_t handle, uint32_t row, weft_table *from,
                          weft_table *to)
{
    const weft_table *of = from->present_count < to->present_count ? from : to;
    uint32_t last = from->count - 1;
    weft_columns_copy(of, from, row, to, to->count);
    if (row != last) weft_columns_copy(of, from, last, from, row);
    return weft_row_pass(world, world->plan->format, handle, row, from, to);
}

static bool end_row(weft_world *world, uint64_t handle, uint32_t row, weft_table *table)
{
    uint32_t last = table->count - 1;
    if (row != last) weft_columns_copy(table, table, last, table, row);
    return weft_row_end(world, world->plan->format, handle, row, table);
}

weft_table *weft_world_table(weft_world *world, const uint64_t *set)
{
    weft_table *table = weft_tables_find(&world->tables, world->plan, set);
    if (table) return table;
    table = weft_table_open(&world->heap, world->plan, world->tables.count, set);
    if (table && !table->shift) table->shift = shift_row;
    if (table && !table->end) table->end = end_row;
    if (!table || table_publish(world, table)) return table;
    weft_table_close(&world->heap, world->plan, table);
    return NULL;
}

static weft_table *table_beyond_edge(weft_world *world, const weft_table *table, uint32_t component,
                                     bool add, const uint64_t *set)
{
    weft_table *to = weft_world_table(world, set);
    if (to) weft_edge_remember(&world->tables, &world->heap, table, component, add, to);
    return to;
}

weft_table *weft_world_table_with(weft_world *world, weft_table *table, uint32_t component)
{
    if (table->last_added == component) return table->with;
    weft_table *known = weft_edge_find(&world->tables, table, component, true);
    if (known) {
        table->last_added = (uint16_t)component;
        table->with = known;
        return known;
    }
    const uint64_t *closure = world->plan->components[component].closure;
    for (uint32_t i = 0; i < world->plan->set_words; i++) {
        world->scratch_set[i] = table->set[i] | (closure[i] & world->table_set[i]);
    }
    return table_beyond_edge(world, table, component, true, world->scratch_set);
}

weft_table *weft_world_table_without(weft_world *world, weft_table *table, uint32_t component)
{
    if (table->last_removed == component) return table->without;
    weft_table *known = weft_edge_find(&world->tables, table, component, false);
    if (known) {
        table->last_removed = (uint16_t)component;
        table->without = known;
        return known;
    }
    memcpy(world->scratch_set, table->set, world->plan->set_words * sizeof *table->set);
    weft_set_drop(world->scratch_set, component);
    return table_beyond_edge(world, table, component, false, world->scratch_set);
}

// ------------------------------------------------------------------------------------------------
// Moving a row

// Gives `to` the planes that the row has bits in.
static bool planes_ready(weft_world *world, const weft_table *from, uint32_t row, weft_table *to)
{
    for (uint16_t i = 0; i < from->plane_count; i++) {
        uint16_t column = from->planes[i];
        if (weft_plane_bit(from, column, row) &&
            !weft_plane_open(&world->heap, world->plan, to, column)) {
            return false;
        }
    }
    return true;
}

static inline bool move_ready(weft_world *world, weft_place from, weft_table *to)
{
    bool full = to->count == to->capacity;
    if (full && !weft_table_grow(&world->heap, world->plan, to, to->count + 1)) return false;
    return planes_ready(world, world->tables.items[from.table], from.row, to);
}

bool weft_world_move_ready(weft_world *world, weft_place from, weft_table *to)
{
    return move_ready(world, from, to);
}

bool weft_world_move(weft_world *world, uint64_t handle, weft_place from, weft_table *to,
                     uint32_t *row)
{
    const weft_plan *plan = world->plan;
    weft_table *source = world->tables.items[from.table];
    WEFT_ASSERT(source->id, !=, to->id, "a row was moved to its own table");
    if (!move_ready(world, from, to)) return false;
    weft_row_copy(plan, source, from.row, to, to->count);
    *row = weft_row_append(world, plan->format, to, handle);
    weft_row_leave(world, plan->format, source, from.row);
    weft_world_changed(world);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Values

static const unsigned char *cell(const weft_plan *plan, const weft_table *table, uint32_t column,
                                 uint32_t row)
{
    const unsigned char *values = (const unsigned char *)weft_column(table, column);
    return values + (size_t)row * plan->columns[column].size;
}

const void *weft_row_value(const weft_world *world, const weft_table *table, uint32_t row,
                           uint32_t component, void *room)
{
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    if (c->sparse != WEFT_NONE) {
        uint64_t handle = weft_handle_load(plan->format, weft_column(table, 0), row);
        uint32_t index = weft_handle_index(plan->format, handle);
        return weft_sparse_find(&world->sparse[c->sparse], index);
    }
    if (c->plane != WEFT_NONE) return NULL;
    if (c->column_count == 1) return cell(plan, table, c->first_column, row);
    for (uint32_t i = c->first_column; i < (uint32_t)c->first_column + c->column_count; i++) {
        const weft_column_plan *p = &plan->columns[i];
        memcpy((unsigned char *)room + p->offset, cell(plan, table, i, row), p->size);
    }
    return room;
}

// ------------------------------------------------------------------------------------------------
// Opening and closing

static bool open_sets(weft_world *world)
{
    size_t words = world->plan->set_words;
    world->table_set = (uint64_t *)weft_allocate_zeroed(&world->heap, 2 * words * sizeof(uint64_t));
    if (!world->table_set) return false;
    world->scratch_set = world->table_set + words;
    for (uint32_t c = 0; c < world->plan->component_count; c++) {
        if (world->plan->components[c].first_column != WEFT_NONE) {
            weft_set_add(world->table_set, c);
        }
    }
    return true;
}

// An array of `count` zeroed items; false: no memory. None is needed for no items.
static bool open_array(weft_world *world, void **array, size_t count, size_t size)
{
    *array = weft_allocate_zeroed(&world->heap, count * size);
    return *array || count == 0;
}

static bool open_arrays(weft_world *world)
{
    const weft_plan *plan = world->plan;
    void *prefab_tables = NULL;
    void *queries = NULL;
    void *sparse = NULL;
    bool opened =
        open_array(world, &prefab_tables, plan->prefab_count, sizeof *world->prefab_tables) &&
        open_array(world, &queries, plan->query_count, sizeof *world->queries) &&
        open_array(world, &sparse, plan->sparse_count, sizeof *world->sparse);
    world->prefab_tables = (weft_table **)prefab_tables;
    world->queries = (weft_query *)queries;
    world->sparse = (weft_sparse *)sparse;
    if (!opened) return false;
    for (uint32_t i = 0; i < plan->sparse_count; i++) {
        world->sparse[i].size = plan->components[plan->sparse_components[i]].size;
        world->sparse[i].limit = plan->max_entities;
    }
    return true;
}

// The table of no components, and those of the prefabs, so that spawning one never searches.
static bool open_tables(weft_world *world)
{
    const weft_plan *plan = world->plan;
    if (!weft_world_table(world, world->scratch_set)) return false;
    for (uint32_t p = 0; p < plan->prefab_count; p++) {
        for (uint32_t i = 0; i < plan->set_words; i++) {
            world->scratch_set[i] = plan->prefabs[p].set[i] & world->table_set[i];
        }
        world->prefab_tables[p] = weft_world_table(world, world->scratch_set);
        if (!world->prefab_tables[p]) return false;
    }
    return true;
}

// There is no world yet to remember it. False.
static bool options_refused(const weft_options *options, const char *words)
{
    if (options->log) options->log(options->user, words);
    return false;
}

static bool executor_whole(const weft_options *options)
{
    int set = !!options->executor.start + !!options->executor.wait;
    if (set != 0) WEFT_ASSERT(set, ==, 2, "an executor needs both start and wait");
    return set != 1;
}

bool weft_world_open(weft_world *world, const weft_plan *plan, const weft_options *options)
{
    static const weft_options defaults;
    if (!options) options = &defaults;
    *world = (weft_world){.plan = plan, .user = options->user, .log = options->log};
    if (!weft_heap_open(&world->heap, &options->memory)) {
        return options_refused(options, "some memory hooks are set: set all five or none");
    }
    if (!executor_whole(options)) {
        return options_refused(options, "an executor needs both start and wait");
    }
    if (weft_entities_open(&world->entities, &world->heap, plan) && open_sets(world) &&
        open_arrays(world) && weft_hooks_open(world) && open_tables(world) &&
        weft_recipes_open(world) && weft_handles_open(world) && weft_batch_open(world) &&
        weft_commands_open(world) && weft_events_open(world) && weft_turns_open(world) &&
        weft_removed_open(world) && weft_relations_open(world) && weft_descents_open(world) &&
        weft_parallels_open(world) && weft_team_open(world, options)) {
        return true;
    }
    weft_world_close(world);
    return false;
}

void weft_world_close(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    weft_hooks_tell_closing(world);
    weft_team_close(world);
    weft_parallels_close(world);
    weft_turns_close(world);
    weft_removed_close(world);
    weft_events_close(world);
    weft_descents_close(world);
    weft_relations_close(world);
    weft_commands_close(world);
    weft_hooks_close(world);
    weft_batch_close(world);
    weft_handles_close(world);
    weft_recipes_close(world);
    for (uint32_t i = 0; world->sparse && i < plan->sparse_count; i++) {
        weft_sparse_close(heap, &world->sparse[i]);
    }
    for (uint32_t q = 0; world->queries && q < plan->query_count; q++) {
        query_close(heap, &world->queries[q]);
    }
    query_close(heap, &world->every_table);
    weft_tables_close(&world->tables, heap, plan);
    weft_free(heap, world->sparse, plan->sparse_count * sizeof *world->sparse);
    weft_free(heap, world->queries, plan->query_count * sizeof *world->queries);
    weft_free(heap, world->prefab_tables, plan->prefab_count * sizeof *world->prefab_tables);
    weft_free(heap, world->table_set, 2 * (size_t)plan->set_words * sizeof *world->table_set);
    weft_entities_close(&world->entities, heap);
}

static void default_singletons(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *singleton = &schema->singletons[i];
        memcpy((unsigned char *)world + singleton->offset, singleton->defaults, singleton->size);
    }
}

weft_world *weft_world_create(const weft_plan *plan, size_t bytes, const weft_options *options)
{
    static const weft_memory default_hooks;
    weft_heap heap;
    weft_heap_open(&heap, options ? &options->memory : &default_hooks);
    weft_world *world = (weft_world *)weft_allocate_zeroed(&heap, bytes);
    if (!world) return NULL;
    if (!weft_world_open(world, plan, options)) {
        weft_free(&heap, world, bytes);
        return NULL;
    }
    world->heap.bytes += bytes;
    default_singletons(world);
    return world;
}

void weft_world_destroy(weft_world *world, size_t bytes)
{
    if (!world || weft_busy(world, "close" WEFT_WAITS)) return;
    weft_world_close(world);
    weft_heap heap = world->heap;
    weft_free(&heap, world, bytes);
}

// ------------------------------------------------------------------------------------------------
// Phases, hard mode, counters

weft_status weft_run_check(weft_world *world, const char *call, double dt)
{
    if (weft_busy(world, call)) return WEFT_BUSY;
    if (dt >= 0.0 && dt <= DBL_MAX) return WEFT_OK;
    return weft_world_say(world, WEFT_REFUSED,
                          "%g seconds to run: nothing has run, since it takes a number that is "
                          "finite and not below 0",
                          dt);
}

weft_status weft_phase_begin(weft_world *world, uint32_t phase)
{
    if (weft_busy(world, "run" WEFT_WAITS)) return WEFT_BUSY;
    weft_status status = weft_commands_apply(world);
    world->running = phase + 1;
    return status;
}

weft_status weft_phase_end(weft_world *world)
{
    weft_events_gather(world);
    world->running = 0;
    weft_status commands = weft_commands_apply(world);
    weft_status events = weft_events_settle(world);
    return events == WEFT_NO_MEMORY || commands == WEFT_OK ? events : commands;
}

#ifdef WEFT_HARD
void weft_world_shake(weft_world *world)
{
    for (uint32_t i = 0; i < world->tables.count; i++) {
        weft_table_shake(&world->heap, world->plan, world->tables.items[i]);
    }
    for (uint32_t i = 0; i < world->plan->sparse_count; i++) {
        weft_sparse_shake(&world->heap, &world->sparse[i]);
    }
    weft_events_shake(world);
    weft_relations_shake(world);
    weft_removed_shake(world);
}
#endif

weft_stats weft_world_stats(const weft_world *world)
{
    return (weft_stats){
        .ticks = world->tick,
        .commands_dropped = world->commands_dropped,
        .commands_lost = world->commands_lost,
        .events_lost = world->events_lost,
        .entities = weft_entities_live(&world->entities),
        .indices = world->entities.index_count,
        .indices_free = world->entities.free_count,
        .indices_retired = world->entities.retired,
        .tables = world->tables.count,
        .workers = weft_team_workers(world),
        .bytes_allocated = world->heap.bytes,
    };
}
