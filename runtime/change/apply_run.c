// Running commands, each in its turn. Runs of commands alike, on an entity each, are generated
// code's (change/runs.h), as far as they are the common case; where a buffer has nothing else they run
// without having been linked.
#include "apply.h"

#include "relation.h"
#include "component.h"

#include <string.h>

static void run_spawn_many(weft_applying *a, weft_command *c)
{
    uint64_t n;
    uint32_t first_row;
    memcpy(&n, weft_command_value(c), sizeof n);
    weft_apply_resolve(a, c);
    weft_status status =
        weft_prefab_spawn(a->world, c->what, n, weft_command_value(c) + sizeof n, NULL, &first_row);
    if (status != WEFT_OK) weft_apply_lose(a, status, 1, 0);
}

// Attaches or detaches; detaching who has no parent is fine.
static void run_link(weft_applying *a, weft_command *c)
{
    weft_world *world = a->world;
    bool attaches = c->kind == WEFT_COMMAND_ATTACH;
    uint64_t child = weft_apply_resolved(a, c->handle);
    weft_apply_resolve(a, c);
    uint64_t parent = attaches ? weft_command_parent(c) : child;
    weft_status status = attaches ? weft_link_attach(world, c->what, child, parent)
                                  : weft_link_detach(world, c->what, child);
    if (status == WEFT_NO_MEMORY) {
        weft_apply_lose(a, status, 1, child);
    } else if (status == WEFT_DEAD || status == WEFT_REFUSED) {
        world->commands_dropped++;
        weft_refuse_link(world, status, c->what, child, parent);
    }
}

static void run_command(weft_applying *a, weft_command *c)
{
    switch ((weft_command_kind)c->kind) {
    case WEFT_COMMAND_SPAWN:
    case WEFT_COMMAND_DESPAWN:
    case WEFT_COMMAND_SET:
    case WEFT_COMMAND_REMOVE:
    case WEFT_COMMAND_SET_PREFAB:
        if (c->role != WEFT_ROLE_FOLLOWS) weft_apply_entity(a, c);
        break;
    case WEFT_COMMAND_SPAWN_MANY:
        run_spawn_many(a, c);
        break;
    case WEFT_COMMAND_CLEAR:
        weft_rows_clear(a->world, c->what);
        break;
    case WEFT_COMMAND_ATTACH:
    case WEFT_COMMAND_DETACH:
        run_link(a, c);
        break;
    }
}

// What generated code has for commands such as this one; NULL: nothing.
static weft_command_run quick_run(const weft_applying *a, const weft_command *c)
{
    const weft_component_plan *components = a->world->plan->components;
    if (c->kind == WEFT_COMMAND_REMOVE) return components[c->what].run_removals;
    if (c->kind != WEFT_COMMAND_SET) return NULL;
    bool resolves = components[c->what].has_entities && a->commands->spawned != 0;
    return resolves ? NULL : components[c->what].run_sets;
}

// Whether all commands from one to the end are alike.
static bool all_alike(weft_command *c, const weft_command *end, size_t bytes)
{
    const uint64_t head = weft_command_head(c);
    while (c < end && weft_command_head(c) == head) c = weft_command_behind(c, bytes);
    return c == end;
}

// They need not be linked: where an entity has several, those after the first find what it left,
// and at most overwrite the value.
size_t weft_apply_run_alike(weft_applying *a, size_t offset)
{
    weft_command *c = weft_command_at(a->commands, offset);
    const weft_command *end = weft_command_at(a->commands, a->commands->used);
    weft_command_run run = quick_run(a, c);
    if (!run || !all_alike(c, end, weft_command_bytes(a->world->plan, c))) return offset;
    return (size_t)((unsigned char *)run(a->world, c, end) - a->commands->bytes.base);
}

void weft_apply_run(weft_applying *a, size_t offset, size_t end)
{
    const weft_command *after = weft_command_at(a->commands, end);
    for (weft_command *c = weft_command_at(a->commands, offset); c < after;) {
        weft_command_run run = quick_run(a, c);
        weft_command *rest = run ? run(a->world, c, after) : c;
        if (rest == c) {
            run_command(a, c);
            rest = weft_command_behind(c, weft_command_bytes(a->world->plan, c));
        }
        c = rest;
    }
}
