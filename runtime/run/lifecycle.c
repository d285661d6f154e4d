// Opens and closes a world and reads its counters. In hard mode, moves all of its memory.
#include "lifecycle.h"

#include "../copy/clone.h"
#include "../edit/batch.h"
#include "../edit/composite.h"
#include "../edit/linking.h"
#include "../edit/reaction.h"
#include "../index/index.h"
#include "../query/dirty.h"
#include "../record/command.h"
#include "../record/event.h"
#include "../record/hook.h"
#include "../record/loans.h"
#include "../record/reader.h"
#include "../record/removals.h"
#include "../world/move.h"
#include "../world/report.h"
#include "../world/seeds.h"
#include "../world/writer.h"
#include "held.h"
#include "parts.h"
#include "profiler.h"
#include "team.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Arrays whose lengths are in the plan. They are opened and closed with the world.

typedef struct world_array {
    void *pointer; // to the member of the world that stores the address of the array
    size_t count;
    size_t bytes;     // of an item
    uint32_t regions; // at the beginning of each item
} world_array;

// Items begin with their regions, so the number of regions follows from the first member that is
// not a region. A region that is added before that member needs no change here.
#define ITEM_REGIONS(item, member)                                                                 \
    WEFT_STATIC_ASSERT(offsetof(item, member) % sizeof(weft_region) == 0,                          \
                       "only regions before it");                                                  \
    enum { item##_regions = offsetof(item, member) / sizeof(weft_region) }

ITEM_REGIONS(weft_stage, world);
ITEM_REGIONS(weft_event_log, count);
ITEM_REGIONS(weft_commands, world);
ITEM_REGIONS(weft_removed, count);
ITEM_REGIONS(weft_relation, capacity);
ITEM_REGIONS(weft_sparse, pages);
ITEM_REGIONS(weft_index, count);
ITEM_REGIONS(weft_lost, count);
ITEM_REGIONS(weft_depth_order, run_count);
ITEM_REGIONS(weft_dirty, groups);

// Calls `each` for all arrays of a world. Stops and returns false if a call returns false.
static bool each_array(weft_world *w, bool (*each)(weft_heap *heap, const world_array *array))
{
    const weft_plan *plan = w->plan;
    size_t change_sets = (size_t)plan->change_set_count + plan->flag_count;
    size_t components = (size_t)plan->component_count + 2; // see weft_by_component
    const world_array arrays[] = {
        {&w->shared.table_set, 2 * (size_t)plan->set_words, sizeof *w->shared.table_set, 0},
        {&w->scratch.trees, weft_trees_scratch(plan), 1, 0},
        {&w->shared.prefab_tables, plan->prefab_count, sizeof *w->shared.prefab_tables, 0},
        {&w->shared.kit.prefabs.first, components, sizeof *w->shared.kit.prefabs.first, 0},
        {&w->shared.kit.prefabs.items, plan->prefab_count, sizeof *w->shared.kit.prefabs.items, 0},
        {&w->shared.kit.zeros, weft_zeros_words(plan), sizeof *w->shared.kit.zeros, 0},
        {&w->lists.by_component.first, components, sizeof *w->lists.by_component.first, 0},
        {&w->lists.by_component.items, plan->query_count, sizeof *w->lists.by_component.items, 0},
        {&w->queries, plan->query_count, sizeof *w->queries, 0},
        {&w->sparse, plan->sparse_count, sizeof *w->sparse, 0},
        {&w->run.parallels, plan->parallel_count, sizeof *w->run.parallels, 0},
        {&w->changes.listening, change_sets, sizeof *w->changes.listening, 0},
        {&w->changes.flags, plan->flag_count != 0 ? change_sets : 0, sizeof *w->changes.flags, 0},
        {&w->loans.flags, plan->flag_count != 0 ? change_sets : 0, sizeof *w->loans.flags, 0},
        {&w->events.heard, plan->hearer_count, sizeof *w->events.heard, 0},
        {&w->changes.views, plan->view_count, sizeof *w->changes.views, 0},
        {&w->events.stages, plan->stage_count, sizeof *w->events.stages, weft_stage_regions},
        {&w->events.logs, plan->event_count, sizeof *w->events.logs, weft_event_log_regions},
        {&w->commands.buffers, plan->buffer_count, sizeof *w->commands.buffers,
         weft_commands_regions},
        {&w->changes.removed, plan->removal_count, sizeof *w->changes.removed,
         weft_removed_regions},
        {&w->relations, plan->schema->relation_count, sizeof *w->relations, weft_relation_regions},
        {&w->links, plan->link_count, sizeof *w->links, 0},
        {&w->indexes, plan->index_count, sizeof *w->indexes, weft_index_regions},
        {&w->changes.lost, plan->index_count, sizeof *w->changes.lost, weft_lost_regions},
        {&w->run.depth_orders, plan->depth_order_count, sizeof *w->run.depth_orders,
         weft_depth_order_regions},
        {&w->run.dirty, plan->dirty_count, sizeof *w->run.dirty, weft_dirty_regions},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (!each(&w->heap, &arrays[i])) return false;
    }
    return true;
}

static bool open_array(weft_heap *heap, const world_array *array)
{
    return weft_array_open(heap, array->pointer, array->count, array->bytes);
}

// Calls `each` for the regions of all items. Returns the items, or NULL if they were not opened.
static unsigned char *each_region(weft_heap *heap, const world_array *array,
                                  void (*each)(weft_heap *heap, weft_region *region))
{
    unsigned char *items;
    memcpy(&items, array->pointer, sizeof items);
    for (size_t i = 0; items && i < array->count; i++) {
        weft_region *regions = (weft_region *)(void *)(items + i * array->bytes);
        for (uint32_t r = 0; r < array->regions; r++) each(heap, &regions[r]);
    }
    return items;
}

static bool close_array(weft_heap *heap, const world_array *array)
{
    weft_free(heap, each_region(heap, array, weft_region_free), array->count * array->bytes);
    return true;
}

#ifdef WEFT_HARD
static void relocate(weft_world *w)
{
    const weft_plan *plan = w->plan;
    const world_array arrays[] = {
        {&w->sparse, plan->sparse_count, sizeof *w->sparse, weft_sparse_regions},
        {&w->changes.removed, plan->removal_count, sizeof *w->changes.removed,
         weft_removed_regions},
        {&w->relations, plan->schema->relation_count, sizeof *w->relations, weft_relation_regions},
        {&w->events.logs, plan->event_count, sizeof *w->events.logs, weft_event_log_regions},
        {&w->events.stages, plan->stage_count, sizeof *w->events.stages, weft_stage_regions},
    };
    for (uint32_t i = 0; i < w->tables.count; i++) {
        weft_table_relocate(&w->heap, plan, w->tables.items[i]);
    }
    (void)weft_tables_repack(&w->tables, &w->heap, plan, false);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        (void)each_region(&w->heap, &arrays[i], weft_region_relocate);
    }
    for (uint32_t i = 0; w->links && i < plan->link_count; i++) {
        weft_adjacency_relocate(&w->heap, &w->links[i].from);
        weft_adjacency_relocate(&w->heap, &w->links[i].to);
    }
}
#endif

// ------------------------------------------------------------------------------------------------
// Opening and closing

static bool open_arrays(weft_world *world)
{
    const weft_plan *plan = world->plan;
    if (!each_array(world, open_array)) return false;
    world->scratch.set = world->shared.table_set + plan->set_words;
    weft_sort_prefabs(&world->shared.kit, plan);
    weft_listing_open(world);
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (plan->components[c].first_column != WEFT_NONE) weft_set_add(world->shared.table_set, c);
    }
    for (uint32_t i = 0; i < plan->sparse_count; i++) {
        world->sparse[i].size = plan->components[plan->sparse_components[i]].size;
        world->sparse[i].limit = plan->max_entities;
    }
    for (uint32_t i = 0; i < plan->view_count; i++)
        world->changes.views[i] = (weft_view){world, i + 1};
    return true;
}

// Makes the table without components and those of the prefabs, so that spawning a prefab does not
// search for its table.
static bool open_tables(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_table *table = weft_world_table(world, world->scratch.set);
    if (!table) return false;
    table->stays = true;
    for (uint32_t p = 0; p < plan->prefab_count; p++) {
        for (uint32_t i = 0; i < plan->set_words; i++) {
            world->scratch.set[i] = plan->prefabs[p].set[i] & world->shared.table_set[i];
        }
        table = weft_world_table(world, world->scratch.set);
        if (!table) return false;
        table->stays = true;
        world->shared.prefab_tables[p] = table;
    }
    return true;
}

// Copies the hooks of the options. Returns false if hooks that belong together are only partly set.
// The log hook gets the reason, because there is no world yet that could remember a refusal.
static bool take_hooks(weft_world *world, const weft_options *options)
{
    const char *wrong = NULL;
    int set = !!options->executor.start + !!options->executor.wait;
    if (!weft_heap_open(&world->heap, &options->memory)) {
        wrong = "some memory hooks are set: set all five or none";
    } else if (set == 1) {
        wrong = "an executor needs both start and wait";
        WEFT_ASSERT(set, ==, 2, "an executor needs both start and wait");
    }
    int told = !!options->profile.begin + !!options->profile.end;
    if (!wrong && told == 1) {
        wrong = "a profile needs both begin and end, or none to count alone";
        WEFT_ASSERT(told, ==, 2, wrong);
    }
    if (options->decommit) world->heap.decommit = options->decommit;
    if (!wrong && options->decommit && !options->memory.allocate) {
        wrong = "decommit is for worlds with memory hooks";
        WEFT_ASSERT(options->decommit != NULL, ==, false, wrong);
    }
    if (!wrong && (options->checks || options->watch != 0) && !options->insight) {
        wrong = "checks and watch need insight: set it to <world>_insight(), of <world>_insight.h";
        WEFT_ASSERT(options->insight != NULL, ==, true, wrong);
    }
    bool observed = options->watch != 0 || options->checks || told == 2 || options->profile.count;
    if (!wrong && !WEFT_OBSERVABLE && observed) wrong = WEFT_OBSERVES_NOT;
    if (wrong && options->log) options->log(options->user, wrong);
    return !wrong;
}

bool weft_world_open(weft_world *world, const weft_plan *plan, const weft_options *options)
{
    static const weft_options defaults;
    if (!options) options = &defaults;
    *world = (weft_world){
        .plan = plan, .user = options->user, .report.log = options->log, .seed = options->seed};
    world->now.has_events = plan->event_count != 0;
    world->run.thread = &weft_this_thread;
    world->lists.emptied_max = WEFT_EMPTIED_LEAST;
    weft_loans_end(world);
    world->shared.kit.bits_at_once = options->workers > 1;
#ifdef WEFT_HARD
    world->relocate = relocate;
#endif
    if (!take_hooks(world, options)) return false;
    if (weft_entities_open(&world->entities, &world->heap, plan) && open_arrays(world) &&
        weft_hooks_open(world) && open_tables(world) && weft_batch_open(world)) {
        weft_relations_open(world);
        weft_links_open(world);
        weft_commands_open(world);
        world->commands.clone = weft_clone_apply;
        weft_events_open(world);
        weft_turns_open(world);
        if (weft_team_open(world, options) && weft_profiler_open(world, &options->profile)) {
            return true;
        }
    }
    weft_world_close(world);
    return false;
}

void weft_world_close(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    if (world->saving.background) (void)world->saving.end(world);
    if (world->observers.insight) world->observers.insight->close(world);
    world->observers.insight = NULL;
    weft_world_observe(world);
    weft_region_free(heap, &world->saving.copy);
    weft_hooks_because(world, WEFT_BY_CLOSE);
    weft_hooks_all_parents(world, false);
    weft_links_tell_all(world, false);
    weft_hooks_call_closing(world);
    weft_profiler_close(world);
    weft_systems_let_go(world);
    weft_team_close(world);
    weft_parallels_trim(world);
    weft_hooks_close(world);
    weft_batch_close(world);
    for (uint32_t i = 0; world->sparse && i < plan->sparse_count; i++) {
        weft_sparse_close(heap, &world->sparse[i]);
    }
    weft_links_close(world);
    weft_loans_free(world);
    weft_world_tables_close(world);
    weft_region_free(heap, &world->scratch.chains.last);
    weft_region_free(heap, &world->scratch.members);
    weft_region_free(heap, &world->scratch.copying);
    weft_region_free(heap, &world->commands.places.indices);
    each_array(world, close_array);
    weft_entities_close(&world->entities, heap);
    weft_kept_close(heap);
    weft_heap_close(heap);
}

// Begins to watch or check a world if the options ask for it. From then on phases begin and end by
// the slow calls. Returns false if there is no memory.
static bool open_insight(weft_world *world, const weft_options *options)
{
    if (!options || (!options->checks && options->watch == 0)) return true;
    world->observers.insight = options->insight;
    world->now.asides.recorded = true;
    weft_world_observe(world);
    return world->observers.insight->open(world, options);
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
    weft_singletons_begin(world);
    if (open_insight(world, options)) return world;
    weft_world_destroy(world, bytes);
    return NULL;
}

void weft_world_destroy(weft_world *world, size_t bytes)
{
    if (!world || weft_busy_to_look(world, "close" WEFT_WAITS)) return;
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
        .ticks_dropped = world->run.ticks_dropped,
        .commands_dropped = world->commands.dropped,
        .commands_lost = world->commands.lost,
        .events_lost = world->events.lost,
        .broken = world->report.broken,
        .entities = weft_entities_live(&world->entities),
        .indices = world->entities.index_count - world->entities.unused_count,
        .indices_free = world->entities.free_count - world->entities.unused_count,
        .indices_retired = world->entities.retired,
        .tables = world->tables.count,
        .workers = weft_team_workers(world),
        .bytes_allocated = world->heap.bytes + (world->heap.kept ? world->heap.kept->bytes : 0),
        .records_stay = world->entities.records.reserved != 0,
    };
}
