// Compares nodes with their copies.
#include "nodes.h"

#include "../value/fields.h"
#include "../world/relation.h"

bool weft_nodes_copied_open(weft_world *world, weft_node_copies **copies)
{
    const uint32_t count = world->plan->schema->relation_count;
    return weft_array_open(&world->heap, copies, count, sizeof **copies);
}

void weft_nodes_copied_close(weft_world *world, weft_node_copies *copies)
{
    const uint32_t count = world->plan->schema->relation_count;
    for (uint32_t i = 0; copies && i < count; i++) {
        weft_free(&world->heap, copies[i].items, copies[i].capacity * sizeof *copies[i].items);
    }
    weft_free(&world->heap, copies, count * sizeof *copies);
}

// Stores one handle of an entity's nodes, if it has changed.
static void keep_handle(const weft_world *world, weft_ring *ring, uint64_t child, uint32_t number,
                        uint64_t before, uint64_t after)
{
    const weft_schema *schema = world->plan->schema;
    uint64_t handles[2] = {0, 0};
    if (before == after) return;
    weft_handle_write(schema, &handles[0], before);
    weft_handle_write(schema, &handles[1], after);
    weft_ring_value(ring, child, number * schema->handle_bytes, &handles[0], &handles[1],
                    schema->handle_bytes);
}

// The parent is stored last, so that it is the newest write when an entity gets or loses a parent.
static void keep_links(const weft_world *world, weft_ring *ring, uint64_t child,
                       weft_node_copy before, weft_node_copy after)
{
    if (child == 0) return;
    keep_handle(world, ring, child, 1, before.next, after.next);
    keep_handle(world, ring, child, 0, before.parent, after.parent);
}

static void look_at_link(const weft_world *world, weft_ring *ring, weft_node_copy *copy,
                         weft_node_copy now)
{
    const weft_node_copy none = {0, 0, 0};
    if (copy->child == now.child) {
        keep_links(world, ring, now.child, *copy, now);
    } else {
        keep_links(world, ring, copy->child, *copy, none);
        keep_links(world, ring, now.child, none, now);
    }
    *copy = now;
}

static bool look_at_relation(weft_world *world, uint32_t number, weft_node_copies *copies,
                             weft_ring *ring)
{
    const weft_relation *relation = &world->relations[number];
    const weft_node *nodes = weft_nodes(relation);
    weft_format f = world->plan->format;
    if (!weft_array_grow(&world->heap, &copies->items, &copies->capacity, relation->capacity,
                         sizeof *copies->items)) {
        return false;
    }
    weft_ring_source(ring, world, (weft_owner){.of = (uint16_t)number, .relation = true});
    for (uint32_t i = 0; i < copies->capacity; i++) {
        uint32_t parent = i < relation->capacity ? nodes[i].parent : 0;
        if (parent == 0 && copies->items[i].child == 0) continue;
        weft_node_copy now = {0, 0, 0};
        if (parent != 0) {
            now.child = weft_handle_of(&world->entities, f, i);
            now.parent = weft_handle_of(&world->entities, f, parent - 1);
            now.next = weft_node_handle(world, f, nodes[i].next);
        }
        look_at_link(world, ring, &copies->items[i], now);
    }
    copies->version = relation->version;
    return true;
}

bool weft_nodes_look(weft_world *world, weft_node_copies *copies, weft_ring *ring, bool all)
{
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        bool changed = copies[i].version != world->relations[i].version;
        if ((all || changed) && !look_at_relation(world, i, &copies[i], ring)) return false;
    }
    return true;
}
