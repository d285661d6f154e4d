// Commands of one entity are linked, so that the first of them runs all.
//
// Linking writes a stamp at the index of each command's entity: the place of the command. Where a
// stamp of these commands is there already, the entity has several. Each other entity costs linking
// one word of scratch memory.
#include "apply_link.h"

#include <string.h>

// Stamps begin anew when there are no more of them, and those that are written are cleared.
void weft_apply_number(weft_applying *a)
{
    weft_provisional *provisional = &a->world->provisional;
    uint32_t units = (uint32_t)(a->commands->used / WEFT_COMMAND_UNIT);
    if (units > UINT32_MAX - provisional->stamps) {
        memset(a->last, 0, provisional->last.bytes);
        provisional->stamps = 0;
    }
    a->stamp = provisional->stamps + 1;
    provisional->stamps += units;
}

// Links a command on an index whose stamp is `before`. Where two commands have different handles of
// one index, one of these is dead. A handle that is not alive now is dead too, even where a spawn
// of many may give it to an entity later.
static void link_with_care(weft_applying *a, weft_command *c, uint32_t before, uint32_t stamp)
{
    weft_place at;
    weft_command *earlier = NULL;
    if (before >= a->known) {
        earlier = weft_command_at(a->commands, (size_t)(before - a->stamp) * WEFT_COMMAND_UNIT);
    }
    if (earlier && earlier->handle == c->handle && c->kind != WEFT_COMMAND_SPAWN) {
        earlier->next = stamp - a->stamp;
        c->role = WEFT_ROLE_FOLLOWS;
    } else if (!weft_apply_lives(a, c, &at)) {
        c->role = WEFT_ROLE_DEAD;
        return;
    }
    a->last[weft_handle_index(a->world->plan->format, c->handle)] = stamp;
}

// Resolves the handle of a command's entity. False: it is a spawn that got no index.
static bool target_ready(weft_applying *a, weft_command *c)
{
    if (c->kind == WEFT_COMMAND_SPAWN) return c->handle != 0;
    c->handle = weft_apply_resolved(a, c->handle);
    return true;
}

// Links commands alike up to the first that is not. Returns where that is. `spawns` is a constant
// that says whether the buffer spawns: most do not, and then no handle is provisional.
WEFT_ALWAYS_INLINE size_t link_alike(weft_applying *a, size_t offset, size_t bytes, bool spawns)
{
    weft_command *c = weft_command_at(a->commands, offset);
    const weft_command *end = weft_command_at(a->commands, a->commands->used);
    const uint64_t head = weft_command_head(c);
    const weft_format f = a->world->plan->format;
    const uint32_t history = a->commands->many == 0 ? a->known : 0;
    const uint32_t units = (uint32_t)(bytes / WEFT_COMMAND_UNIT);
    uint32_t *last = a->last;
    uint32_t stamp = a->stamp + (uint32_t)(offset / WEFT_COMMAND_UNIT);
    for (; c < end && weft_command_head(c) == head;
         c = weft_command_behind(c, bytes), stamp += units) {
        if (spawns && !target_ready(a, c)) continue;
        uint32_t index = weft_handle_index(f, c->handle);
        if (index >= a->indices) continue; // of no entity
        if (WEFT_LIKELY(last[index] < history)) {
            last[index] = stamp;
        } else {
            link_with_care(a, c, last[index], stamp);
        }
    }
    return (size_t)((unsigned char *)c - a->commands->bytes.base);
}

// Says whether all that is recorded before a command is applied before it.
static bool is_barrier(const weft_command *c)
{
    return c->kind == WEFT_COMMAND_CLEAR || c->kind == WEFT_COMMAND_ATTACH ||
           c->kind == WEFT_COMMAND_DETACH;
}

size_t weft_apply_link(weft_applying *a, size_t offset)
{
    a->known = a->stamp + (uint32_t)(offset / WEFT_COMMAND_UNIT);
    while (offset < a->commands->used) {
        const weft_command *c = weft_command_at(a->commands, offset);
        size_t bytes = weft_command_bytes(a->world->plan, c);
        if (is_barrier(c)) return offset + bytes;
        if (c->kind == WEFT_COMMAND_SPAWN_MANY) {
            offset += bytes;
        } else {
            offset = a->commands->spawned == 0 ? link_alike(a, offset, bytes, false)
                                               : link_alike(a, offset, bytes, true);
        }
    }
    return offset;
}
