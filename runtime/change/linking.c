// Stamps of commands: see linking.h.
#include "linking.h"

#include <string.h>

void weft_linking_begin(weft_applying *a)
{
    weft_linking *linking = &a->world->linking;
    uint32_t units = (uint32_t)(a->commands->used / WEFT_COMMAND_UNIT);
    if (units > UINT32_MAX - linking->stamps) {
        memset(a->last, 0, linking->last.bytes);
        linking->stamps = 0;
    }
    a->stamp = linking->stamps + 1;
    linking->stamps += units;
}

// Links a command on an index whose stamp is `before`. Where two commands have different handles of
// one index, one of these is dead. A handle that is not alive now is dead too, even where a spawn
// of many may give it to an entity later.
static void link_with_care(weft_applying *a, weft_command *c, uint32_t before, uint32_t stamp)
{
    weft_command *earlier = NULL;
    if (before >= a->known) {
        earlier = weft_command_at(a->commands, (size_t)(before - a->stamp) * WEFT_COMMAND_UNIT);
    }
    if (earlier && earlier->handle == c->handle && c->kind != WEFT_COMMAND_SPAWN) {
        earlier->next = stamp - a->stamp;
        c->role = WEFT_ROLE_FOLLOWS;
    } else if (!weft_applying_lives(a, c)) {
        c->role = WEFT_ROLE_DEAD;
        return;
    }
    a->last[weft_handle_index(a->world->plan->format, c->handle)] = stamp;
}

// Links commands alike up to the first that is not. Returns where that is.
static size_t link_alike(weft_applying *a, size_t offset, size_t bytes)
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
        uint32_t index = weft_handle_index(f, c->handle);
        if (index >= a->indices || c->handle == 0) continue; // of no entity
        if (WEFT_LIKELY(last[index] < history)) {
            last[index] = stamp;
        } else {
            link_with_care(a, c, last[index], stamp);
        }
    }
    return (size_t)((unsigned char *)c - a->commands->bytes.base);
}

size_t weft_linking_next(weft_applying *a, size_t offset)
{
    a->known = a->stamp + (uint32_t)(offset / WEFT_COMMAND_UNIT);
    while (offset < a->commands->used) {
        const weft_command *c = weft_command_at(a->commands, offset);
        size_t bytes = weft_command_bytes(a->world->plan, c);
        if (c->kind == WEFT_COMMAND_CLEAR || weft_command_links(c)) return offset + bytes;
        bool many = c->kind == WEFT_COMMAND_SPAWN_MANY;
        offset = many ? offset + bytes : link_alike(a, offset, bytes);
    }
    return offset;
}
