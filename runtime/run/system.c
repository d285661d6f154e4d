// Applying tags that systems put, and clocks of systems that run at an interval.
#include "system.h"

#include "../record/hook.h"
#include "../record/removals.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/rules.h"
#include "schedule.h"

#include <string.h>

// Whether the rules let a row have the tag, or lose it; counted as dropped if not. What the tag
// requires has to be there: no row moves here, so nothing can be brought along.
static bool allowed(weft_world *world, const weft_table *table, uint32_t row, uint32_t tag, bool on)
{
    const weft_plan *plan = world->plan;
    weft_refusal why;
    if (!plan->components[tag].ruled || weft_row_has(plan, table, row, tag) == on) return true;
    uint64_t handle = weft_handle_load(plan->format, weft_column(table, 0), row);
    weft_subject subject = weft_subject_row(world, handle, (weft_place){table->id, row});
    if (on ? weft_rules_set(world, &subject, tag, &why) == WEFT_ALLOWED
           : weft_rules_remove(world, &subject, tag, &why)) {
        return true;
    }
    return weft_drop(world, why);
}

// The words of puts that a range reaches; the others have nothing.
static uint32_t words_put(const weft_sealed *range)
{
    return (range->count + 63) / 64;
}

// Takes the rows that the rules refuse out of what was put. Returns how many are left.
static uint32_t keep_allowed(weft_world *world, const weft_table *table, const weft_sealed *range,
                             uint32_t tag, uint64_t *rows, bool on)
{
    uint32_t left = 0;
    for (uint32_t word = 0; word < words_put(range); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) {
            uint32_t i = weft_lowest_bit(bits);
            if (allowed(world, table, range->first + word * 64 + i, tag, on)) {
                left++;
            } else {
                rows[word] &= ~((uint64_t)1 << i);
            }
        }
    }
    return left;
}

static void put_rows(weft_world *world, weft_table *table, const weft_sealed *range,
                     uint32_t column, const uint64_t *rows, bool on)
{
    for (uint32_t word = 0; word < words_put(range); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) {
            uint32_t row = range->first + word * 64 + weft_lowest_bit(bits);
            weft_bitset_write(world->plan, table, column, row, on);
        }
    }
}

// Takes the rows out of what was put that are so already.
static void keep_changing(const weft_table *table, const weft_sealed *range, uint32_t column,
                          uint64_t *rows, bool on)
{
    for (uint32_t word = 0; word < words_put(range); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) {
            uint32_t i = weft_lowest_bit(bits);
            bool is_on = weft_bitset_bit(table, column, range->first + word * 64 + i);
            if (is_on == on) rows[word] &= ~((uint64_t)1 << i);
        }
    }
}

typedef void (*tell)(weft_world *world, const weft_table *table, uint32_t row, uint32_t component);

static void tell_rows(weft_world *world, const weft_table *table, const weft_sealed *range,
                      uint32_t tag, const uint64_t *rows, tell each)
{
    for (uint32_t word = 0; word < words_put(range); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) {
            each(world, table, range->first + word * 64 + weft_lowest_bit(bits), tag);
        }
    }
}

// Notes which rows lose the tag, but for the reader who puts it off.
static void note_rows(weft_world *world, const weft_table *table, const weft_sealed *range,
                      uint32_t tag, const uint64_t *rows)
{
    uint32_t reader = range->reader == 0 ? WEFT_NONE : range->reader - 1u;
    for (uint32_t word = 0; word < words_put(range); word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) {
            uint32_t row = range->first + word * 64 + weft_lowest_bit(bits);
            weft_removed_note(world, table, row, tag, reader);
        }
    }
}

// Counted with the commands of the phase that could not be recorded, so that its status says so.
static void lose_puts(weft_world *world, uint32_t tag, uint32_t rows)
{
    weft_commands *outside = &world->buffers[0];
    weft_world_lock(world);
    if (outside->lost == 0) outside->trouble = WEFT_NO_MEMORY;
    outside->lost += rows;
    weft_refuse(world, (weft_refusal){WEFT_NO_MEMORY, (uint16_t)tag, WEFT_NONE, false, 0});
    weft_world_unlock(world);
}

// Of other bitsets of the table somebody else may be opening one.
static bool room_to_raise(weft_world *world, weft_table *table, uint32_t column, uint32_t rows)
{
    uint32_t tag = world->plan->columns[column].component;
    if (weft_column(table, column) && world->plan->components[tag].removal_count == 0) return true;
    weft_world_lock(world);
    bool ready = weft_bitset_open(&world->heap, world->plan, table, column) &&
                 weft_removed_ready(world, tag, rows);
    weft_world_unlock(world);
    return ready;
}

static void apply_off(weft_world *world, weft_table *table, const weft_sealed *range,
                      weft_tag_writes *tag_writes, uint32_t column)
{
    uint32_t tag = world->plan->columns[column].component;
    keep_allowed(world, table, range, tag, tag_writes->off, false);
    const weft_component_plan *c = &world->plan->components[tag];
    if (c->on_remove || c->removal_count != 0) {
        keep_changing(table, range, column, tag_writes->off, false);
        if (c->on_remove) tell_rows(world, table, range, tag, tag_writes->off, weft_hook_removing);
        note_rows(world, table, range, tag, tag_writes->off);
    }
    put_rows(world, table, range, column, tag_writes->off, false);
}

static void apply_on(weft_world *world, weft_table *table, const weft_sealed *range,
                     weft_tag_writes *tag_writes, uint32_t column)
{
    uint32_t tag = world->plan->columns[column].component;
    uint32_t raised = keep_allowed(world, table, range, tag, tag_writes->on, true);
    if (raised != 0 && !room_to_raise(world, table, column, raised)) {
        lose_puts(world, tag, raised);
        return;
    }
    bool told = world->plan->components[tag].on_add != NULL;
    if (told) keep_changing(table, range, column, tag_writes->on, true);
    put_rows(world, table, range, column, tag_writes->on, true);
    if (told) tell_rows(world, table, range, tag, tag_writes->on, weft_hook_added);
}

void weft_tag_writes_apply(weft_world *world, const weft_sealed *sealed, const uint16_t *columns,
                           uint32_t count)
{
    weft_table *table = world->tables.items[weft_sealed_rows(sealed)->id];
    weft_tag_writes *tag_writes = sealed->tag_writes;
    bool any = false;
    for (uint32_t slot = 0; slot < count; slot++) any |= tag_writes[slot].any;
    if (!any) return;
    weft_schedule_tags_written(world);
    for (uint32_t slot = count; slot-- > 0;) {
        if (tag_writes[slot].any) apply_off(world, table, sealed, &tag_writes[slot], columns[slot]);
    }
    for (uint32_t slot = 0; slot < count; slot++) {
        if (!tag_writes[slot].any) continue;
        apply_on(world, table, sealed, &tag_writes[slot], columns[slot]);
        memset(tag_writes[slot].on, 0, words_put(sealed) * sizeof tag_writes[slot].on[0]);
        memset(tag_writes[slot].off, 0, words_put(sealed) * sizeof tag_writes[slot].off[0]);
        tag_writes[slot].any = false;
    }
}

// ------------------------------------------------------------------------------------------------
// Puts of parallel systems

// What was put on a range, as it lies in the part's memory; for each slot words of rows that are
// put on follow, then as many of rows that are put off.
typedef struct kept_puts {
    uint32_t table; // id
    uint32_t first;
    uint32_t count;
    uint32_t words;
} kept_puts;

static size_t kept_bytes(const kept_puts *kept, uint32_t slots)
{
    return sizeof *kept + (size_t)2 * slots * kept->words * sizeof(uint64_t);
}

static void lose_range(weft_world *world, const weft_tag_writes *tag_writes, uint32_t words,
                       const uint16_t *columns, uint32_t count)
{
    for (uint32_t slot = 0; slot < count; slot++) {
        uint32_t rows = weft_bits_count(tag_writes[slot].on, words) +
                        weft_bits_count(tag_writes[slot].off, words);
        if (rows != 0) lose_puts(world, world->plan->columns[columns[slot]].component, rows);
    }
}

static bool room_for_puts(weft_world *world, weft_region *memory, size_t bytes)
{
    if (bytes <= memory->bytes) return true;
    weft_world_lock(world);
    bool ready = weft_region_grow(&world->heap, memory, bytes, WEFT_COMMAND_BYTES_MAX);
    weft_world_unlock(world);
    return ready;
}

void weft_tag_writes_keep(weft_world *world, uint32_t parallel, uint32_t part,
                          const weft_sealed *sealed, const uint16_t *columns, uint32_t count)
{
    weft_parallel *p = &world->parallels[parallel];
    weft_tag_writes *tag_writes = sealed->tag_writes;
    kept_puts kept = {weft_sealed_rows(sealed)->id, sealed->first, sealed->count,
                      (sealed->count + 63) / 64};
    size_t bytes = kept_bytes(&kept, count);
    bool any = false;
    for (uint32_t slot = 0; slot < count; slot++) any |= tag_writes[slot].any;
    if (!any) return;
    if (room_for_puts(world, &p->tag_writes[part], p->tag_write_bytes[part] + bytes)) {
        unsigned char *at = p->tag_writes[part].base + p->tag_write_bytes[part];
        memcpy(at, &kept, sizeof kept);
        uint64_t *words = (uint64_t *)(void *)(at + sizeof kept);
        for (uint32_t slot = 0; slot < count; slot++, words += (size_t)2 * kept.words) {
            memcpy(words, tag_writes[slot].on, kept.words * sizeof *words);
            memcpy(words + kept.words, tag_writes[slot].off, kept.words * sizeof *words);
        }
        p->tag_write_bytes[part] += bytes;
    } else {
        lose_range(world, tag_writes, kept.words, columns, count);
    }
    memset(tag_writes, 0, count * sizeof *tag_writes);
}

static void load_puts(weft_tag_writes *tag_writes, uint32_t count, const kept_puts *kept)
{
    const uint64_t *words = (const uint64_t *)(const void *)(kept + 1);
    for (uint32_t slot = 0; slot < count; slot++, words += (size_t)2 * kept->words) {
        memcpy(tag_writes[slot].on, words, kept->words * sizeof *words);
        memcpy(tag_writes[slot].off, words + kept->words, kept->words * sizeof *words);
        tag_writes[slot].any = true;
    }
}

void weft_tag_writes_settle(weft_world *world, uint32_t parallel, weft_sealed *sealed,
                            const uint16_t *columns, uint32_t count)
{
    weft_parallel *p = &world->parallels[parallel];
    memset(sealed->tag_writes, 0, count * sizeof *sealed->tag_writes);
    for (uint32_t part = 0; part < p->count; part++) {
        for (size_t at = 0; at < p->tag_write_bytes[part];) {
            const kept_puts *kept =
                (const kept_puts *)(const void *)(p->tag_writes[part].base + at);
            sealed->first = kept->first;
            sealed->count = kept->count;
            sealed->table =
                (const struct weft_sealed_table *)(uintptr_t)world->tables.items[kept->table];
            load_puts(sealed->tag_writes, count, kept);
            weft_tag_writes_apply(world, sealed, columns, count);
            at += kept_bytes(kept, count);
        }
        p->tag_write_bytes[part] = 0;
    }
}

// ------------------------------------------------------------------------------------------------
// Clocks

// The remainder without libm, whose results differ between machines: the quotient is small and
// exact enough, and rounding is mended by the two comparisons.
static double remainder_of(double value, double divisor)
{
    double quotient = value / divisor;
    if (!(quotient < 0x1p53)) return 0.0; // no fraction is left, also NaN and infinity
    value -= (double)(uint64_t)quotient * divisor;
    if (value < 0.0) value = 0.0;
    return value < divisor ? value : 0.0;
}

bool weft_clock_due(weft_clock *clock, double every, double dt, double *since)
{
    clock->waited += dt;
    clock->elapsed += dt;
    if (clock->waited < every) return false;
    *since = clock->elapsed;
    clock->elapsed = 0.0;
    clock->waited = remainder_of(clock->waited, every);
    return true;
}

void weft_clock_put_off(weft_clock *clock, double every, double since)
{
    clock->waited += every;
    clock->elapsed = since;
}
