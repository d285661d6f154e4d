// Loops over commands that are alike: see apply_alike.h.
#include "apply_alike.h"

#include "../world/listing.h"
#include "linking.h"
#include "member.h"

// Returns whether spawns of a prefab can run in a loop. With hooks they run one by one, because a
// hook of the first must not see the second entity.
static bool spawns_alike(const weft_world *world, uint16_t prefab)
{
    if (prefab == WEFT_NONE || world->hooks) return false;
    const weft_prefab_plan *p = &world->plan->prefabs[prefab];
    return p->append && !p->tree;
}

// Returns whether a despawn only removes a row: no hook is called, no link is removed.
static bool despawns_alike(const weft_world *world)
{
    return !world->hooks && world->attached == 0 && world->linked == 0;
}

// Runs spawns up to the first command that is of another kind, has others on its entity, is lost,
// or lacks memory.
WEFT_APART static weft_command *run_spawns(weft_applying *a, weft_command *c,
                                           const weft_command *end)
{
    weft_world *world = a->world;
    const weft_command like = {.kind = WEFT_COMMAND_SPAWN, .what = c->what};
    const uint64_t head = weft_command_head(&like);
    const weft_prefab_plan *prefab = &world->plan->prefabs[c->what];
    const size_t bytes = weft_command_size(prefab->size);
    weft_table *table = world->shared.prefab_tables[c->what];
    const uint32_t first = table->count;
    for (; c < end && weft_command_head(c) == head && c->handle != 0;
         c = weft_command_behind(c, bytes)) {
        if (WEFT_UNLIKELY(table->count == table->capacity) &&
            !weft_world_table_ready(world, table, table->count + 1)) {
            break;
        }
        prefab->append(world, c->handle, table, weft_command_value(c));
    }
    if (table->count == first) return c;
    world->entities.promised -= table->count - first;
    weft_mark_added_range(&table->change_bits, first, table->count - first);
    weft_world_changed(world);
    return c;
}

// Runs despawns up to the first command of another kind, with others on its entity, or on a dead
// one.
WEFT_APART static weft_command *run_despawns(weft_applying *a, weft_command *c,
                                             const weft_command *end)
{
    const weft_command like = {.kind = WEFT_COMMAND_DESPAWN, .what = c->what};
    const uint64_t head = weft_command_head(&like);
    const weft_format f = a->world->plan->format;
    weft_place at;
    for (; c < end && weft_command_head(c) == head &&
           weft_find(&a->world->entities, f, c->handle, &at);
         c = weft_command_after(c, 0)) {
        weft_despawn_at(a->world, c->handle, at);
    }
    return c;
}

// Runs changes of links of one kind.
WEFT_APART static weft_command *run_links(weft_applying *a, weft_command *c,
                                          const weft_command *end)
{
    const uint64_t head = weft_command_head(c);
    const size_t bytes = weft_command_bytes(a->world->plan, c);
    for (; c < end && weft_command_head(c) == head; c = weft_command_behind(c, bytes)) {
        weft_link_run(a, c);
    }
    return c;
}

weft_command *weft_alike_run(weft_applying *a, weft_command *c, const weft_command *end)
{
    weft_command_run run;
    switch ((weft_command_kind)c->kind) {
    case WEFT_COMMAND_SET:
    case WEFT_COMMAND_REMOVE:
        run = a->world->plan->components[c->what].run;
        return run ? run(a->world, c, end) : c;
    case WEFT_COMMAND_SPAWN:
        return spawns_alike(a->world, c->what) ? run_spawns(a, c, end) : c;
    case WEFT_COMMAND_DESPAWN:
        return despawns_alike(a->world) ? run_despawns(a, c, end) : c;
    case WEFT_COMMAND_LINK_SET:
    case WEFT_COMMAND_LINK_REMOVE:
        return run_links(a, c, end);
    default:
        return c;
    }
}

// Returns whether all commands from `c` to the end have one kind and concern one component.
static bool all_alike(weft_command *c, const weft_command *end, size_t bytes)
{
    const uint64_t head = weft_command_head(c);
    while (c < end && weft_command_head(c) == head) c = weft_command_behind(c, bytes);
    return c == end;
}

size_t weft_alike_whole(weft_applying *a, size_t offset)
{
    weft_command *c = weft_command_at(a->commands, offset);
    const weft_command *end = weft_command_at(a->commands, a->commands->used);
    // A barrier needs no commands after it to be known. Looking at them for each barrier would take
    // quadratic time.
    if (!weft_command_links(c) && !all_alike(c, end, weft_command_bytes(a->world->plan, c)))
        return offset;
    return (size_t)((unsigned char *)weft_alike_run(a, c, end) - a->commands->bytes.base);
}
