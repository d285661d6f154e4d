// Tag writes of systems, and resources that they need.
#include "system.h"

#include "../world/report.h"

#include <string.h>

// The bytes of a kept range, rounded up, because its words follow and must be aligned on machines
// with 32-bit pointers, too.
#define RANGE_BYTES                                                                                \
    ((sizeof(weft_tag_range) + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t))

static void write_rows(weft_world *world, const weft_tag_range *w, uint64_t *rows)
{
    if (weft_tag_rows_write(world, w, rows)) weft_schedule_tags_written(world);
}

// Stores a write and its words in the memory of a part. The write is lost if there is no memory.
static void keep_write(weft_world *world, weft_kept_writes *kept, const weft_tag_range *w,
                       const uint64_t *rows)
{
    size_t end = kept->bytes + RANGE_BYTES + w->words * sizeof *rows;
    uint32_t count = weft_bits_count(rows, w->words);
    if (count == 0) return;
    if (end > kept->memory.bytes) {
        weft_world_lock(world);
        bool grown = weft_region_grow(&world->heap, &kept->memory, end, WEFT_COMMAND_BYTES_MAX);
        weft_world_unlock(world);
        if (!grown) {
            weft_tag_rows_lose(world, w, count);
            return;
        }
    }
    memcpy(kept->memory.base + kept->bytes, w, sizeof *w);
    memcpy(kept->memory.base + kept->bytes + RANGE_BYTES, rows, w->words * sizeof *rows);
    kept->bytes = end;
}

void weft_tag_writes_end(weft_world *world, const weft_sealed *sealed, const uint16_t *columns,
                         uint32_t count, weft_kept_writes *kept)
{
    weft_tag_range w = {
        .table = world->tables.items[weft_sealed_rows(sealed)->id],
        .first = sealed->first,
        .words = weft_bits_words(sealed->count),
        .reader = (uint16_t)(sealed->reader == 0 ? WEFT_NONE : sealed->reader - 1u),
    };
    for (uint32_t step = 0; step < 2 * count; step++) {
        w.on = step >= count;
        uint32_t slot = w.on ? step - count : count - 1 - step;
        weft_tag_writes *writes = &sealed->tag_writes[slot];
        uint64_t *rows = w.on ? writes->on : writes->off;
        if (!writes->any) continue;
        w.tag = world->plan->columns[columns[slot]].component;
        if (kept) {
            keep_write(world, kept, &w, rows);
        } else {
            write_rows(world, &w, rows);
        }
        memset(rows, 0, w.words * sizeof *rows);
        if (w.on) writes->any = false;
    }
}

void weft_tag_writes_settle(weft_world *world, uint32_t parallel)
{
    weft_parallel *p = &world->run.parallels[parallel];
    for (uint32_t part = 0; part < p->count; part++) {
        weft_kept_writes *kept = &p->kept[part];
        for (size_t at = 0; at < kept->bytes;) {
            unsigned char *range = kept->memory.base + at;
            const weft_tag_range *w = (const weft_tag_range *)(void *)range;
            write_rows(world, w, (uint64_t *)(void *)(range + RANGE_BYTES));
            at += RANGE_BYTES + w->words * sizeof(uint64_t);
        }
        kept->bytes = 0;
    }
}

// ------------------------------------------------------------------------------------------------
// Tags of any entity

bool weft_granted_tag_write(weft_world *world, uint64_t handle, uint32_t tag, bool on)
{
    const weft_plan *plan = world->plan;
    weft_refusal why;
    if (!weft_systems_run(world)) {
        weft_report(world, WEFT_REFUSED, "'%s' was written with a grant of a system that has ended",
                    plan->schema->components[tag].name);
        WEFT_ASSERT(weft_systems_run(world), ==, true, weft_world_error(world));
        return false;
    }
    if (weft_tag_change(world, handle, tag, on, &why)) {
        weft_granted_tags_written(world);
        return true;
    }
    return why.status == WEFT_OK || weft_refuse(world, why);
}

// ------------------------------------------------------------------------------------------------
// Resources

bool weft_resource_missing(weft_world *world, const char *resource, const char *system)
{
    const bool bound = false;
    weft_world_lock(world);
    weft_commands_lose(&world->commands.buffers[0], WEFT_REFUSED, 1);
    weft_report(world, WEFT_REFUSED, "resource '%s' is not bound: system '%s' has no turn",
                resource, system);
    weft_world_unlock(world);
    WEFT_ASSERT(bound, ==, true, weft_world_error(world));
    return bound;
}
