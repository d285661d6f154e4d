// The direct calls of links, and recording of commands: see links.h.
#include "links.h"

#include "../world/report.h"
#include "linking.h"

#include <string.h>

bool weft_link_set(weft_world *world, uint32_t link, uint64_t from, uint64_t to, const void *value)
{
    if (weft_busy(world, "set" WEFT_RECORDED)) return false;
    weft_status status = weft_link_change(world, link, from, to, value);
    return status == WEFT_OK || weft_refuse_ends(world, status, link, from, to);
}

bool weft_link_remove(weft_world *world, uint32_t link, uint64_t from, uint64_t to)
{
    if (weft_busy(world, "remove" WEFT_RECORDED)) return false;
    weft_status status = weft_link_end(world, link, from, to);
    return status == WEFT_OK || weft_refuse_ends(world, status, link, from, to);
}

bool weft_link_clear(weft_world *world, uint32_t link)
{
    if (weft_busy(world, "clear" WEFT_WAITS)) return false;
    weft_links_end_kind(world, link);
    return true;
}

static void *edited(weft_world *world, uint32_t link, uint64_t from, uint64_t to, bool lends)
{
    weft_link_ends ends = weft_link_ends_of(world, world->plan->format, link, from, to);
    if (!ends.alive) return NULL;
    void *value = weft_link_value(world, link, ends.from, ends.to);
    if (value) weft_link_mark(world, link, ends, lends);
    return value;
}

void *weft_link_edit(weft_world *world, uint32_t link, uint64_t from, uint64_t to, const char *call)
{
    return weft_busy(world, call) ? NULL : edited(world, link, from, to, true);
}

void *weft_link_edited(weft_world *world, uint32_t link, uint64_t from, uint64_t to)
{
    return edited(world, link, from, to, false);
}

void weft_link_written(weft_world *world, uint32_t link, uint32_t from, uint32_t to)
{
    weft_link_ends ends = {from, to, true};
    weft_link_mark(world, link, ends, false);
}

// ------------------------------------------------------------------------------------------------
// Commands

bool weft_command_link_set(weft_commands *commands, uint16_t link, uint64_t from, uint64_t to,
                           const void *value)
{
    if (!commands->world) return false;
    const weft_link_plan *plan = &commands->world->plan->links[link];
    weft_command *c =
        weft_command_append(commands, WEFT_COMMAND_LINK_SET, link, from, sizeof to + plan->size);
    if (!c) return false;
    memcpy(weft_command_value(c), &to, sizeof to);
    if (!value) value = plan->defaults;
    if (plan->size != 0) memcpy(weft_command_value(c) + sizeof to, value, plan->size);
    return true;
}

bool weft_command_link_remove(weft_commands *commands, uint16_t link, uint64_t from, uint64_t to)
{
    return weft_command_record(commands, WEFT_COMMAND_LINK_REMOVE, link, from, &to, sizeof to);
}
