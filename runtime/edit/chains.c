// Stamps of commands: see chains.h.
#include "chains.h"

#include <string.h>

void weft_chains_begin(weft_applying *a)
{
    weft_chains *chains = &a->world->scratch.chains;
    uint32_t units = (uint32_t)(a->commands->used / WEFT_COMMAND_UNIT);
    if (units > UINT32_MAX - chains->stamps) {
        memset(a->last, 0, chains->last.bytes);
        chains->stamps = 0;
    }
    a->stamp = chains->stamps + 1;
    chains->stamps += units;
}

// Links a command on an index whose stamp is `before`. If two commands have different handles of
// one index, one of the handles is dead. A handle that is not alive now counts as dead, even if a
// spawn of many gives it to an entity later.
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

// Data that is equal for all commands with one head is looked up once.
size_t weft_chains_next(weft_applying *a, size_t offset)
{
    const weft_plan *plan = a->world->plan;
    const weft_format f = plan->format;
    const size_t used = a->commands->used;
    const uint32_t first = a->stamp;
    const uint32_t indices = a->indices;
    const uint32_t known = first + (uint32_t)(offset / WEFT_COMMAND_UNIT);
    const uint32_t history = a->commands->many == 0 ? known : 0;
    uint32_t *last = a->last;
    uint64_t head = 0;
    size_t bytes = 0;
    a->known = known;
    for (; offset < used; offset += bytes) {
        weft_command *c = weft_command_at(a->commands, offset);
        if (bytes == 0 || weft_command_head(c) != head) {
            head = weft_command_head(c);
            bytes = weft_command_bytes(plan, c);
            if (c->kind == WEFT_COMMAND_CLEAR || c->kind == WEFT_COMMAND_CLONE ||
                weft_command_links(c))
                return offset + bytes;
        }
        uint32_t index = weft_handle_index(f, c->handle);
        if (index >= indices || c->handle == 0) continue; // no entity, or one of a spawn of many
        uint32_t stamp = first + (uint32_t)(offset / WEFT_COMMAND_UNIT);
        if (WEFT_LIKELY(last[index] < history)) {
            last[index] = stamp;
        } else {
            link_with_care(a, c, last[index], stamp);
        }
    }
    return offset;
}
