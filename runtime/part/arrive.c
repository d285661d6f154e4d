// All memory is taken before the world changes, also for the outer nodes, which are attached after
// the entities have returned.
#include "arrive.h"

#include "../base/bits.h"
#include "../copy/copy.h"
#include "../edit/despawn.h"
#include "../edit/nodes.h"
#include "../record/hook.h"
#include "../world/move.h"
#include "../world/report.h"

typedef struct arriving {
    weft_world *world;
    weft_loader *loader;
    weft_world *from; // loader->into
    weft_map map;     // of the entities that arrive
    bool mapped;      // the map is wanted
    void *set;        // handles of the entities, by index
    uint32_t count;   // of them
    uint32_t space;   // handles that `set` has space for
    uint32_t left;    // handles after these `count` ones: entities that do not return, but are away
} arriving;

static weft_status no_memory_to_arrive(weft_world *world)
{
    return weft_report(world, WEFT_NO_MEMORY, "no memory to load the save");
}

static uint64_t nth(const arriving *a, uint32_t i)
{
    return weft_handle_load(a->world->plan->format, a->set, i);
}

// Lists the living entities of the loaded world by index.
static void list_living(arriving *a)
{
    const weft_entities *entities = &a->from->entities;
    weft_format f = a->world->plan->format;
    a->count = 0;
    for (uint32_t i = 0; i < entities->index_count && a->count < a->space; i++) {
        uint32_t generation = weft_record_at(entities, f, i).generation;
        if (generation != 0)
            weft_handle_store(f, a->set, a->count++, weft_handle(f, i, generation));
    }
}

static weft_status copy_arriving(arriving *a, bool same)
{
    weft_world *world = a->world;
    const weft_copy_options options = {
        .reason = WEFT_BY_PART,
        .outside = same ? WEFT_OUTSIDE_KEPT : WEFT_OUTSIDE_NONE,
        .same_handles = same,
        .map = a->mapped ? &a->map : NULL,
    };
    if (world->hooks) world->hooks->loading = true;
    weft_status status = weft_entities_copy(world, a->from, a->set, a->count, &options);
    if (world->hooks) world->hooks->loading = false;
    if (status == WEFT_OK) return status;
    if (status == WEFT_NO_MEMORY) return no_memory_to_arrive(world);
    world->report.wanted = a->count;
    weft_refuse_space(world, weft_refusal_of(status, WEFT_NONE, 0));
    return status;
}

// ------------------------------------------------------------------------------------------------
// Entities that return

static weft_status check_returns(const arriving *a)
{
    const weft_world *world = a->world;
    weft_format f = world->plan->format;
    uint32_t away = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        uint64_t handle = nth(a, i);
        if (weft_alive(&world->entities, f, handle)) {
            return weft_report(a->world, WEFT_REFUSED,
                               "entity %s of the part is alive: the part was already loaded",
                               weft_handle_as_text(f, handle).text);
        }
        away += weft_is_away(&world->entities, f, handle);
    }
    if (away != 0 || a->count == 0) return WEFT_OK;
    return weft_report(a->world, WEFT_DEAD,
                       "no entity of the part is away: they were given up, or taken out of another "
                       "world");
}

// Despawns the entities in the loaded world that were given up. The rest returns without them.
static void drop_given_up(arriving *a)
{
    weft_format f = a->world->plan->format;
    weft_place at;
    uint32_t all = a->count;
    for (uint32_t i = 0; i < all; i++) {
        uint64_t handle = nth(a, i);
        if (weft_is_away(&a->world->entities, f, handle)) continue;
        if (weft_find(&a->from->entities, f, handle, &at)) weft_despawn_whole(a->from, handle);
    }
    a->count = 0;
    for (uint32_t i = 0; i < all; i++) {
        uint64_t handle = nth(a, i);
        if (!weft_alive(&a->from->entities, f, handle)) continue;
        weft_handle_store(f, a->set, i, nth(a, a->count));
        weft_handle_store(f, a->set, a->count++, handle);
    }
    a->left = all - a->count;
}

// Gives up the entities that were despawned because an entity above them was given up.
static void forget_dropped(const arriving *a)
{
    for (uint32_t i = 0; i < a->left; i++) weft_forget(a->world, nth(a, a->count + i));
}

// ------------------------------------------------------------------------------------------------
// Outer nodes

// Returns the table that an end of an outer node is in, or will be in. NULL: the end is neither
// alive nor does it return, or there is no memory for the table.
static weft_table *table_of_end(const arriving *a, uint64_t handle, bool *missing)
{
    weft_world *world = a->world;
    weft_format f = world->plan->format;
    weft_place at;
    if (weft_find(&world->entities, f, handle, &at)) return world->tables.items[at.table];
    *missing = !weft_find(&a->from->entities, f, handle, &at);
    return *missing ? NULL : weft_world_table(world, a->from->tables.items[at.table]->set);
}

static bool node_tag_ready(weft_world *world, weft_table *table, uint16_t tag)
{
    // Twice, because attaching asks for the space of its own removal again.
    return tag == WEFT_NONE || weft_component_ready(world, table, tag, 2, 0, 0);
}

// Takes the memory of a node. If an end is missing, none is needed.
static bool node_ready(const arriving *a, const weft_part_node *node)
{
    weft_world *world = a->world;
    weft_format f = world->plan->format;
    bool missing = false;
    if (node->relation == WEFT_NEVER) return true;
    weft_table *child = table_of_end(a, node->child, &missing);
    weft_table *parent = missing ? NULL : table_of_end(a, node->parent, &missing);
    if (missing) return true;
    if (!child || !parent) return false;
    weft_relation *r = &world->relations[node->relation];
    if (!weft_nodes_ready(world, r, weft_handle_index(f, node->child)) ||
        !weft_nodes_ready(world, r, weft_handle_index(f, node->parent))) {
        return false;
    }
    const weft_relation_plan *plan = weft_reaction_of(world, node->relation);
    return !plan || (node_tag_ready(world, child, plan->attached) &&
                     node_tag_ready(world, parent, plan->parents));
}

static bool nodes_ready(const arriving *a)
{
    for (uint32_t i = 0; i < a->loader->part.node_count; i++) {
        weft_part_node node = weft_loader_node(a->loader, i);
        if (!node_ready(a, &node)) return false;
    }
    return true;
}

// Attaches a child to its parent of before, before its next sibling of before. Leaves it if an end
// is missing, if the child has another parent now, or if the relation would get a circle.
static void attach_again(weft_world *world, const weft_part_node *node)
{
    weft_format f = world->plan->format;
    uint32_t relation = node->relation;
    if (relation == WEFT_NEVER || weft_parent(world, f, relation, node->child) != 0) return;
    if (weft_node_ready(world, relation, node->child, node->parent) != WEFT_OK) return;
    if (weft_first_child(world, f, relation, node->parent) == 0) {
        (void)weft_node_attach(world, relation, node->child, node->parent);
    } else if (weft_parent(world, f, relation, node->next) == node->parent) {
        (void)weft_node_insert_before(world, relation, node->child, node->next);
    } else if (node->next == 0) {
        (void)weft_node_append(world, relation, node->child, node->parent);
    } else {
        weft_node_place(world, relation, node->child, node->parent);
    }
}

// Returns whether exactly one end of a node has returned. A damaged file may have others.
static bool is_outer(const arriving *a, const weft_part_node *node)
{
    const weft_entities *entities = &a->from->entities;
    weft_format f = a->world->plan->format;
    return weft_alive(entities, f, node->child) != weft_alive(entities, f, node->parent);
}

static void attach_outer_nodes(const arriving *a)
{
    weft_hooks_because(a->world, WEFT_BY_PART);
    for (uint32_t i = 0; i < a->loader->part.node_count; i++) {
        weft_part_node node = weft_loader_node(a->loader, i);
        if (is_outer(a, &node)) attach_again(a->world, &node);
    }
    weft_hooks_because(a->world, WEFT_BY_CALL);
}

// ------------------------------------------------------------------------------------------------

static weft_status bring_back(arriving *a)
{
    weft_status status = check_returns(a);
    if (status != WEFT_OK) return status;
    drop_given_up(a);
    if (!nodes_ready(a)) return no_memory_to_arrive(a->world);
    status = copy_arriving(a, true);
    if (status != WEFT_OK) return status;
    forget_dropped(a);
    attach_outer_nodes(a);
    return WEFT_OK;
}

weft_status weft_part_arrive(weft_world *world, weft_loader *loader, weft_map *map)
{
    arriving a = {.world = world, .loader = loader, .from = loader->into, .mapped = map != NULL};
    a.space = weft_entities_live(&a.from->entities);
    size_t bytes = (size_t)a.space * world->plan->format.handle_bytes;
    a.set = weft_allocate(&world->heap, bytes);
    if (!a.set && bytes != 0) return no_memory_to_arrive(world);
    if (a.set) list_living(&a);
    weft_status status = loader->part.away ? bring_back(&a) : copy_arriving(&a, false);
    weft_free(&world->heap, a.set, bytes);
    if (status == WEFT_OK && map) {
        weft_map_close(world->plan->format, map);
        *map = a.map;
    }
    return status;
}
