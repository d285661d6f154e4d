// Buffers of recorded commands, and the handles that lie in them. change/apply.c applies them.
#include "command.h"

#include "../world/report.h"

#include <inttypes.h>
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

static uint64_t spawn_lost(weft_commands *commands)
{
    if (!commands->world) return 0;
    weft_commands_lose(commands, WEFT_FULL, 1);
    weft_report(commands->world, WEFT_FULL,
                "no room: %" PRIu32 " spawn commands wait to be applied, as many as there are "
                "numbers for; record spawns of many, or raise index_bits",
                commands->numbers);
    return 0;
}

uint64_t weft_command_spawn(weft_commands *commands, uint16_t prefab, const void *value,
                            size_t bytes)
{
    if (WEFT_UNLIKELY(commands->spawned == commands->numbers)) return spawn_lost(commands);
    uint64_t handle = (uint64_t)weft_provisional_number(commands, commands->spawned) + 1;
    if (!weft_command_record(commands, WEFT_COMMAND_SPAWN, prefab, handle, value, bytes)) return 0;
    commands->spawned++;
    return handle;
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

// Divides the numbers of provisional handles into `shares` and gives a recorder one of them,
// divided among its buffers. Returns the number of these buffers.
static uint32_t number_buffers(const weft_world *world, const weft_recorder_plan *recorder,
                               weft_commands *buffers, uint32_t share, uint32_t shares)
{
    uint32_t limit = weft_provisional_limit(world->plan);
    uint32_t numbers = limit / shares == 0 ? 1 : limit / shares;
    uint32_t parts = recorder->parallel ? numbers / WEFT_PART_NUMBERS_MIN : 1;
    if (parts == 0) parts = 1;
    if (parts > WEFT_PARTS_MAX) parts = WEFT_PARTS_MAX;
    for (uint32_t i = 0; i < parts; i++) {
        uint64_t first = (uint64_t)share * numbers + (uint64_t)i * (numbers / parts);
        buffers[i].numbers = numbers / parts;
        buffers[i].number_first = (uint32_t)(first % limit);
    }
    return recorder->parallel ? WEFT_PARTS_MAX : 1;
}

// Shares the numbers out among the recorders of each phase. What records outside of systems, and
// hooks, may record at any time, so these have shares of their own beside those of every phase: the
// first share, and one as large behind it (weft_hooks_applying).
static void share_numbers(weft_world *world)
{
    const weft_recorder_plan *recorders = world->plan->recorders;
    const uint32_t count = world->plan->recorder_count;
    const uint32_t always = world->hooks ? 2 : 1;
    weft_commands *buffers = world->buffers + 1;
    uint32_t shares_most = always;
    for (uint32_t first = 1, end = 1; first < count; first = end) {
        while (end < count && recorders[end].phase == recorders[first].phase) end++;
        uint32_t shares = always + end - first;
        if (shares > shares_most) shares_most = shares;
        for (uint32_t r = first; r < end; r++) {
            buffers += number_buffers(world, &recorders[r], buffers, always + r - first, shares);
        }
    }
    number_buffers(world, &recorders[0], world->buffers, 0, shares_most);
}

void weft_commands_open(weft_world *world)
{
    uint32_t count = world->plan->buffer_count;
    for (uint32_t i = 0; i < count; i++) world->buffers[i].world = world;
    if (count != 0) share_numbers(world);
}

bool weft_commands_trim(weft_world *world)
{
    bool trimmed = true;
    weft_region_free(&world->heap, &world->provisional.handles);
    weft_region_free(&world->heap, &world->provisional.last);
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

void weft_command_change(const weft_world *world, weft_command *c, weft_handle_change change,
                         void *context)
{
    unsigned char *value = weft_command_value(c) + lead_bytes(c);
    if (weft_command_sets(c)) weft_handles_change(world, c->what, value, change, context);
    if (weft_command_links_two(c)) {
        uint64_t other = change(context, weft_command_other(c));
        memcpy(weft_command_value(c), &other, sizeof other);
    }
    if (prefab_of(c) == WEFT_NONE) return;
    const weft_prefab_plan *p = &world->plan->prefabs[c->what];
    for (uint32_t i = 0; i < p->member_count; i++) {
        weft_handles_change(world, p->components[i], value + p->offsets[i], change, context);
    }
}

// Returns the handle, or none if it is dead. Provisional ones are not dead yet.
static uint64_t not_dead(void *context, uint64_t handle)
{
    const weft_world *world = (const weft_world *)context;
    weft_format f = world->plan->format;
    weft_place at;
    bool kept = weft_is_provisional(f, handle) || weft_find(&world->entities, f, handle, &at);
    return kept ? handle : 0;
}

void weft_commands_forget_dead(weft_world *world, const weft_commands *commands)
{
    for (size_t offset = 0; offset < commands->used;) {
        weft_command *c = weft_command_at(commands, offset);
        c->handle = not_dead(world, c->handle);
        weft_command_change(world, c, not_dead, world);
        offset += weft_command_bytes(world->plan, c);
    }
}
