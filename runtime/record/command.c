// Buffers of recorded commands. edit/apply.c applies them.
#include "command.h"

#include "../world/report.h"

#include <string.h>

// Blocks of places for spawn commands (places.h).
#define BLOCK_BITS 4u    // in most worlds
#define BLOCKS_LEAST 16u // blocks for each buffer, if max_entities allows

// ------------------------------------------------------------------------------------------------
// Recording

void weft_commands_lose(weft_commands *commands, weft_status status, uint32_t count)
{
    if (commands->lost == 0) commands->trouble = status;
    commands->lost += count;
    WEFT_STORE_RELAXED(&commands->world->now.asides.recorded, true);
}

bool weft_commands_grow(weft_commands *commands, size_t bytes)
{
    weft_world *world = commands->world;
    bool grown = true;
    if (!world) return false;
    if (commands->bytes.bytes - commands->used < bytes) {
        weft_world_lock(world);
        grown = weft_region_grow(&world->heap, &commands->bytes, commands->used + bytes,
                                 WEFT_COMMAND_BYTES_MAX);
        weft_world_unlock(world);
    }
    if (grown) {
        WEFT_STORE_RELAXED(&world->now.asides.recorded, true);
        commands->end = commands->bytes.bytes;
        return true;
    }
    weft_commands_lose(commands, WEFT_NO_MEMORY, 1);
    weft_report(world, WEFT_NO_MEMORY, "no memory to record a command");
    return false;
}

bool weft_command_set_prefab(weft_commands *commands, uint16_t prefab, uint64_t handle,
                             const void *value, size_t bytes)
{
    weft_command *c = weft_command_append(commands, WEFT_COMMAND_SET_PREFAB, prefab, handle, bytes);
    if (!c) return false;
    value = weft_prefab_given(&commands->world->plan->prefabs[prefab], value);
    memcpy(weft_command_value(c), value, bytes);
    return true;
}

bool weft_command_spawn_many(weft_commands *commands, uint16_t prefab, size_t n, const void *value,
                             size_t bytes)
{
    uint64_t count = n;
    weft_command *c =
        weft_command_append(commands, WEFT_COMMAND_SPAWN_MANY, prefab, 0, sizeof count + bytes);
    if (!c) return false;
    const weft_prefab_plan *plan = &commands->world->plan->prefabs[prefab];
    if (count <= commands->world->plan->max_entities)
        commands->many += count * (plan->tree ? plan->tree->part_count : 1u);
    memcpy(weft_command_value(c), &count, sizeof count);
    value = weft_prefab_given(plan, value);
    memcpy(weft_command_value(c) + sizeof count, value, bytes);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Buffers

weft_commands *weft_commands_outside(weft_world *world)
{
    static weft_commands refusing; // shared by all worlds and threads: it is never written to
    if (weft_busy_to_look(world, "commands records only outside of that: use ctx->cmd")) {
        return &refusing;
    }
    return &world->commands.buffers[0];
}

// Returns the first recorder after those of the same segment as `recorder`.
static uint32_t segment_end(const weft_plan *plan, uint32_t recorder)
{
    uint32_t end = recorder;
    while (end < plan->recorder_count &&
           plan->recorders[end].segment == plan->recorders[recorder].segment) {
        end++;
    }
    return end;
}

// Returns the number of places in a block, as a power of two: 16, or fewer if max_entities is so
// small that some recorders would get no block. It depends only on the schema.
static uint32_t block_bits_of(const weft_plan *plan)
{
    uint64_t blocks = (uint64_t)plan->buffer_count * BLOCKS_LEAST;
    uint32_t bits = BLOCK_BITS;
    while (bits > 0 && blocks << bits > plan->max_entities) bits--;
    return bits;
}

// Distributes places among the recorders of each segment. If there are hooks, the recorder outside
// of systems gets a share too, because hooks of tags that a system writes record there while a
// phase runs. Its share is the first, and all segments then use the number of shares of the largest
// segment.
static void share_places(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_commands *buffers = world->commands.buffers + 1;
    uint32_t most = 0;
    for (uint32_t first = 1; first < plan->recorder_count; first = segment_end(plan, first)) {
        uint32_t count = segment_end(plan, first) - first;
        if (count > most) most = count;
    }
    world->commands.buffers[0].shares = 1 + most;
    world->commands.places.block_bits = block_bits_of(plan);
    for (uint32_t first = 1, r = 1; r < plan->recorder_count; r++) {
        uint32_t parts = plan->recorders[r].parallel ? WEFT_PARTS_MAX : 1;
        if (r == segment_end(plan, first)) first = r;
        for (uint32_t i = 0; i < parts; i++, buffers++) {
            buffers->share = world->hooks ? 1 + r - first : r - first;
            buffers->shares = world->hooks ? 1 + most : segment_end(plan, first) - first;
        }
    }
}

void weft_commands_open(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        world->commands.buffers[i].world = world;
        world->commands.buffers[i].parts = 1;
    }
    if (world->plan->buffer_count != 0) share_places(world);
}

bool weft_commands_trim_one(weft_commands *commands)
{
    bool trimmed = weft_region_trim(&commands->world->heap, &commands->bytes, commands->used);
    if (commands->used != 0) commands->end = commands->bytes.bytes;
    return trimmed;
}

bool weft_commands_trim(weft_world *world)
{
    bool trimmed = true;
    weft_region_free(&world->heap, &world->scratch.chains.last);
    weft_region_free(&world->heap, &world->commands.places.indices);
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        weft_commands *commands = &world->commands.buffers[i];
        trimmed = weft_commands_trim_one(commands) && trimmed;
    }
    return trimmed;
}

// ------------------------------------------------------------------------------------------------
// Values

uint32_t weft_commands_in(const weft_commands *commands)
{
    uint32_t count = 0;
    for (size_t offset = 0; offset < commands->used; count++) {
        offset += weft_command_bytes(commands->world->plan, weft_command_at(commands, offset));
    }
    return count;
}
