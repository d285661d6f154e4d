// Buffers of recorded commands. change/apply.c applies them.
#include "command.h"

#include "../world/report.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Recording

void weft_commands_lose(weft_commands *commands, weft_status status, uint32_t count)
{
    if (commands->lost == 0) commands->trouble = status;
    commands->lost += count;
}

bool weft_commands_grow(weft_commands *commands, size_t bytes)
{
    weft_world *world = commands->world;
    if (!world) return false;
    weft_world_lock(world);
    bool grown = weft_region_grow(&world->heap, &commands->bytes, commands->used + bytes,
                                  WEFT_COMMAND_BYTES_MAX);
    weft_world_unlock(world);
    if (grown) return true;
    weft_commands_lose(commands, WEFT_NO_MEMORY, 1);
    weft_report(world, WEFT_NO_MEMORY, "no memory to record a command");
    return false;
}

bool weft_command_spawn_many(weft_commands *commands, uint16_t prefab, size_t n, const void *value,
                             size_t bytes)
{
    uint64_t count = n;
    weft_command *c =
        weft_command_append(commands, WEFT_COMMAND_SPAWN_MANY, prefab, 0, sizeof count + bytes);
    if (!c) return false;
    if (count <= commands->world->plan->max_entities) commands->many += count;
    memcpy(weft_command_value(c), &count, sizeof count);
    if (bytes != 0) memcpy(weft_command_value(c) + sizeof count, value, bytes);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Buffers

weft_commands *weft_commands_outside(weft_world *world)
{
    static weft_commands refusing; // shared by all worlds and threads: nothing is written to it
    if (weft_busy(world, "commands records only outside of that: use ctx->cmd")) return &refusing;
    return &world->buffers[0];
}

// Shares places out among the recorders of each phase. What records outside of systems has the
// first share of each if there are hooks, since those of tags that a system writes record there
// while a phase runs.
static void share_places(weft_world *world)
{
    const weft_recorder_plan *recorders = world->plan->recorders;
    const uint32_t count = world->plan->recorder_count;
    const uint32_t outside = world->hooks ? 1 : 0;
    weft_commands *buffers = world->buffers + 1;
    for (uint32_t first = 1, end = 1; first < count; first = end) {
        while (end < count && recorders[end].phase == recorders[first].phase) end++;
        for (uint32_t r = first; r < end; r++) {
            uint32_t parts = recorders[r].parallel ? WEFT_PARTS_MAX : 1;
            for (uint32_t i = 0; i < parts; i++, buffers++) {
                buffers->share = outside + r - first;
                buffers->shares = outside + end - first;
            }
        }
    }
}

void weft_commands_open(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        world->buffers[i].world = world;
        world->buffers[i].parts = world->buffers[i].shares = 1;
    }
    share_places(world);
}

bool weft_commands_trim(weft_world *world)
{
    bool trimmed = true;
    weft_region_free(&world->heap, &world->linking.last);
    weft_region_free(&world->heap, &world->places.indices);
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        weft_commands *commands = &world->buffers[i];
        trimmed = weft_region_trim(&world->heap, &commands->bytes, commands->used) && trimmed;
    }
    return trimmed;
}

// ------------------------------------------------------------------------------------------------
// Values

// The prefab that a command names; WEFT_NONE: none.
static uint16_t prefab_of(const weft_command *c)
{
    bool named = c->kind == WEFT_COMMAND_SPAWN || c->kind == WEFT_COMMAND_SPAWN_MANY ||
                 c->kind == WEFT_COMMAND_SET_PREFAB;
    return named ? c->what : WEFT_NONE;
}

// Bytes of a value before its struct: the count of a spawn of many, the second entity of a link.
static size_t lead_bytes(const weft_command *c)
{
    bool leads = c->kind == WEFT_COMMAND_SPAWN_MANY || weft_command_links_two(c);
    return leads ? sizeof(uint64_t) : 0;
}

size_t weft_command_bytes(const weft_plan *plan, const weft_command *c)
{
    uint16_t prefab = prefab_of(c);
    size_t bytes = lead_bytes(c);
    if (weft_command_sets(c)) bytes += plan->components[c->what].size;
    if (prefab != WEFT_NONE) bytes += plan->prefabs[prefab].size;
    return weft_command_size(bytes);
}
