#include "taken.h"

#include "../edit/calls.h"
#include "../value/path.h"
#include "../world/links.h"
#include "../world/relation.h"

#include <stdlib.h>
#include <string.h>

void serve_taken_free(serve_taken *taken)
{
    if (!taken) return;
    serve_free(&taken->text);
    free(taken->nodes);
    free(taken);
}

void serve_taken_forget(serve_state *state)
{
    serve_taken_free(state->taken);
    state->taken = NULL;
}

bool serve_is_alive(const serve_call *call, uint64_t handle)
{
    return weft_alive(&call->world->entities, call->world->plan->format, handle);
}

// ------------------------------------------------------------------------------------------------
// What a change takes away

static serve_taken *new_taken(serve_taken_kind kind)
{
    serve_taken *taken = (serve_taken *)calloc(1, sizeof *taken);
    if (!taken) return NULL;
    taken->kind = kind;
    taken->text.limit = SERVE_TAKEN_BYTES;
    taken->component = taken->link = WEFT_NONE;
    return taken;
}

// Returns the slot of a handle, or the free slot that it would get. There are always free ones.
static uint32_t slot_of(const serve_taken *taken, uint64_t handle)
{
    uint32_t slot = (uint32_t)(handle * 0x9e3779b97f4a7c15u >> 32u) % SERVE_TAKEN_SLOTS;
    while (taken->slots[slot] != 0 && taken->entities[taken->slots[slot] - 1].was != handle) {
        slot = (slot + 1) % SERVE_TAKEN_SLOTS;
    }
    return slot;
}

serve_taken_entity *serve_taken_find(serve_taken *taken, uint64_t handle)
{
    const uint32_t number = taken->slots[slot_of(taken, handle)];
    return number == 0 ? NULL : &taken->entities[number - 1];
}

// Returns whether the entity was not listed before.
static bool list_entity(serve_taken *taken, uint64_t handle)
{
    const uint32_t slot = slot_of(taken, handle);
    if (taken->slots[slot] != 0) return false;
    if (taken->entity_count == SERVE_TAKEN_ENTITIES_MAX) {
        taken->failed = true;
        return false;
    }
    taken->entities[taken->entity_count++] = (serve_taken_entity){.was = handle};
    taken->slots[slot] = (uint16_t)taken->entity_count;
    return true;
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
    const uint64_t parent = weft_parent(call->world, f, relation, child);
    list_node(taken, (serve_taken_node){relation, last, false, child, parent, before});
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
            list_node(taken, (serve_taken_node){i, false, false, child, handle, 0});
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

serve_taken *serve_taken_whole(serve_taken *taken)
{
    if (taken && !taken->failed && !taken->text.failed && taken->entity_count != 0) return taken;
    serve_taken_free(taken);
    return NULL;
}

serve_taken *serve_taken_of_despawn(serve_call *call, const uint64_t *handles, uint32_t count)
{
    serve_taken *taken = new_taken(SERVE_DESPAWNED);
    if (!taken) return NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (serve_is_alive(call, handles[i])) list_entity(taken, handles[i]);
    }
    taken->roots = taken->entity_count;
    for (uint32_t i = 0; i < taken->entity_count && !taken->failed; i++) {
        list_children(call, taken, taken->entities[i].was);
        list_linked(call, taken, taken->entities[i].was);
    }
    for (uint32_t i = 0; i < taken->entity_count && !taken->failed; i++) {
        list_nodes(call, taken, taken->entities[i].was);
        write_entity(call, taken, &taken->entities[i]);
    }
    return serve_taken_whole(taken);
}

weft_scanned serve_taken_json(const serve_taken *taken, const serve_taken_entity *one)
{
    return (weft_scanned){taken->text.bytes + one->from, one->end - one->from};
}

weft_scanned serve_taken_text(const serve_taken *taken, const serve_taken_entity *one,
                              const char *name)
{
    return weft_scan_member(serve_taken_json(taken, one), name);
}

// ------------------------------------------------------------------------------------------------
// Changes of several entities

serve_taken *serve_taken_of_many(serve_taken_kind kind, uint32_t component, const char *path)
{
    static const char COUNT[] = ".count";
    serve_taken *taken = new_taken(kind);
    if (!taken) return NULL;
    taken->component = component;
    const size_t bytes = path ? strlen(path) : 0;
    const size_t end = sizeof COUNT - 1;
    const bool whole = bytes >= end && strcmp(path + bytes - end, COUNT) == 0; // items may be lost
    if (bytes < sizeof taken->path && !whole) memcpy(taken->path, path ? path : "", bytes);
    return taken;
}

// Writes a component of an entity in place of the entity.
static void write_component(serve_call *call, serve_taken *taken, serve_taken_entity *one)
{
    const char *name = call->world->plan->schema->components[taken->component].name;
    write_entity(call, taken, one);
    if (taken->failed) return;
    const weft_scanned value = weft_scan_member(serve_taken_text(taken, one, "components"), name);
    if (value.bytes != 0) memmove(taken->text.bytes + one->from, value.text, value.bytes);
    serve_cut(&taken->text, one->from + value.bytes);
}

// Writes the numbers of the components that an addition will add.
static void write_lacking(serve_call *call, serve_taken *taken, uint64_t handle)
{
    const weft_plan *plan = call->world->plan;
    const uint64_t *closure = plan->components[taken->component].closure;
    serve_add(&taken->text, "[");
    for (uint32_t i = 0; i < plan->schema->component_count; i++) {
        const bool wanted = i == taken->component || (closure[i / 64] >> i % 64 & 1u) != 0;
        if (!wanted || weft_component_has(call->world, handle, i)) continue;
        serve_add_comma(&taken->text);
        serve_print(&taken->text, "%u", i);
    }
    serve_add(&taken->text, "]");
}

static void write_value(serve_call *call, serve_taken *taken, serve_taken_entity *one)
{
    weft_leaf_ref leaf;
    if (taken->path[0] == '\0')
        write_component(call, taken, one);
    else if (weft_field_find(call->world, one->was, taken->path, &leaf) == WEFT_OK &&
             leaf.type != WEFT_TYPE_STRUCT)
        serve_add_leaf(&taken->text, call->world->plan, &leaf);
}

bool serve_taken_note(serve_call *call, serve_taken *taken, uint64_t handle)
{
    if (taken->failed || !serve_is_alive(call, handle) || !list_entity(taken, handle)) return false;
    serve_taken_entity *one = &taken->entities[taken->entity_count - 1];
    one->from = taken->text.used;
    if (taken->kind == SERVE_REMOVED)
        write_component(call, taken, one);
    else if (taken->kind == SERVE_ADDED)
        write_lacking(call, taken, handle);
    else
        write_value(call, taken, one);
    one->end = taken->text.used;
    taken->failed |= taken->text.failed;
    return true;
}

void serve_taken_drop(serve_taken *taken)
{
    if (taken->failed) return;
    const serve_taken_entity *one = &taken->entities[--taken->entity_count];
    serve_cut(&taken->text, one->from);
    taken->slots[slot_of(taken, one->was)] = 0; // it was the last to get a slot
}

// ------------------------------------------------------------------------------------------------
// Changes of one entity

serve_taken *serve_taken_of_unlink(serve_call *call, uint64_t from, uint64_t to, uint32_t link)
{
    serve_taken *taken = serve_is_alive(call, from) ? new_taken(SERVE_UNLINKED) : NULL;
    if (!taken) return NULL;
    taken->link = link;
    list_entity(taken, from);
    write_entity(call, taken, &taken->entities[0]);
    list_entity(taken, to);
    return serve_taken_whole(taken);
}

serve_taken *serve_taken_of_detach(serve_call *call, uint64_t child, uint32_t relation)
{
    serve_taken *taken = serve_is_alive(call, child) ? new_taken(SERVE_DETACHED) : NULL;
    if (!taken) return NULL;
    list_entity(taken, child);
    if (weft_parent(call->world, call->world->plan->format, relation, child) != 0) {
        list_place(call, taken, child, relation);
    }
    return serve_taken_whole(taken);
}

void serve_taken_keep(serve_call *call, serve_taken *taken)
{
    serve_taken_forget(call->state);
    call->state->taken = taken;
    if (!taken) {
        serve_add(call->out, "null");
        return;
    }
    taken->number = ++call->state->steps;
    taken->loads = call->world->saving.loads;
    serve_print(call->out, "%llu", (unsigned long long)taken->number);
}

void serve_taken_end(serve_call *call, serve_taken *taken, bool done)
{
    if (!done) {
        serve_taken_free(taken);
        serve_refuse_world(call);
        return;
    }
    serve_add(call->out, "{\"undo\":");
    serve_taken_keep(call, taken);
    serve_add(call->out, "}");
}
