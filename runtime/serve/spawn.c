// Spawns entities, of a prefab with the given values for it and its parts.
//
// The values of a part are {"components": {…}, "parts": {…}}, and those of several parts are an
// array of these. All values are checked before the entities are spawned with their defaults. Then
// the given values are written. If the world refuses one of them, all entities are despawned again.
#include "spawn.h"

#include "edit.h"
#include "parts.h"

#include "../edit/calls.h"
#include "../edit/composite.h"
#include "../world/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An entity to be spawned, with its values in the request.
typedef struct spawn_entity {
    const weft_part_info *part; // NULL for the root
    uint32_t item;              // its number among the entities of this part
    weft_scanned components;
    weft_scanned parts;
} spawn_entity;

// The entities of a prefab. Entities and handles are numbered like the parts of its tree.
typedef struct spawn_request {
    serve_call *call;
    const weft_tree *tree; // NULL if the prefab has no parts
    uint32_t prefab;
    uint32_t count;
    spawn_entity *entities;
    unsigned char *handles; // the generated struct of all handles
} spawn_request;

// ------------------------------------------------------------------------------------------------
// Refusals

// Adds the path of a part to the message of a refusal, as in "parts.turret.parts.barrel[1]: …".
static bool refuse_part(const spawn_request *s, uint32_t node)
{
    serve_call *call = s->call;
    char why[sizeof call->why];
    for (; node != 0; node = s->tree->parts[node].above) {
        const spawn_entity *one = &s->entities[node];
        const bool is_leaf = strncmp(call->why, "parts.", 6) != 0;
        memcpy(why, call->why, sizeof why);
        if (one->part->count > 1) {
            snprintf(call->why, sizeof call->why, "parts.%.64s[%u]%s%.400s", one->part->name,
                     (unsigned)one->item, is_leaf ? ": " : ".", why);
        } else {
            snprintf(call->why, sizeof call->why, "parts.%.64s%s%.400s", one->part->name,
                     is_leaf ? ": " : ".", why);
        }
    }
    return false;
}

static bool refuse_kind(const spawn_request *s, uint32_t above, const char *name, const char *kind)
{
    serve_refuse(s->call, SERVE_INVALID_PARAMS, "'%.64s' must be %s", name, kind);
    return refuse_part(s, above);
}

// ------------------------------------------------------------------------------------------------
// Reading

// Returns the first entity of a part, given by its name, or 0 if the entity `above` lacks it.
static uint32_t first_of(const spawn_request *s, uint32_t above, weft_scanned name)
{
    for (uint32_t i = above + 1; i < s->count; i++) {
        if (s->tree->parts[i].above == above && weft_scan_is(name, s->entities[i].part->name)) {
            return i;
        }
    }
    return 0;
}

// Reads the values of a part: an object, or null for the defaults.
static bool read_part(const spawn_request *s, uint32_t node, weft_scanned value)
{
    spawn_entity *to = &s->entities[node];
    const char *at = NULL;
    weft_scanned inner;
    if (weft_scan_kind(value) == 'n') return true;
    if (weft_scan_kind(value) != '{') {
        return refuse_kind(s, s->tree->parts[node].above, to->part->name, "an object or null");
    }
    for (weft_scanned name = weft_scan_next_member(value, &at, &inner); name.bytes != 0;
         name = weft_scan_next_member(value, &at, &inner)) {
        const bool is_components = weft_scan_is(name, "components");
        weft_scanned *member = is_components ? &to->components : &to->parts;
        if (!is_components && !weft_scan_is(name, "parts")) {
            serve_refuse(s->call, SERVE_INVALID_PARAMS, "a part takes no %.*s",
                         (int)(name.bytes < 66 ? name.bytes : 66), name.text);
            return refuse_part(s, node);
        }
        if (member->bytes != 0) {
            serve_refuse(s->call, SERVE_INVALID_PARAMS, "'%s' occurs twice",
                         is_components ? "components" : "parts");
            return refuse_part(s, node);
        }
        if (weft_scan_kind(inner) != '{') {
            return refuse_kind(s, node, is_components ? "components" : "parts", "an object");
        }
        *member = inner;
    }
    return true;
}

// Reads the values of all entities of a part with a count. `node` is the first of them.
static bool read_items(const spawn_request *s, uint32_t above, uint32_t node, weft_scanned value)
{
    const weft_part_info *part = s->entities[node].part;
    const char *at = NULL;
    if (weft_scan_kind(value) == 'n') return true;
    if (weft_scan_kind(value) != '[') return refuse_kind(s, above, part->name, "an array or null");
    uint32_t item = 0;
    for (weft_scanned one = weft_scan_next(value, &at); one.bytes != 0;
         one = weft_scan_next(value, &at), item++) {
        if (item == part->count) {
            serve_refuse(s->call, SERVE_INVALID_PARAMS, "'%.64s' has more than %u items",
                         part->name, (unsigned)part->count);
            return refuse_part(s, above);
        }
        while (s->tree->parts[node].above != above || s->entities[node].part != part ||
               s->entities[node].item != item) {
            node++;
        }
        if (!read_part(s, node, one)) return false;
    }
    return true;
}

// Reads the values of the parts of an entity.
static bool read_parts(const spawn_request *s, uint32_t above)
{
    const weft_scanned parts = s->entities[above].parts;
    const char *at = NULL;
    weft_scanned value;
    for (weft_scanned name = weft_scan_next_member(parts, &at, &value); name.bytes != 0;
         name = weft_scan_next_member(parts, &at, &value)) {
        const uint32_t node = first_of(s, above, name);
        if (node == 0) {
            const uint16_t of = s->tree ? s->tree->parts[above].prefab : (uint16_t)s->prefab;
            serve_refuse(s->call, SERVE_INVALID_PARAMS, "prefab '%.64s' has no part %.*s here",
                         s->call->world->plan->schema->prefabs[of].name,
                         (int)(name.bytes < 66 ? name.bytes : 66), name.text);
            return refuse_part(s, above);
        }
        const weft_part_info *part = s->entities[node].part;
        if (weft_scan_member(parts, part->name).text != value.text) {
            serve_refuse(s->call, SERVE_INVALID_PARAMS, "'%.64s' occurs twice", part->name);
            return refuse_part(s, above);
        }
        if (!(part->count > 1 ? read_items(s, above, node, value) : read_part(s, node, value))) {
            return false;
        }
    }
    return true;
}

// Reads and checks the values of all entities. Entities are before their parts.
static bool read_all(const spawn_request *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const weft_scanned components = s->entities[i].components;
        if (components.bytes != 0 && !serve_write_components(s->call, 0, components)) {
            return refuse_part(s, i);
        }
        if (s->entities[i].parts.bytes != 0 && !read_parts(s, i)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Spawning

static uint64_t handle_of(const spawn_request *s, uint32_t node)
{
    const uint32_t at = s->tree ? s->tree->parts[node].handle : 0;
    return weft_handle_load(s->call->world->plan->format, s->handles + at, 0);
}

// Spawns the entities with their defaults, and stores their handles.
static bool spawn_all(const spawn_request *s)
{
    weft_world *world = s->call->world;
    uint64_t handle;
    if (s->tree) {
        if (weft_tree_spawn(world, s->prefab, NULL, s->handles) != 0) return true;
    } else if (s->prefab == WEFT_NONE) {
        handle = weft_spawn_empty(world);
        weft_handle_store(world->plan->format, s->handles, 0, handle);
        if (handle != 0) return true;
    } else if (weft_spawn_any(world, s->prefab, 1, NULL, s->handles)) {
        return true;
    }
    return serve_refuse_world(s->call);
}

// Writes the given values. If one is refused, all entities are despawned.
static bool write_given(const spawn_request *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const weft_scanned components = s->entities[i].components;
        if (components.bytes == 0) continue;
        if (serve_write_components(s->call, handle_of(s, i), components)) continue;
        for (uint32_t k = 0; k < s->count; k++) weft_despawn(s->call->world, handle_of(s, k));
        return refuse_part(s, i);
    }
    return true;
}

static size_t handles_bytes(const weft_tree *tree)
{
    uint32_t last = 0;
    for (uint32_t i = 0; tree && i < tree->part_count; i++) {
        if (tree->parts[i].handle > last) last = tree->parts[i].handle;
    }
    return last + sizeof(uint64_t);
}

static void spawn_checked(const spawn_request *s)
{
    const weft_plan *plan = s->call->world->plan;
    s->entities[0].components = weft_scan_member(s->call->params, "components");
    s->entities[0].parts = weft_scan_member(s->call->params, "parts");
    for (uint32_t i = 1; i < s->count; i++) {
        s->entities[i].part = serve_part_of(plan, s->tree, i, &s->entities[i].item);
    }
    if (!read_all(s) || !spawn_all(s) || !write_given(s)) return;
    serve_add(s->call->out, "{\"id\":");
    serve_add_handle(s->call, handle_of(s, 0));
    serve_add(s->call->out, "}");
}

void serve_spawn(serve_call *call)
{
    const weft_plan *plan = call->world->plan;
    const weft_schema *schema = plan->schema;
    weft_names prefabs = WEFT_NAMES("prefab", NULL, schema->prefabs, schema->prefab_count);
    spawn_request s = {.call = call, .prefab = WEFT_NONE, .count = 1};
    if (weft_scan_member(call->params, "prefab").bytes != 0) {
        if (!serve_take_name(call, "prefab", prefabs, &s.prefab)) return;
        s.tree = plan->prefabs[s.prefab].tree;
    } else if (weft_scan_member(call->params, "parts").bytes != 0) {
        serve_refuse(call, SERVE_INVALID_PARAMS,
                     "'prefab' is missing: it decides which parts there are");
        return;
    }
    if (s.tree) s.count = s.tree->part_count;
    s.entities = (spawn_entity *)calloc(s.count, sizeof *s.entities);
    s.handles = (unsigned char *)calloc(1, handles_bytes(s.tree));
    if (s.entities && s.handles) {
        spawn_checked(&s);
    } else {
        serve_refuse(call, SERVE_TOO_LARGE, "no memory for the parts");
    }
    free(s.entities);
    free(s.handles);
}
