// The way back of the last change that took data away.
#include "undo.h"

#include "../edit/calls.h"
#include "../world/relation.h"
#include "../world/report.h"
#include "edit.h"
#include "returning.h"

#include <stdio.h>
#include <string.h>

// Gives an entity the stored value of a component.
static bool restore_component(serve_returning *r, const serve_taken_entity *one)
{
    const char *name = r->call->world->plan->schema->components[r->taken->component].name;
    char before[128];
    snprintf(before, sizeof before, "{\"components\":{\"%s\":", name);
    return serve_return_json(r, one->was, before, serve_taken_json(r->taken, one), "}}") ||
           serve_refuse_world(r->call);
}

static bool undo_remove(serve_returning *r, const serve_taken_entity *one)
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
static bool remove_lacked(serve_returning *r, const serve_taken_entity *one)
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
static bool undo_add(serve_returning *r, const serve_taken_entity *one)
{
    const uint32_t added = r->taken->component;
    const bool lacked = serve_taken_json(r->taken, one).bytes > 2; // not []
    while (remove_lacked(r, one)) continue;
    return !lacked || !weft_component_has(r->call->world, one->was, added) ||
           serve_refuse(r->call, SERVE_REFUSED, "another component requires '%s' now",
                        r->call->world->plan->schema->components[added].name);
}

static bool undo_set(serve_returning *r, const serve_taken_entity *one)
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

static bool undo_unlink(serve_returning *r)
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
    return serve_link_again(r, from, taken->link, item) || serve_refuse_world(r->call);
}

static bool undo_detach(serve_returning *r)
{
    return serve_attach_again(r, &r->taken->nodes[0]) ||
           serve_refuse(r->call, SERVE_REFUSED,
                        "its parent is no longer alive, or it has another one");
}

static bool undo_part(serve_returning *r, serve_taken_entity *one)
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
    case SERVE_DESPAWNED: // handled by serve_return_all
        break;
    }
    return undo_detach(r);
}

// Undoes a change of entities that are alive. Only if it is impossible for all of them, the call is
// refused, and can be repeated.
static bool undo_parts(serve_returning *r)
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
    if (taken->loads != call->world->saving.loads) {
        serve_refuse(call, SERVE_REFUSED,
                     "it cannot be undone, because a save was loaded since then");
        return;
    }
    serve_returning r = {.call = call, .taken = taken};
    const bool despawned = taken->kind == SERVE_DESPAWNED;
    if (despawned ? !serve_return_all(&r) : !undo_parts(&r)) return;
    serve_add(call->out, "{\"id\":");
    serve_add_handle(call, taken->entities[0].now);
    serve_print(call->out, ",\"entities\":%u,\"renewed\":%u,\"dropped\":%u}",
                despawned ? taken->entity_count : 0, r.renewed, r.dropped);
    serve_taken_forget(call->state);
}
