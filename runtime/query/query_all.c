// All that decides is asked before the first row changes: which rows they are, what the rules say
// of them, and whether there is memory. So a row that comes into another table of the query is not
// met again.
#include "query_all.h"

#include "../change/batch.h"
#include "../change/component.h"
#include "../world/move.h"
#include "../world/rules.h"

#include <string.h>

#define SHORT_RUN 8u // rows are copied one by one where their runs are shorter on average

// The rows of one table.
typedef struct chosen {
    weft_table *table;
    weft_table *to; // where they move; `table`: they stay in it
    uint64_t *mask; // the rows that change
    uint32_t words;
    uint32_t count;
    uint32_t first; // the first of those that moved, in `to`
    bool alone;     // they are changed one by one
} chosen;

typedef struct all_change {
    weft_world *world;
    const weft_component_plan *plan;
    uint32_t component;
    const void *value;
    bool on;
    chosen *tables;
    uint32_t table_count; // of the query
    uint32_t used;        // those of `tables` that have rows which pass
    uint64_t *masks;
    size_t mask_words;
    uint32_t count; // of rows that change
} all_change;

static weft_status no_memory(const all_change *c)
{
    return weft_report(c->world, WEFT_NO_MEMORY, "no memory to change '%s' of all rows",
                       c->world->plan->schema->components[c->component].name);
}

// ------------------------------------------------------------------------------------------------
// The rows that change

static bool opened(all_change *c, const weft_query *query)
{
    weft_heap *heap = &c->world->heap;
    for (uint32_t i = 0; i < query->count; i++) {
        c->mask_words += weft_bits_words(query->tables[i]->count);
    }
    c->table_count = query->count;
    if (c->mask_words == 0) c->table_count = 0;
    if (c->table_count == 0) return true;
    if (!weft_array_open(heap, &c->tables, c->table_count, sizeof *c->tables)) return false;
    return weft_array_open(heap, &c->masks, c->mask_words, sizeof *c->masks);
}

static void closed(const all_change *c)
{
    weft_free(&c->world->heap, c->tables, c->table_count * sizeof *c->tables);
    weft_free(&c->world->heap, c->masks, c->mask_words * sizeof *c->masks);
}

static bool allows(const all_change *c, const weft_table *table, uint32_t row)
{
    weft_subject subject = {0, table->set, table, row};
    weft_refusal why;
    return c->on ? !weft_rules_exclude(c->world, &subject, c->component, &why)
                 : weft_rules_remove(c->world, &subject, c->component, &why);
}

static void mark_run(uint64_t *mask, uint32_t first, uint32_t count)
{
    for (uint32_t row = first, end = first + count; row < end;) {
        uint32_t rows = 64 - row % 64 < end - row ? 64 - row % 64 : end - row;
        mask[row / 64] |= weft_bits_low(rows) << (row % 64);
        row += rows;
    }
}

// Leaves the rows whose tag differs from what it is to be.
static void keep_differing(const all_change *c, const chosen *of)
{
    const uint64_t *words =
        (const uint64_t *)weft_column(of->table, weft_bitset_column(c->world->plan, c->plan));
    for (uint32_t i = 0; i < of->words; i++) {
        uint64_t has = words ? words[i] : 0;
        of->mask[i] &= c->on ? ~has : has;
    }
}

static void keep_allowed(const all_change *c, const chosen *of)
{
    for (uint32_t word = 0; word < of->words; word++) {
        for (uint64_t bits = of->mask[word]; bits != 0;) {
            uint32_t bit = weft_bits_pop(&bits);
            if (allows(c, of->table, word * 64 + bit)) continue;
            of->mask[word] &= ~((uint64_t)1 << bit);
        }
    }
}

// Leaves the rows that change, and counts them.
static void keep_changing(all_change *c, chosen *of)
{
    bool has = weft_set_has(of->table->set, c->component);
    bool tag = c->plan->bitset != WEFT_NONE;
    if (!tag && !has && !c->on) return; // none of them has it
    if (tag) keep_differing(c, of);
    if (c->plan->ruled && !(has && c->on)) keep_allowed(c, of);
    of->count = weft_bits_count(of->mask, of->words);
    c->count += of->count;
}

static void choose(all_change *c, const weft_query *query, weft_match_table match,
                   weft_filter filter)
{
    const weft_table *table = NULL;
    uint64_t *mask = c->masks;
    chosen *next = c->tables;
    weft_cursor cursor;
    weft_cursor_begin(&cursor, c->world, query);
    while (weft_next_run_apart(&cursor, match, filter, UINT32_MAX)) {
        if (cursor.table != table) {
            table = cursor.table;
            *next = (chosen){.table = c->world->tables.items[table->id], .mask = mask};
            next->words = weft_bits_words(table->count);
            mask += next->words;
            next++;
        }
        mark_run(next[-1].mask, cursor.first, cursor.count);
    }
    c->used = (uint32_t)(next - c->tables);
    for (uint32_t i = 0; i < c->used; i++) keep_changing(c, &c->tables[i]);
}

// ------------------------------------------------------------------------------------------------
// Memory

// Says whether rows of a table may lack something else that the component requires.
static bool lacks_more(const all_change *c, const weft_table *table)
{
    const weft_world *world = c->world;
    for (uint32_t word = 0; c->on && c->plan->ruled && word < world->plan->set_words; word++) {
        uint64_t lacking = c->plan->closure[word] & ~table->set[word];
        if (word == c->component / 64) lacking &= ~((uint64_t)1 << c->component % 64);
        if (lacking != 0) return true;
    }
    return false;
}

// Opens the bitsets of `to` in which a row that moves there has a bit.
static bool bitsets_ready(weft_world *world, const chosen *of)
{
    for (uint16_t i = 0; i < of->table->bitset_count; i++) {
        uint16_t column = of->table->bitsets[i];
        const uint64_t *words = (const uint64_t *)weft_column(of->table, column);
        uint64_t any = 0;
        for (uint32_t word = 0; word < of->words; word++) any |= words[word] & of->mask[word];
        if (any != 0 && !weft_bitset_open(&world->heap, world->plan, of->to, column)) return false;
    }
    return true;
}

// Opens the bitset of a component, if it is a tag.
static bool bit_ready(weft_world *world, weft_table *table, uint32_t component)
{
    const weft_component_plan *c = &world->plan->components[component];
    return c->bitset == WEFT_NONE ||
           weft_bitset_open(&world->heap, world->plan, table, weft_bitset_column(world->plan, c));
}

static uint64_t first_handle(const weft_world *world, const chosen *of)
{
    uint32_t word = 0;
    while (of->mask[word] == 0) word++;
    return weft_handle_load(world->plan->format, weft_column(of->table, 0),
                            word * 64 + weft_lowest_bit(of->mask[word]));
}

// Makes space for all that rows get one by one. Rows of several tables may come into one.
static bool alone_ready(const all_change *c, chosen *of)
{
    weft_world *world = c->world;
    weft_batch *batch = world->batch;
    weft_refusal why;
    (void)weft_batch_begin(batch, first_handle(world, of));
    (void)weft_batch_set(batch, c->component, c->value, &why);
    of->to = weft_batch_table(batch);
    if (!of->to) return false;
    uint64_t rows = (uint64_t)of->to->count + c->count; // no table has more than all entities
    if (rows > world->plan->max_entities) rows = world->plan->max_entities;
    if (of->to != of->table && !weft_world_table_ready(world, of->to, (uint32_t)rows)) return false;
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        uint64_t bits = c->plan->closure[word] & ~of->table->set[word];
        while (bits != 0) {
            if (!bit_ready(world, of->to, word * 64 + weft_bits_pop(&bits))) return false;
        }
    }
    return bitsets_ready(world, of);
}

static bool change_ready(const all_change *c, chosen *of)
{
    weft_world *world = c->world;
    bool has = weft_set_has(of->table->set, c->component);
    of->to = of->table;
    of->alone = !has && lacks_more(c, of->table);
    if (of->alone) return alone_ready(c, of);
    if (c->plan->bitset == WEFT_NONE && has != c->on) {
        of->to = weft_world_table_beyond(world, of->table, c->component, c->on);
        if (!of->to || !weft_world_table_ready(world, of->to, of->to->count + of->count) ||
            !bitsets_ready(world, of)) {
            return false;
        }
    }
    return !c->on || bit_ready(world, of->to, c->component);
}

// Makes space for noting that what rows get goes again, for all tables at once: it is worked out
// from who has it now.
static bool removals_ready(const all_change *c)
{
    weft_world *world = c->world;
    if (!c->on || c->count == 0) return true;
    if (!c->plan->ruled) return weft_removed_ready(world, c->component, c->count);
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        for (uint64_t bits = c->plan->closure[word]; bits != 0;) {
            uint32_t component = word * 64 + weft_bits_pop(&bits);
            if (!weft_removed_ready(world, component, c->count)) return false;
        }
    }
    return true;
}

static bool ready(const all_change *c)
{
    for (uint32_t i = 0; i < c->used; i++) {
        if (c->tables[i].count != 0 && !change_ready(c, &c->tables[i])) return false;
    }
    return removals_ready(c);
}

// ------------------------------------------------------------------------------------------------
// Hooks and removals before rows change

typedef void (*row_visit)(const all_change *c, weft_table *table, uint32_t row);

static void each_row(const all_change *c, const chosen *of, row_visit visit)
{
    for (uint32_t word = 0; word < of->words; word++) {
        for (uint64_t bits = of->mask[word]; bits != 0;) {
            visit(c, of->table, word * 64 + weft_bits_pop(&bits));
        }
    }
}

// Visits the last row first, so that those which stay are moved least.
static void each_row_back(const all_change *c, const chosen *of, row_visit visit)
{
    for (uint32_t word = of->words; word-- > 0;) {
        for (uint32_t bit = of->mask[word] == 0 ? 0 : 64; bit-- > 0;) {
            if (of->mask[word] >> bit & 1u) visit(c, of->table, word * 64 + bit);
        }
    }
}

static void tell_removing(const all_change *c, weft_table *table, uint32_t row)
{
    weft_hook_removing(c->world, table, row, c->component);
}

static void tell_replacing(const all_change *c, weft_table *table, uint32_t row)
{
    weft_hook_replacing(c->world, table, row, c->component, c->value);
}

static void note_removal(const all_change *c, weft_table *table, uint32_t row)
{
    weft_removed_note(c->world, table, row, c->component, WEFT_NONE);
}

static void tell_before(const all_change *c)
{
    if (c->on ? !c->plan->on_replace : !c->plan->on_remove) return;
    for (uint32_t i = 0; i < c->used; i++) {
        const chosen *of = &c->tables[i];
        if (of->count == 0 || (c->on && !weft_set_has(of->table->set, c->component))) continue;
        each_row(c, of, c->on ? tell_replacing : tell_removing);
    }
}

// ------------------------------------------------------------------------------------------------
// Changing rows

// Steps to the next run of rows that change. False: there is none.
static bool next_run(const chosen *of, uint32_t *row, uint32_t *first, uint32_t *count)
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
static void write_values(const all_change *c, weft_table *table, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < c->plan->column_count; i++) {
        weft_column_repeat(c->world->plan, table, c->plan->first_column + i, first, count,
                           c->value);
    }
    uint16_t change_set = c->plan->changed;
    if (table->change_bits.set_count == 0 || change_set == WEFT_NONE) return;
    weft_mark_range(&table->change_bits, table->change_bits.slots[change_set], first, count);
}

static void overwrite(const all_change *c, const chosen *of)
{
    uint32_t first = 0;
    uint32_t count = 0;
    for (uint32_t row = 0; next_run(of, &row, &first, &count);) {
        write_values(c, of->table, first, count);
    }
}

static void flip_tag(const all_change *c, weft_table *table, uint32_t row)
{
    const weft_plan *plan = c->world->plan;
    weft_bitset_write(plan, table, weft_bitset_column(plan, c->plan), row, c->on);
}

static void flip_tags(const all_change *c, const chosen *of)
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
static void append_each(const all_change *c, const chosen *of)
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
static void append_runs(const all_change *c, const chosen *of)
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

static uint32_t count_runs(const chosen *of)
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

static void append_chosen(const all_change *c, const chosen *of)
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
static void drop_row(const all_change *c, weft_table *table, uint32_t row)
{
    const weft_plan *plan = c->world->plan;
    weft_row_bits_drop(plan, table, row);
    uint32_t last = --table->count;
    if (row == last) return;
    uint64_t handle = weft_handle_load(plan->format, weft_column(table, 0), last);
    weft_columns_copy(table, table, last, table, row);
    weft_handle_store(plan->format, weft_column(table, 0), row, handle);
    weft_record_place(&c->world->entities, plan->format, handle, table->id, row);
}

static void change_rows(const all_change *c, chosen *of)
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

static void set_alone(const all_change *c, weft_table *table, uint32_t row)
{
    weft_refusal why;
    uint64_t handle = weft_handle_load(c->world->plan->format, weft_column(table, 0), row);
    (void)weft_component_change(c->world, handle, c->component, c->value, true, &why);
}

static void tell_gained(const all_change *c, weft_table *table, uint32_t row)
{
    weft_hook_added(c->world, table, row, c->component);
}

// Calls the hook about rows that have got the component.
static void tell_added(const all_change *c, const chosen *of)
{
    if (c->plan->bitset != WEFT_NONE) each_row(c, of, tell_gained);
    for (uint32_t i = 0; of->to != of->table && i < of->count; i++) {
        tell_gained(c, of->to, of->first + i);
    }
}

static void change_all(const all_change *c)
{
    tell_before(c);
    for (uint32_t i = 0; i < c->used; i++) {
        chosen *of = &c->tables[i];
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
                          weft_filter filter, all_change *c)
{
    c->world = world;
    c->plan = &world->plan->components[c->component];
    world->lists_stay = true;
    bool can = opened(c, query);
    if (can) choose(c, query, match, filter);
    can = can && ready(c);
    if (can) change_all(c);
    world->lists_stay = false;
    closed(c);
    return can ? WEFT_OK : no_memory(c);
}

weft_status weft_query_set_all(weft_world *world, const weft_query *query, weft_match_table match,
                               weft_filter filter, uint32_t component, const void *value)
{
    all_change c = {.component = component, .value = value, .on = true};
    if (weft_busy(world, "set_all" WEFT_RECORDED)) return WEFT_BUSY;
    return change(world, query, match, filter, &c);
}

weft_status weft_query_remove_all(weft_world *world, const weft_query *query,
                                  weft_match_table match, weft_filter filter, uint32_t component)
{
    all_change c = {.component = component};
    if (weft_busy(world, "remove_all" WEFT_RECORDED)) return WEFT_BUSY;
    return change(world, query, match, filter, &c);
}
