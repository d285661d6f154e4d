// The way back of the last change that took data away. Entities return under their own handles, unless
// other entities have got their indices meanwhile.
#include "undo.h"

#include "../edit/calls.h"
#include "../edit/links.h"
#include "../world/handles.h"
#include "../world/relation.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "edit.h"
#include "taken.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// The way back

typedef struct returning {
    serve_call *call;
    serve_taken *taken;
    uint32_t renewed; // entities with a new handle
    uint32_t dropped; // links and places whose other end no longer exists, or values of entities
} returning;

static uint64_t handle_now(void *context, uint64_t handle)
{
    const returning *r = (const returning *)context;
    const serve_taken_entity *one = serve_taken_find(r->taken, handle);
    return one && one->now != 0 ? one->now : handle;
}

// Reads a JSON text into an entity: `before`, a value, and `after`. With handle 0 it is only checked.
static bool read_json(returning *r, uint64_t handle, const char *before, weft_scanned value,
                      const char *after)
{
    weft_world *world = r->call->world;
    serve_text text = {.limit = SERVE_TAKEN_BYTES + 400};
    serve_add(&text, before);
    serve_add_bytes(&text, value.text, value.bytes);
    serve_add(&text, after);
    weft_status status = WEFT_NO_MEMORY;
    if (!text.failed) {
        status = handle == 0 ? weft_json_entity_judge(world, text.bytes, text.used)
                             : weft_json_entity_read(world, handle, text.bytes, text.used);
    }
    serve_free(&text);
    return status == WEFT_OK;
}

static bool read_components(returning *r, const serve_taken_entity *one, uint64_t handle)
{
    const weft_scanned components = serve_taken_text(r->taken, one, "components");
    return read_json(r, handle, "{\"components\":", components, "}");
}

// Returns whether all entities can be spawned again. Nothing has changed then.
static bool is_possible(returning *r)
{
    const serve_taken *taken = r->taken;
    for (uint32_t i = 0; i < taken->entity_count; i++) {
        if (!read_components(r, &taken->entities[i], 0)) return false;
    }
    return weft_prefab_reserve(r->call->world, WEFT_NONE, taken->entity_count) == WEFT_OK;
}

// Gives the entities of a despawn handles: their own, if no other entity has got their indices.
static bool respawn_all(returning *r)
{
    weft_world *world = r->call->world;
    for (uint32_t i = 0; i < r->taken->entity_count; i++) {
        serve_taken_entity *one = &r->taken->entities[i];
        const bool same =
            world->entities.promised == 0 &&
            weft_index_may_return(&world->entities, r->call->world->plan->format, one->was);
        if (same)
            one->now = weft_spawn_again(world, one->was) == WEFT_OK ? one->was : 0;
        else
            one->now = weft_spawn_empty(world);
        if (one->now == 0) return false;
        r->renewed += !same;
    }
    return true;
}

// Replaces old handles in the components of an entity by the new ones.
static bool renew_handles(returning *r, uint64_t handle)
{
    weft_world *world = r->call->world;
    const weft_schema *schema = world->plan->schema;
    for (uint32_t i = 0; i < schema->component_count; i++) {
        weft_place at;
        const size_t size = schema->components[i].size;
        const size_t bytes = weft_round_up(size, WEFT_LINE_BYTES);
        if (!weft_find(&world->entities, r->call->world->plan->format, handle, &at)) return true;
        const weft_table *table = world->tables.items[at.table];
        if (size == 0 || !weft_row_has(world->plan, table, at.row, i)) continue;
        void *value = malloc(2 * bytes);
        if (!value) return false;
        const void *now = weft_row_value(world, table, at.row, i, (unsigned char *)value + bytes);
        memmove(value, now, size);
        weft_handles_change(world, i, value, handle_now, r);
        const bool done =
            memcmp(value, now, size) == 0 || weft_component_set(world, handle, i, value);
        free(value);
        if (!done) return false;
    }
    return true;
}

static bool read_taken(returning *r)
{
    const serve_taken *taken = r->taken;
    for (uint32_t i = 0; i < taken->entity_count; i++) {
        if (!read_components(r, &taken->entities[i], taken->entities[i].now)) return false;
    }
    for (uint32_t i = 0; i < taken->entity_count && r->renewed != 0; i++) {
        if (!renew_handles(r, taken->entities[i].now)) return false;
    }
    return true;
}

// Attaches a child again. Returns false if that is impossible now.
static bool attach_again(returning *r, const serve_taken_node *one)
{
    weft_world *world = r->call->world;
    const weft_format f = r->call->world->plan->format;
    const uint64_t child = handle_now(r, one->child);
    const uint64_t parent = handle_now(r, one->parent);
    const uint64_t before = handle_now(r, one->before);
    if (!serve_is_alive(r->call, child) || !serve_is_alive(r->call, parent) ||
        weft_parent(world, f, one->relation, child) != 0) {
        return false;
    }
    if (before != 0 && weft_parent(world, f, one->relation, before) == parent) {
        return weft_insert_before(world, one->relation, child, before);
    }
    return one->last ? weft_append(world, one->relation, child, parent)
                     : weft_attach(world, one->relation, child, parent);
}

// Returns whether the next sibling of a child must be attached first: it was despawned too.
static bool must_wait(returning *r, const serve_taken_node *one)
{
    const serve_taken_entity *next = serve_taken_find(r->taken, one->before);
    return next &&
           weft_parent(r->call->world, r->call->world->plan->format, one->relation, next->now) == 0;
}

// Attaches children that are not attached yet, if their next siblings are. Returns how many have to
// wait.
static uint32_t attach_some(returning *r, bool backward, bool all)
{
    const uint32_t count = r->taken->node_count;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < count; i++) {
        serve_taken_node *one = &r->taken->nodes[backward ? count - 1 - i : i];
        if (one->attached) continue;
        if (!all && must_wait(r, one)) {
            waiting++;
            continue;
        }
        one->attached = true;
        if (!attach_again(r, one)) r->dropped++;
    }
    return waiting;
}

// Siblings are listed in any order, mostly forward or backward, so that few passes are needed.
static void attach_all(returning *r)
{
    uint32_t before = UINT32_MAX;
    uint32_t waiting = attach_some(r, false, false);
    for (bool backward = true; waiting != 0 && waiting < before; backward = !backward) {
        before = waiting;
        waiting = attach_some(r, backward, false);
    }
    attach_some(r, false, true);
}

// Replaces old handles in the value of a link by the new ones.
static void renew_link(returning *r, uint32_t link, uint64_t from, uint64_t to)
{
    weft_world *world = r->call->world;
    const weft_link_info *info = &world->plan->schema->links[link];
    void *value = info->size != 0 ? weft_link_edit(world, link, from, to, "undo") : NULL;
    if (!value) return;
    weft_fields_change(world->plan->schema, info->fields, info->field_count, value, handle_now, r);
}

// Adds a link of an entity again: an item of its JSON. Returns false if its other end is dead.
static bool link_again(returning *r, uint64_t handle, uint32_t link, weft_scanned item)
{
    char text[32];
    char before[200];
    uint64_t other;
    const weft_format f = r->call->world->plan->format;
    const char *end = weft_scan_member(item, "to").bytes != 0 ? "to" : "from";
    const weft_scanned value = weft_scan_member(item, "value");
    if (!weft_scan_string(weft_scan_member(item, end), text, sizeof text) ||
        !weft_handle_from_text(f, text, strlen(text), &other)) {
        return false;
    }
    other = handle_now(r, other);
    if (!serve_is_alive(r->call, other)) return false;
    snprintf(before, sizeof before, "{\"links\":{\"%s\":[{\"%s\":\"%s\"%s",
             r->call->world->plan->schema->links[link].name, end,
             weft_handle_as_text(f, other).text, value.bytes != 0 ? ",\"value\":" : "");
    if (!read_json(r, handle, before, value, "}]}}")) return false;
    const bool is_to = end[0] == 't';
    if (r->renewed != 0) renew_link(r, link, is_to ? handle : other, is_to ? other : handle);
    return true;
}

static void link_all(returning *r)
{
    const weft_schema *schema = r->call->world->plan->schema;
    for (uint32_t i = 0; i < r->taken->entity_count; i++) {
        const serve_taken_entity *one = &r->taken->entities[i];
        const weft_scanned links = serve_taken_text(r->taken, one, "links");
        for (uint32_t k = 0; k < schema->link_count; k++) {
            const weft_scanned items = weft_scan_member(links, schema->links[k].name);
            const char *at = NULL;
            for (weft_scanned item = weft_scan_next(items, &at); item.bytes != 0;
                 item = weft_scan_next(items, &at)) {
                if (!link_again(r, one->now, k, item)) r->dropped++;
            }
        }
    }
}

// Brings back the entities of a despawn. If that fails, despawns them again.
static bool undo_despawn(returning *r)
{
    serve_taken *taken = r->taken;
    for (uint32_t i = 0; i < taken->roots; i++) {
        if (!serve_is_alive(r->call, taken->entities[i].was)) continue;
        return serve_refuse(
            r->call, SERVE_REFUSED, "%s is alive again",
            weft_handle_as_text(r->call->world->plan->format, taken->entities[i].was).text);
    }
    for (uint32_t i = 0; i < taken->entity_count; i++) taken->entities[i].now = 0;
    if (is_possible(r) && respawn_all(r) && read_taken(r)) {
        attach_all(r);
        link_all(r);
        return true;
    }
    serve_refuse_world(r->call);
    for (uint32_t i = 0; i < taken->entity_count; i++) {
        const uint64_t now = taken->entities[i].now;
        if (now != 0 && serve_is_alive(r->call, now)) weft_despawn(r->call->world, now);
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Parts of an entity

// Gives an entity the stored value of a component.
static bool restore_component(returning *r, const serve_taken_entity *one)
{
    const char *name = r->call->world->plan->schema->components[r->taken->component].name;
    char before[128];
    snprintf(before, sizeof before, "{\"components\":{\"%s\":", name);
    return read_json(r, one->was, before, serve_taken_json(r->taken, one), "}}") ||
           serve_refuse_world(r->call);
}

static bool undo_remove(returning *r, const serve_taken_entity *one)
{
    const uint32_t component = r->taken->component;
    if (weft_component_has(r->call->world, one->was, component)) {
        return serve_refuse(r->call, SERVE_REFUSED, "it has '%s' again",
                            r->call->world->plan->schema->components[component].name);
    }
    return restore_component(r, one);
}

// Returns whether a component of an entity requires another one.
static bool is_required(const weft_world *world, uint64_t handle, uint32_t component)
{
    for (uint32_t i = 0; i < world->plan->schema->component_count; i++) {
        const uint64_t *closure = world->plan->components[i].closure;
        if (i != component && (closure[component / 64] >> component % 64 & 1u) != 0 &&
            weft_component_has(world, handle, i)) {
            return true;
        }
    }
    return false;
}

// Removes each of the components that an entity lacked, unless another one requires it. Returns
// whether one was removed.
static bool remove_lacked(returning *r, const serve_taken_entity *one)
{
    weft_world *world = r->call->world;
    const weft_scanned lacked = serve_taken_json(r->taken, one);
    const char *at = NULL;
    bool any = false;
    for (weft_scanned item = weft_scan_next(lacked, &at); item.bytes != 0;
         item = weft_scan_next(lacked, &at)) {
        double number = 0;
        if (!weft_scan_number(item, &number)) continue;
        const uint32_t component = (uint32_t)number;
        if (!weft_component_has(world, one->was, component)) continue;
        if (is_required(world, one->was, component)) continue;
        any |= weft_component_remove(world, one->was, component);
    }
    return any;
}

// Removes the component that was added, and those that it requires and no other component does.
static bool undo_add(returning *r, const serve_taken_entity *one)
{
    const uint32_t added = r->taken->component;
    const bool lacked = serve_taken_json(r->taken, one).bytes > 2; // not []
    while (remove_lacked(r, one)) continue;
    return !lacked || !weft_component_has(r->call->world, one->was, added) ||
           serve_refuse(r->call, SERVE_REFUSED, "another component requires '%s' now",
                        r->call->world->plan->schema->components[added].name);
}

static bool undo_set(returning *r, const serve_taken_entity *one)
{
    const uint32_t component = r->taken->component;
    if (r->taken->path[0] != '\0') {
        return serve_set_value(r->call, one->was, r->taken->path, serve_taken_json(r->taken, one));
    }
    return weft_component_has(r->call->world, one->was, component)
               ? restore_component(r, one)
               : serve_refuse(r->call, SERVE_REFUSED, "it has no '%s' now",
                              r->call->world->plan->schema->components[component].name);
}

// Returns the item of a link in the JSON of the entity that it is from.
static weft_scanned item_of_link(const serve_call *call, const serve_taken *taken)
{
    const char *name = call->world->plan->schema->links[taken->link].name;
    const weft_handle_text to = weft_handle_as_text(call->world->plan->format,
                                                    taken->entities[taken->entity_count - 1].was);
    const weft_scanned items =
        weft_scan_member(serve_taken_text(taken, taken->entities, "links"), name);
    const char *at = NULL;
    weft_scanned item = weft_scan_next(items, &at);
    while (item.bytes != 0 && !weft_scan_is(weft_scan_member(item, "to"), to.text)) {
        item = weft_scan_next(items, &at);
    }
    return item;
}

static bool undo_unlink(returning *r)
{
    const serve_taken *taken = r->taken;
    const uint64_t from = taken->entities[0].was;
    const uint64_t to = taken->entities[taken->entity_count - 1].was;
    const char *name = r->call->world->plan->schema->links[taken->link].name;
    weft_scanned item = item_of_link(r->call, taken);
    if (weft_link_has(r->call->world, r->call->world->plan->format, taken->link, from, to)) {
        return serve_refuse(r->call, SERVE_REFUSED, "it has this link '%s' again", name);
    }
    if (!serve_is_alive(r->call, to)) {
        return serve_refuse(r->call, SERVE_REFUSED, "the other end of '%s' is no longer alive",
                            name);
    }
    return link_again(r, from, taken->link, item) || serve_refuse_world(r->call);
}

static bool undo_detach(returning *r)
{
    return attach_again(r, &r->taken->nodes[0]) ||
           serve_refuse(r->call, SERVE_REFUSED,
                        "its parent is no longer alive, or it has another one");
}

static bool undo_part(returning *r, serve_taken_entity *one)
{
    one->now = one->was;
    if (!serve_is_alive(r->call, one->was)) {
        return serve_refuse(r->call, SERVE_REFUSED, "%s is no longer alive",
                            weft_handle_as_text(r->call->world->plan->format, one->was).text);
    }
    switch (r->taken->kind) {
    case SERVE_REMOVED:
        return undo_remove(r, one);
    case SERVE_ADDED:
        return undo_add(r, one);
    case SERVE_SET:
        return undo_set(r, one);
    case SERVE_UNLINKED:
        return undo_unlink(r);
    case SERVE_DETACHED:
    case SERVE_DESPAWNED: // handled by undo_despawn
        break;
    }
    return undo_detach(r);
}

// Undoes a change of entities that are alive. Only if it is impossible for all of them, the call is
// refused, and can be repeated.
static bool undo_parts(returning *r)
{
    const bool linked = r->taken->kind == SERVE_UNLINKED; // the second entity is the other end
    const uint32_t count = linked ? 1 : r->taken->entity_count;
    for (uint32_t i = 0; i < count; i++) {
        if (undo_part(r, &r->taken->entities[i])) continue;
        if (++r->dropped == count) return false;
        r->call->refused = false;
    }
    return true;
}

void serve_undo(serve_call *call)
{
    double number = 0;
    serve_taken *taken = call->state->taken;
    if (!serve_may_take_number(call, "number", 0, 9007199254740992.0, &number)) return;
    if (!taken || (double)taken->number != number) {
        serve_refuse(call, SERVE_REFUSED,
                     "only the last despawn, removal or bulk edit can be undone, once");
        return;
    }
    returning r = {.call = call, .taken = taken};
    const bool despawned = taken->kind == SERVE_DESPAWNED;
    if (despawned ? !undo_despawn(&r) : !undo_parts(&r)) return;
    serve_add(call->out, "{\"id\":");
    serve_add_handle(call, taken->entities[0].now);
    serve_print(call->out, ",\"entities\":%u,\"renewed\":%u,\"dropped\":%u}",
                despawned ? taken->entity_count : 0, r.renewed, r.dropped);
    serve_taken_forget(call->state);
}
