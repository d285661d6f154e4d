// Opens and closes a world, reads its counters, and in hard mode relocates all of it.
#include "lifecycle.h"

#include "../change/batch.h"
#include "../change/layout.h"
#include "../change/relation.h"
#include "../query/depth.h"
#include "../query/part.h"
#include "../record/command.h"
#include "../record/event.h"
#include "../record/hook.h"
#include "../record/reader.h"
#include "../record/removals.h"
#include "../world/handles.h"
#include "../world/move.h"
#include "../world/report.h"
#include "schedule.h"

#include <string.h>

#ifdef WEFT_HARD
static void relocate(weft_world *world)
{
    for (uint32_t i = 0; i < world->tables.count; i++) {
        weft_table_relocate(&world->heap, world->plan, world->tables.items[i]);
    }
    for (uint32_t i = 0; i < world->plan->sparse_count; i++) {
        weft_sparse_relocate(&world->heap, &world->sparse[i]);
    }
    weft_events_relocate(world);
    weft_relations_relocate(world);
    weft_removed_relocate(world);
}
#endif

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

// Opens the arrays that the world itself indexes; an array of no items may be NULL.
static bool open_arrays(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    world->prefab_tables = (weft_table **)weft_allocate_zeroed(
        heap, plan->prefab_count * sizeof *world->prefab_tables);
    world->queries =
        (weft_query *)weft_allocate_zeroed(heap, plan->query_count * sizeof *world->queries);
    world->sparse =
        (weft_sparse *)weft_allocate_zeroed(heap, plan->sparse_count * sizeof *world->sparse);
    for (uint32_t i = 0; world->sparse && i < plan->sparse_count; i++) {
        world->sparse[i].size = plan->components[plan->sparse_components[i]].size;
        world->sparse[i].limit = plan->max_entities;
    }
    return (world->prefab_tables || plan->prefab_count == 0) &&
           (world->queries || plan->query_count == 0) && (world->sparse || plan->sparse_count == 0);
}

// Makes the table of no components, and those of the prefabs, so that spawning one never searches.
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

// Tells the log hook, since there is no world yet that could remember a refusal. False.
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
#ifdef WEFT_HARD
    world->relocate = relocate;
#endif
    if (!weft_heap_open(&world->heap, &options->memory)) {
        return options_refused(options, "some memory hooks are set: set all five or none");
    }
    if (!executor_whole(options)) {
        return options_refused(options, "an executor needs both start and wait");
    }
    if (weft_entities_open(&world->entities, &world->heap, plan) && open_sets(world) &&
        open_arrays(world) && weft_hooks_open(world) && open_tables(world) &&
        weft_prefab_layouts_open(world) && weft_handles_open(world) && weft_batch_open(world) &&
        weft_commands_open(world) && weft_events_open(world) && weft_turns_open(world) &&
        weft_removed_open(world) && weft_relations_open(world) && weft_depth_orders_open(world) &&
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
    weft_hooks_call_closing(world);
    weft_team_close(world);
    weft_parallels_close(world);
    weft_turns_close(world);
    weft_removed_close(world);
    weft_events_close(world);
    weft_depth_orders_close(world);
    weft_relations_close(world);
    weft_commands_close(world);
    weft_hooks_close(world);
    weft_batch_close(world);
    weft_handles_close(world);
    weft_prefab_layouts_close(world);
    for (uint32_t i = 0; world->sparse && i < plan->sparse_count; i++) {
        weft_sparse_close(heap, &world->sparse[i]);
    }
    weft_world_tables_close(world);
    weft_free(heap, world->sparse, plan->sparse_count * sizeof *world->sparse);
    weft_free(heap, world->queries, plan->query_count * sizeof *world->queries);
    weft_free(heap, world->prefab_tables, plan->prefab_count * sizeof *world->prefab_tables);
    weft_free(heap, world->table_set, 2 * (size_t)plan->set_words * sizeof *world->table_set);
    weft_entities_close(&world->entities, heap);
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
    for (uint32_t i = 0; i < plan->schema->singleton_count; i++) {
        const weft_singleton_info *singleton = &plan->schema->singletons[i];
        memcpy((unsigned char *)world + singleton->offset, singleton->defaults, singleton->size);
    }
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
// Counters

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
