#include "taken.h"

#include "../edit/calls.h"
#include "../world/links.h"
#include "../world/relation.h"

#include <stdlib.h>
#include <string.h>

static void free_taken(serve_taken *taken)
{
    if (!taken) return;
    serve_free(&taken->text);
    free(taken->nodes);
    free(taken);
}

void serve_taken_forget(serve_state *state)
{
    free_taken(state->taken);
    state->taken = NULL;
}

bool serve_is_alive(const serve_call *call, uint64_t handle)
{
    return weft_alive(&call->world->entities, call->world->plan->format, handle);
}

// ------------------------------------------------------------------------------------------------
// What a change takes away

static serve_taken *new_taken(void)
{
    serve_taken *taken = (serve_taken *)calloc(1, sizeof *taken);
    if (!taken) return NULL;
    taken->text.limit = SERVE_TAKEN_BYTES;
    taken->component = taken->link = WEFT_NONE;
    return taken;
}

serve_taken_entity *serve_taken_find(serve_taken *taken, uint64_t handle)
{
    for (uint32_t i = 0; i < taken->entity_count; i++) {
        if (taken->entities[i].was == handle) return &taken->entities[i];
    }
    return NULL;
}

static void list_entity(serve_taken *taken, uint64_t handle)
{
    if (serve_taken_find(taken, handle)) return;
    if (taken->entity_count == SERVE_TAKEN_ENTITIES_MAX)
        taken->failed = true;
    else
        taken->entities[taken->entity_count++] = (serve_taken_entity){.was = handle};
}

static void list_node(serve_taken *taken, serve_taken_node one)
{
    if (taken->node_count == taken->node_capacity) {
        const uint32_t capacity = taken->node_capacity == 0 ? 16 : taken->node_capacity * 2;
        serve_taken_node *nodes =
            capacity > SERVE_TAKEN_NODES_MAX
                ? NULL
                : (serve_taken_node *)realloc(taken->nodes, capacity * sizeof *nodes);
        if (!nodes) {
            taken->failed = true;
            return;
        }
        taken->nodes = nodes;
        taken->node_capacity = capacity;
    }
    taken->nodes[taken->node_count++] = one;
}

// Lists the children of an entity that are despawned with it.
static void list_children(serve_call *call, serve_taken *taken, uint64_t handle)
{
    const weft_format f = call->world->plan->format;
    for (uint32_t i = 0; i < call->world->plan->schema->relation_count; i++) {
        if (!call->world->relations[i].ends) continue;
        uint64_t child = weft_first_child(call->world, f, i, handle);
        for (; child != 0 && !taken->failed; child = weft_next_sibling(call->world, f, i, child)) {
            list_entity(taken, child);
        }
    }
}

// Lists the other ends of links that are despawned with an entity.
static void list_linked(serve_call *call, serve_taken *taken, uint64_t handle)
{
    const weft_format f = call->world->plan->format;
    for (uint32_t i = 0; i < call->world->plan->link_count; i++) {
        const weft_link_plan *plan = &call->world->plan->links[i];
        const bool any = plan->from_despawns || plan->to_despawns;
        weft_link_walk links = weft_link_walk_from(call->world, i, handle);
        const bool from = plan->symmetric ? any : plan->from_despawns;
        while (from && !taken->failed && weft_link_walk_next(&links, f)) {
            if (serve_is_alive(call, links.other)) list_entity(taken, links.other);
        }
        links = weft_link_walk_to(call->world, i, handle);
        while (!plan->symmetric && plan->to_despawns && !taken->failed &&
               weft_link_walk_next(&links, f)) {
            if (serve_is_alive(call, links.other)) list_entity(taken, links.other);
        }
    }
}

// Lists where an entity is among the children of its parent.
static void list_place(serve_call *call, serve_taken *taken, uint64_t child, uint32_t relation)
{
    const weft_format f = call->world->plan->format;
    const uint64_t before = weft_next_sibling(call->world, f, relation, child);
    const bool last = before == 0 && weft_previous_sibling(call->world, f, relation, child) != 0;
    list_node(taken, (serve_taken_node){relation, last, child,
                                        weft_parent(call->world, f, relation, child), before});
}

// Lists the children of an entity, and its place among those of a parent that stays. Children are
// listed from the last to the first, because each is attached as the first.
static void list_nodes(serve_call *call, serve_taken *taken, uint64_t handle)
{
    const weft_format f = call->world->plan->format;
    for (uint32_t i = 0; i < call->world->plan->schema->relation_count; i++) {
        const uint32_t first = taken->node_count;
        uint64_t child = weft_first_child(call->world, f, i, handle);
        for (; child != 0 && !taken->failed; child = weft_next_sibling(call->world, f, i, child)) {
            list_node(taken, (serve_taken_node){i, false, child, handle, 0});
        }
        for (uint32_t a = first, b = taken->node_count; a + 1 < b; a++, b--) {
            const serve_taken_node swapped = taken->nodes[a];
            taken->nodes[a] = taken->nodes[b - 1];
            taken->nodes[b - 1] = swapped;
        }
        const uint64_t parent = weft_parent(call->world, f, i, handle);
        if (parent != 0 && !serve_taken_find(taken, parent)) list_place(call, taken, handle, i);
    }
}

static void write_entity(serve_call *call, serve_taken *taken, serve_taken_entity *one)
{
    one->from = taken->text.used;
    weft_json_entity_write(call->world, one->was, serve_add_piece, &taken->text);
    one->end = taken->text.used;
    taken->failed |= taken->text.failed;
}

// Returns the last despawn or removal if it is complete, otherwise NULL.
static serve_taken *whole(serve_taken *taken)
{
    if (!taken->failed && !taken->text.failed) return taken;
    free_taken(taken);
    return NULL;
}

serve_taken *serve_taken_of_despawn(serve_call *call, uint64_t handle)
{
    if (!serve_is_alive(call, handle)) return NULL;
    serve_taken *taken = new_taken();
    if (!taken) return NULL;
    taken->despawned = true;
    list_entity(taken, handle);
    for (uint32_t i = 0; i < taken->entity_count && !taken->failed; i++) {
        list_children(call, taken, taken->entities[i].was);
        list_linked(call, taken, taken->entities[i].was);
    }
    for (uint32_t i = 0; i < taken->entity_count && !taken->failed; i++) {
        list_nodes(call, taken, taken->entities[i].was);
        write_entity(call, taken, &taken->entities[i]);
    }
    return whole(taken);
}

// Lists one entity, with its JSON.
static serve_taken *taken_of(serve_call *call, uint64_t handle)
{
    serve_taken *taken = serve_is_alive(call, handle) ? new_taken() : NULL;
    if (!taken) return NULL;
    list_entity(taken, handle);
    write_entity(call, taken, &taken->entities[0]);
    return taken;
}

weft_scanned serve_taken_text(const serve_taken *taken, const serve_taken_entity *one,
                              const char *name)
{
    weft_scanned entity = {taken->text.bytes + one->from, one->end - one->from};
    return weft_scan_member(entity, name);
}

serve_taken *serve_taken_of_remove(serve_call *call, uint64_t handle, uint32_t component)
{
    serve_taken *taken = taken_of(call, handle);
    if (!taken) return NULL;
    taken->component = component;
    return whole(taken);
}

serve_taken *serve_taken_of_unlink(serve_call *call, uint64_t from, uint64_t to, uint32_t link)
{
    serve_taken *taken = taken_of(call, from);
    if (!taken) return NULL;
    taken->link = link;
    list_entity(taken, to);
    return whole(taken);
}

serve_taken *serve_taken_of_detach(serve_call *call, uint64_t child, uint32_t relation)
{
    serve_taken *taken = serve_is_alive(call, child) ? new_taken() : NULL;
    if (!taken) return NULL;
    list_entity(taken, child);
    if (weft_parent(call->world, call->world->plan->format, relation, child) != 0) {
        list_place(call, taken, child, relation);
    }
    return whole(taken);
}

void serve_taken_end(serve_call *call, serve_taken *taken, bool done)
{
    serve_state *state = call->state;
    if (!done) {
        free_taken(taken);
        serve_refuse_world(call);
        return;
    }
    serve_taken_forget(state);
    state->taken = taken;
    if (!taken) {
        serve_add(call->out, "{\"undo\":null}");
        return;
    }
    taken->number = ++state->steps;
    serve_print(call->out, "{\"undo\":%llu}", (unsigned long long)taken->number);
}
