// Recording commands: buffers, and the handles that lie in them. weft_apply.c applies them.
#include "weft_record.h"

#include "weft_structure.h"

#include <inttypes.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Recording

static void record_lost(weft_commands *commands, weft_status status)
{
    if (commands->lost++ == 0) commands->trouble = status;
}

// The new record, its value not yet written; NULL: no memory, remembered.
static weft_record *append(weft_commands *commands, weft_command command)
{
    size_t bytes = weft_record_bytes(&command);
    if (commands->bytes.bytes - commands->used < bytes &&
        !weft_region_grow(&commands->world->heap, &commands->bytes, commands->used + bytes,
                          WEFT_COMMAND_BYTES_MAX)) {
        record_lost(commands, WEFT_NO_MEMORY);
        weft_world_say(commands->world, WEFT_NO_MEMORY, "no memory to record a command");
        return NULL;
    }
    weft_record *r = weft_record_at(commands, commands->used);
    *r = (weft_record){command, 0, WEFT_ROLE_NONE};
    commands->used += bytes;
    commands->count++;
    return r;
}

bool weft_command_push(weft_commands *commands, weft_command command, const void *value)
{
    weft_record *r = append(commands, command);
    if (!r) return false;
    if (command.bytes != 0) memcpy(weft_record_value(r), value, command.bytes);
    return true;
}

uint64_t weft_command_spawn(weft_commands *commands, uint16_t prefab, const void *value,
                            uint32_t bytes)
{
    weft_provisional *provisional = &commands->world->provisional;
    uint32_t limit = weft_provisional_limit(commands->world->plan);
    if (provisional->issued == limit) {
        record_lost(commands, WEFT_FULL);
        weft_world_say(commands->world, WEFT_FULL,
                       "no room: %" PRIu32
                       " spawn commands wait to be applied, as many as an index "
                       "can number; record spawns of many, or raise index_bits",
                       limit);
        return 0;
    }
    uint64_t handle = ((uint64_t)provisional->first + provisional->issued) % limit + 1;
    if (!weft_command_record(commands, WEFT_COMMAND_SPAWN, prefab, handle, value, bytes)) return 0;
    provisional->issued++;
    commands->spawned++;
    return handle;
}

bool weft_command_spawn_many(weft_commands *commands, uint16_t prefab, size_t n, const void *value,
                             uint32_t bytes)
{
    uint64_t count = n;
    weft_record *r = append(commands, (weft_command){WEFT_COMMAND_SPAWN_MANY, prefab,
                                                     (uint32_t)sizeof count + bytes, 0});
    if (!r) return false;
    if (count <= commands->world->plan->max_entities) commands->many += count;
    memcpy(weft_record_value(r), &count, sizeof count);
    if (bytes != 0) memcpy(weft_record_value(r) + sizeof count, value, bytes);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Buffers

bool weft_commands_open(weft_world *world)
{
    uint32_t count = world->plan->buffer_count;
    size_t bytes = count * sizeof *world->buffers;
    world->buffers = (weft_commands *)weft_allocate_zeroed(&world->heap, bytes);
    if (!world->buffers) return count == 0;
    for (uint32_t i = 0; i < count; i++) world->buffers[i].world = world;
    return true;
}

void weft_commands_close(weft_world *world)
{
    uint32_t count = world->plan->buffer_count;
    for (uint32_t i = 0; world->buffers && i < count; i++) {
        weft_region_free(&world->heap, &world->buffers[i].bytes);
    }
    weft_free(&world->heap, world->buffers, count * sizeof *world->buffers);
    weft_region_free(&world->heap, &world->provisional.handles);
    weft_region_free(&world->heap, &world->provisional.last);
}

// ------------------------------------------------------------------------------------------------
// Handles inside commands

static void change_in_prefab(const weft_world *world, uint16_t prefab, unsigned char *value,
                             weft_handle_change change, void *context)
{
    const weft_prefab_plan *p = &world->plan->prefabs[prefab];
    for (uint32_t i = 0; i < p->component_count; i++) {
        weft_handles_change(world, p->components[i], value + p->offsets[i], change, context);
    }
}

void weft_record_change(const weft_world *world, weft_record *r, weft_handle_change change,
                        void *context)
{
    uint16_t what = r->command.what;
    unsigned char *value = weft_record_value(r);
    switch ((weft_command_kind)r->command.kind) {
    case WEFT_COMMAND_SET:
        weft_handles_change(world, what, value, change, context);
        break;
    case WEFT_COMMAND_SPAWN:
        if (what != WEFT_NONE) change_in_prefab(world, what, value, change, context);
        break;
    case WEFT_COMMAND_SET_PREFAB:
        change_in_prefab(world, what, value, change, context);
        break;
    case WEFT_COMMAND_SPAWN_MANY:
        change_in_prefab(world, what, value + sizeof(uint64_t), change, context);
        break;
    case WEFT_COMMAND_DESPAWN:
    case WEFT_COMMAND_REMOVE:
    case WEFT_COMMAND_CLEAR:
        break;
    }
}

// The handle, or none if it is dead; provisional ones are not dead yet.
static uint64_t not_dead(void *context, uint64_t handle)
{
    const weft_world *world = (const weft_world *)context;
    weft_format f = world->plan->format;
    weft_place at;
    bool kept = weft_is_provisional(f, handle) || weft_find(&world->entities, f, handle, &at);
    return kept ? handle : 0;
}

void weft_commands_forget_dead(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->buffer_count; i++) {
        weft_commands *commands = &world->buffers[i];
        for (size_t offset = 0; offset < commands->used;) {
            weft_record *r = weft_record_at(commands, offset);
            r->command.handle = not_dead(world, r->command.handle);
            weft_record_change(world, r, not_dead, world);
            offset += weft_record_bytes(&r->command);
        }
    }
}
