// Tag writes of systems, resources that they need, and clocks of those that run at an interval.
#include "system.h"

#include "../record/hook.h"
#include "../record/removals.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/rules.h"

#include <string.h>

// A tag write is a command about a range: it sets or clears one tag of the rows whose bits are set
// in the words that go with it.
typedef struct tag_write {
    weft_table *table;
    uint32_t first; // row of the first bit
    uint32_t words; // of bits
    uint32_t tag;
    uint16_t column; // of its bitset
    uint16_t reader; // who writes, and so is not told which rows lose the tag; WEFT_NONE: no reader
    bool on;
} tag_write;

WEFT_STATIC_ASSERT(sizeof(tag_write) % sizeof(uint64_t) == 0, "the words lie aligned behind it");

typedef bool (*visit)(weft_world *world, const tag_write *w, uint32_t row);

// Calls `each` with every row of the write, ascending; a row for which it is false leaves the
// write. Returns how many rows stay.
static inline uint32_t visit_rows(weft_world *world, const tag_write *w, uint64_t *rows, visit each)
{
    uint32_t kept = 0;
    for (uint32_t word = 0; word < w->words; word++) {
        for (uint64_t bits = rows[word]; bits != 0;) {
            uint32_t i = weft_bits_pop(&bits);
            bool stays = each(world, w, w->first + word * 64 + i);
            kept += stays;
            rows[word] &= ~((uint64_t)!stays << i);
        }
    }
    return kept;
}

// Returns whether the rules let the row have, or lose, the tag; if not, *why. What the tag requires
// has to be there, since no row moves here and nothing can be brought along.
static bool allowed(const weft_world *world, const tag_write *w, uint32_t row, weft_refusal *why)
{
    const weft_plan *plan = world->plan;
    if (!plan->components[w->tag].ruled) return true;
    uint64_t handle = weft_handle_load(plan->format, weft_column(w->table, 0), row);
    weft_subject subject = {handle, w->table->set, w->table, row};
    return w->on ? weft_rules_set(world, &subject, w->tag, why) == WEFT_ALLOWED
                 : weft_rules_remove(world, &subject, w->tag, why);
}

// Returns whether the write changes the row. A row that the rules refuse is counted as dropped.
static bool changes(weft_world *world, const tag_write *w, uint32_t row)
{
    weft_refusal why;
    if (weft_bitset_bit(w->table, w->column, row) == w->on) return false;
    return allowed(world, w, row, &why) || weft_drop(world, why);
}

static bool call_hook(weft_world *world, const tag_write *w, uint32_t row)
{
    (w->on ? weft_hook_added : weft_hook_removing)(world, w->table, row, w->tag);
    return true;
}

static bool write_tag_bit(weft_world *world, const tag_write *w, uint32_t row)
{
    if (!w->on) {
        weft_loss loss = weft_loss_of(world, w->table, row, w->tag);
        loss.reader = w->reader;
        weft_losing(world, loss);
    }
    weft_bitset_write(world->plan, w->table, w->column, row, w->on);
    return true;
}

// Counts rows with the commands of the phase that could not be recorded, so that its status tells.
static void lose_tag_writes(weft_world *world, const tag_write *w, uint32_t rows)
{
    weft_world_lock(world);
    weft_commands_lose(&world->buffers[0], WEFT_NO_MEMORY, rows);
    weft_refuse(world, weft_refusal_of(WEFT_NO_MEMORY, w->tag, 0));
    weft_world_unlock(world);
}

// Takes the memory that setting the tag of so many rows may need. The lock is held because another
// system may open another bitset of this table.
static bool memory_ready(weft_world *world, const tag_write *w, uint32_t rows)
{
    if (weft_column(w->table, w->column) && world->plan->components[w->tag].removal_count == 0) {
        return true;
    }
    weft_world_lock(world);
    bool ready = weft_bitset_open(&world->heap, world->plan, w->table, w->column) &&
                 weft_removed_ready(world, w->tag, rows);
    weft_world_unlock(world);
    return ready;
}

// Hooks are called for all rows at once: before the first loses the tag, or after the last got it.
static void write_rows(weft_world *world, const tag_write *w, uint64_t *rows)
{
    const weft_component_plan *tag = &world->plan->components[w->tag];
    uint32_t changing = visit_rows(world, w, rows, changes);
    if (changing == 0) return;
    if (w->on && !memory_ready(world, w, changing)) {
        lose_tag_writes(world, w, changing);
        return;
    }
    if (!w->on && tag->on_remove) visit_rows(world, w, rows, call_hook);
    visit_rows(world, w, rows, write_tag_bit);
    if (w->on && tag->on_add) visit_rows(world, w, rows, call_hook);
    weft_schedule_tags_written(world);
}

// Keeps a write in the memory of a part, with its words behind it. Without memory it is lost.
static void keep_write(weft_world *world, weft_kept_writes *kept, const tag_write *w,
                       const uint64_t *rows)
{
    size_t end = kept->bytes + sizeof *w + w->words * sizeof *rows;
    uint32_t count = weft_bits_count(rows, w->words);
    if (count == 0) return;
    if (end > kept->memory.bytes) {
        weft_world_lock(world);
        bool grown = weft_region_grow(&world->heap, &kept->memory, end, WEFT_COMMAND_BYTES_MAX);
        weft_world_unlock(world);
        if (!grown) {
            lose_tag_writes(world, w, count);
            return;
        }
    }
    memcpy(kept->memory.base + kept->bytes, w, sizeof *w);
    memcpy(kept->memory.base + kept->bytes + sizeof *w, rows, w->words * sizeof *rows);
    kept->bytes = end;
}

void weft_tag_writes_end(weft_world *world, const weft_sealed *sealed, const uint16_t *columns,
                         uint32_t count, weft_kept_writes *kept)
{
    tag_write w = {
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
        w.column = columns[slot];
        w.tag = world->plan->columns[w.column].component;
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
    weft_parallel *p = &world->parallels[parallel];
    for (uint32_t part = 0; part < p->count; part++) {
        weft_kept_writes *kept = &p->kept[part];
        for (size_t at = 0; at < kept->bytes;) {
            tag_write *w = (tag_write *)(void *)(kept->memory.base + at);
            write_rows(world, w, (uint64_t *)(void *)(w + 1));
            at += sizeof *w + w->words * sizeof(uint64_t);
        }
        kept->bytes = 0;
    }
}

// ------------------------------------------------------------------------------------------------
// Tags of any entity

// Writes the tag of a row, whose hooks are called before it loses the tag or after it got it.
static void write_row(weft_world *world, const tag_write *w, uint32_t row)
{
    if (!w->on) weft_hook_removing(world, w->table, row, w->tag);
    write_tag_bit(world, w, row);
    if (w->on) weft_hook_added(world, w->table, row, w->tag);
    weft_granted_tags_written(world);
}

bool weft_granted_tag_write(weft_world *world, uint64_t handle, uint32_t tag, bool on)
{
    const weft_plan *plan = world->plan;
    weft_refusal why = weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle);
    weft_place at;
    if (!weft_systems_run(world)) {
        weft_report(world, WEFT_REFUSED, "'%s' was written with a grant of a system that has ended",
                    plan->schema->components[tag].name);
        WEFT_ASSERT(weft_systems_run(world), ==, true, weft_world_error(world));
        return false;
    }
    if (!weft_find(&world->entities, plan->format, handle, &at)) return weft_refuse(world, why);
    tag_write w = {
        .table = world->tables.items[at.table],
        .words = 1,
        .tag = tag,
        .column = (uint16_t)weft_bitset_column(plan, &plan->components[tag]),
        .reader = WEFT_NONE,
        .on = on,
    };
    if (weft_bitset_bit(w.table, w.column, at.row) == on) {
        return on || weft_refuse(world, weft_refusal_of(WEFT_NOT_FOUND, tag, handle));
    }
    if (!allowed(world, &w, at.row, &why)) return weft_refuse(world, why);
    if (on && !memory_ready(world, &w, 1)) {
        return weft_refuse(world, weft_refusal_of(WEFT_NO_MEMORY, tag, handle));
    }
    write_row(world, &w, at.row);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Resources

bool weft_resource_missing(weft_world *world, const char *resource, const char *system)
{
    const bool bound = false;
    weft_world_lock(world);
    weft_commands_lose(&world->buffers[0], WEFT_REFUSED, 1);
    weft_report(world, WEFT_REFUSED, "resource '%s' is not bound: system '%s' has no turn",
                resource, system);
    weft_world_unlock(world);
    WEFT_ASSERT(bound, ==, true, weft_world_error(world));
    return bound;
}
