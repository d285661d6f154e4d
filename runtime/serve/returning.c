#include "returning.h"

#include "../edit/calls.h"
#include "../edit/links.h"
#include "../world/handles.h"
#include "../world/relation.h"
#include "../world/report.h"
#include "../world/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t handle_now(void *context, uint64_t handle)
{
    const serve_returning *r = (const serve_returning *)context;
    const serve_taken_entity *one = serve_taken_find(r->taken, handle);
    return one && one->now != 0 ? one->now : handle;
}

bool serve_return_json(serve_returning *r, uint64_t handle, const char *before, weft_scanned value,
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

static bool read_components(serve_returning *r, const serve_taken_entity *one, uint64_t handle)
{
    const weft_scanned components = serve_taken_text(r->taken, one, "components");
    return serve_return_json(r, handle, "{\"components\":", components, "}");
}

// Returns whether all entities can be spawned again. Nothing has changed then.
static bool is_possible(serve_returning *r)
{
    const serve_taken *taken = r->taken;
    for (uint32_t i = 0; i < taken->entity_count; i++) {
        if (!read_components(r, &taken->entities[i], 0)) return false;
    }
    return weft_prefab_reserve(r->call->world, WEFT_NONE, taken->entity_count) == WEFT_OK;
}

// Gives the entities of a despawn handles: their own, if no other entity has got their indices.
static bool respawn_all(serve_returning *r)
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
static bool renew_handles(serve_returning *r, uint64_t handle)
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

static bool read_taken(serve_returning *r)
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

bool serve_attach_again(serve_returning *r, const serve_taken_node *one)
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
static bool must_wait(serve_returning *r, const serve_taken_node *one)
{
    const serve_taken_entity *next = serve_taken_find(r->taken, one->before);
    return next &&
           weft_parent(r->call->world, r->call->world->plan->format, one->relation, next->now) == 0;
}

// Attaches children that are not attached yet, if their next siblings are. Returns how many have to
// wait.
static uint32_t attach_some(serve_returning *r, bool backward, bool all)
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
        if (!serve_attach_again(r, one)) r->dropped++;
    }
    return waiting;
}

// Siblings are listed in any order, mostly forward or backward, so that few passes are needed.
static void attach_all(serve_returning *r)
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
static void renew_link(serve_returning *r, uint32_t link, uint64_t from, uint64_t to)
{
    weft_world *world = r->call->world;
    const weft_link_info *info = &world->plan->schema->links[link];
    void *value = info->size != 0 ? weft_link_edit(world, link, from, to, "undo") : NULL;
    if (!value) return;
    weft_fields_change(world->plan->schema, info->fields, info->field_count, value, handle_now, r);
}

bool serve_link_again(serve_returning *r, uint64_t handle, uint32_t link, weft_scanned item)
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
    if (!serve_return_json(r, handle, before, value, "}]}}")) return false;
    const bool is_to = end[0] == 't';
    if (r->renewed != 0) renew_link(r, link, is_to ? handle : other, is_to ? other : handle);
    return true;
}

static void link_all(serve_returning *r)
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
                if (!serve_link_again(r, one->now, k, item)) r->dropped++;
            }
        }
    }
}

bool serve_return_all(serve_returning *r)
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
