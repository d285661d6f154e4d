// All that decides is asked before the first row changes: which rows they are, what the rules say
// of them, and whether there is memory. So a row that comes into another table of the query is not
// met again.
#include "all.h"

#include "../world/move.h"
#include "batch.h"
#include "chosen_ready.h"
#include "member.h"

#include <string.h>

#define SHORT_RUN 8u // rows are copied one by one where their runs are shorter on average

static weft_status no_memory(const weft_all_change *c)
{
    return weft_report(c->world, WEFT_NO_MEMORY, "no memory to change '%s' of all rows",
                       c->world->plan->schema->components[c->component].name);
}

// ------------------------------------------------------------------------------------------------
// Hooks and removals before rows change

typedef void (*row_visit)(const weft_all_change *c, weft_table *table, uint32_t row);

static void each_row(const weft_all_change *c, const weft_chosen *of, row_visit visit)
{
    for (uint32_t word = 0; word < of->words; word++) {
        for (uint64_t bits = of->mask[word]; bits != 0;) {
            visit(c, of->table, word * 64 + weft_bits_pop(&bits));
        }
    }
}

// Visits the last row first, so that those which stay are moved least.
static void each_row_back(const weft_all_change *c, const weft_chosen *of, row_visit visit)
{
    for (uint32_t word = of->words; word-- > 0;) {
        for (uint32_t bit = of->mask[word] == 0 ? 0 : 64; bit-- > 0;) {
            if (of->mask[word] >> bit & 1u) visit(c, of->table, word * 64 + bit);
        }
    }
}

static void tell_removing(const weft_all_change *c, weft_table *table, uint32_t row)
{
    weft_hook_removing(c->world, table, row, c->component);
}

static void tell_replacing(const weft_all_change *c, weft_table *table, uint32_t row)
{
    weft_hook_replacing(c->world, table, row, c->component, c->value);
}

static void note_removal(const weft_all_change *c, weft_table *table, uint32_t row)
{
    weft_losing(c->world, weft_loss_of(c->world, table, row, c->component));
}

static void tell_before(const weft_all_change *c)
{
    if (c->on ? !c->plan->on_replace : !c->plan->on_remove) return;
    for (uint32_t i = 0; i < c->used; i++) {
        const weft_chosen *of = &c->tables[i];
        if (of->count == 0 || (c->on && !weft_set_has(of->table->set, c->component))) continue;
        each_row(c, of, c->on ? tell_replacing : tell_removing);
    }
}

// ------------------------------------------------------------------------------------------------
// Changing rows

// Steps to the next run of rows that change. False: there is none.
static bool next_run(const weft_chosen *of, uint32_t *row, uint32_t *first, uint32_t *count)
{
    const uint32_t rows = of->words * 64;
    uint32_t at = *row;
    while (at < rows) {
        uint64_t rest = of->mask[at / 64] >> (at % 64);
        if (rest != 0) {
            *first = at + weft_lowest_bit(rest);
            *row = weft_mask_end(of->mask, *first, rows);
            *count = *row - *first;
            return true;
        }
        at = (at / 64 + 1) * 64;
    }
    return false;
}

// Writes the value into the rows that a table has from `first` on.
static void write_values(const weft_all_change *c, weft_table *table, uint32_t first,
                         uint32_t count)
{
    for (uint32_t i = 0; i < c->plan->column_count; i++) {
        weft_column_repeat(c->world->plan, table, c->plan->first_column + i, first, count,
                           c->value);
    }
    uint16_t change_set = c->plan->changed;
    if (table->change_bits.set_count == 0 || change_set == WEFT_NONE) return;
    weft_mark_range(&table->change_bits, table->change_bits.slots[change_set], first, count);
}

static void overwrite(const weft_all_change *c, const weft_chosen *of)
{
    uint32_t first = 0;
    uint32_t count = 0;
    for (uint32_t row = 0; next_run(of, &row, &first, &count);) {
        write_values(c, of->table, first, count);
    }
}

static void flip_tag(const weft_all_change *c, weft_table *table, uint32_t row)
{
    const weft_plan *plan = c->world->plan;
    weft_bitset_write(plan, table, weft_bitset_column(plan, c->plan), row, c->on);
}

static void flip_tags(const weft_all_change *c, const weft_chosen *of)
{
    const weft_plan *plan = c->world->plan;
    weft_table *table = of->table;
    const uint32_t column = weft_bitset_column(plan, c->plan);
    uint64_t *words = (uint64_t *)weft_column(table, column);
    if (table->change_bits.set_count == 0) {
        for (uint32_t word = 0; word < of->words; word++) words[word] ^= of->mask[word];
        uint32_t *set = &table->bitset_counts[c->plan->bitset];
        *set = c->on ? *set + of->count : *set - of->count;
        return;
    }
    each_row(c, of, flip_tag);
}

// Appends what both tables have of the rows, one by one: runs are short.
static void append_each(const weft_all_change *c, const weft_chosen *of)
{
    const weft_plan *plan = c->world->plan;
    const void *handles = weft_column(of->table, 0);
    uint32_t to_row = of->to->count;
    for (uint32_t word = 0; word < of->words; word++) {
        for (uint64_t bits = of->mask[word]; bits != 0; to_row++) {
            uint32_t row = word * 64 + weft_bits_pop(&bits);
            uint64_t handle = weft_handle_load(plan->format, handles, row);
            weft_row_copy(plan, of->table, row, of->to, to_row);
            weft_handle_store(plan->format, weft_column(of->to, 0), to_row, handle);
        }
    }
}

// Appends it column by column, run by run.
static void append_runs(const weft_all_change *c, const weft_chosen *of)
{
    const weft_plan *plan = c->world->plan;
    const weft_table *from = of->table;
    uint32_t first = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->present_count; i++) {
        const weft_present *present = &from->present[i];
        unsigned char *base = (unsigned char *)weft_column(of->to, present->column);
        size_t size = present->size;
        if (!base) continue;
        unsigned char *at = base + of->to->count * size;
        for (uint32_t row = 0; next_run(of, &row, &first, &count); at += count * size) {
            memcpy(at, present->base + first * size, count * size);
        }
    }
    uint32_t to_row = of->to->count;
    if ((from->bitset_count | of->to->change_bits.set_count) == 0) return;
    for (uint32_t row = 0; next_run(of, &row, &first, &count);) {
        for (uint32_t i = 0; i < count; i++, to_row++) {
            if (from->bitset_count != 0) weft_bits_copy(plan, from, first + i, of->to, to_row);
            if (of->to->change_bits.set_count == 0) continue;
            weft_change_bits_move(&from->change_bits, first + i, &of->to->change_bits, to_row,
                                  plan);
        }
    }
}

static uint32_t count_runs(const weft_chosen *of)
{
    uint32_t runs = 0;
    uint64_t before = 0; // the last bit of the word before
    for (uint32_t word = 0; word < of->words; word++) {
        uint64_t starts = of->mask[word] & ~(of->mask[word] << 1 | before);
        before = of->mask[word] >> 63;
        runs += weft_bits_count(&starts, 1);
    }
    return runs;
}

static void append_chosen(const weft_all_change *c, const weft_chosen *of)
{
    weft_world *world = c->world;
    weft_format f = world->plan->format;
    if (of->count < count_runs(of) * SHORT_RUN) {
        append_each(c, of);
    } else {
        append_runs(c, of);
    }
    for (uint32_t row = of->to->count; row < of->to->count + of->count; row++) {
        uint64_t handle = weft_handle_load(f, weft_column(of->to, 0), row);
        weft_record_place(&world->entities, f, handle, of->to->id, row);
    }
    of->to->count += of->count;
}

// Fills the hole of a row with the last one.
static void drop_row(const weft_all_change *c, weft_table *table, uint32_t row)
{
    const weft_plan *plan = c->world->plan;
    weft_row_bits_drop(plan, table, row);
    uint32_t last = --table->count;
    if (row == last) return;
    uint64_t handle = weft_handle_load(plan->format, weft_column(table, 0), last);
    weft_columns_shift(table, table, last, last, table, row);
    weft_handle_store(plan->format, weft_column(table, 0), row, handle);
    weft_record_place(&c->world->entities, plan->format, handle, table->id, row);
}

static void change_rows(const weft_all_change *c, weft_chosen *of)
{
    weft_world *world = c->world;
    if (c->plan->bitset != WEFT_NONE) {
        flip_tags(c, of);
        weft_world_changed_in_place(world);
    } else if (of->to == of->table) {
        overwrite(c, of);
    } else {
        of->first = of->to->count;
        append_chosen(c, of);
        each_row_back(c, of, drop_row);
        weft_world_changed(world);
        if (of->table->count == 0) (void)weft_table_emptied(world, 0);
        if (c->on) write_values(c, of->to, of->first, of->count);
    }
}

static void set_alone(const weft_all_change *c, weft_table *table, uint32_t row)
{
    weft_refusal why;
    uint64_t handle = weft_handle_load(c->world->plan->format, weft_column(table, 0), row);
    (void)weft_component_change(c->world, handle, c->component, c->value, true, &why);
}

static void tell_gained(const weft_all_change *c, weft_table *table, uint32_t row)
{
    weft_hook_added(c->world, table, row, c->component);
}

// Calls the hook about rows that have got the component.
static void tell_added(const weft_all_change *c, const weft_chosen *of)
{
    if (c->plan->bitset != WEFT_NONE) each_row(c, of, tell_gained);
    for (uint32_t i = 0; of->to != of->table && i < of->count; i++) {
        tell_gained(c, of->to, of->first + i);
    }
}

static void change_all(const weft_all_change *c)
{
    tell_before(c);
    for (uint32_t i = 0; i < c->used; i++) {
        weft_chosen *of = &c->tables[i];
        if (of->count == 0 || of->alone) continue;
        if (!c->on && weft_removal_asked(c->plan)) each_row(c, of, note_removal);
        change_rows(c, of);
    }
    for (uint32_t i = 0; c->on && c->plan->on_add && i < c->used; i++) {
        if (c->tables[i].count != 0 && !c->tables[i].alone) tell_added(c, &c->tables[i]);
    }
    for (uint32_t i = 0; i < c->used; i++) {
        if (c->tables[i].alone) each_row_back(c, &c->tables[i], set_alone);
    }
}

static weft_status change(weft_world *world, const weft_query *query, weft_match_table match,
                          weft_filter filter, weft_all_change *c)
{
    c->world = world;
    c->plan = &world->plan->components[c->component];
    world->lists_stay = true;
    bool can = weft_chosen_open(c, query);
    if (can) weft_chosen_find(c, query, match, filter);
    can = can && weft_chosen_ready(c);
    if (can) change_all(c);
    world->lists_stay = false;
    weft_chosen_close(c);
    return can ? WEFT_OK : no_memory(c);
}

weft_status weft_query_set_all(weft_world *world, const weft_query *query, weft_match_table match,
                               weft_filter filter, uint32_t component, const void *value)
{
    weft_all_change c = {.component = component, .value = value, .on = true};
    if (weft_busy(world, "set_all" WEFT_RECORDED)) return WEFT_BUSY;
    return change(world, query, match, filter, &c);
}

weft_status weft_query_remove_all(weft_world *world, const weft_query *query,
                                  weft_match_table match, weft_filter filter, uint32_t component)
{
    weft_all_change c = {.component = component};
    if (weft_busy(world, "remove_all" WEFT_RECORDED)) return WEFT_BUSY;
    return change(world, query, match, filter, &c);
}
