// Moves a mask of rows: see moved.h.
#include "moved.h"

#include "../query/cursor.h"
#include "../world/rows.h"

#include <string.h>

#define SHORT_RUN 8u // shorter runs, on average, are copied row by row

bool weft_mask_run(const weft_masked_rows *mask, uint32_t *row, uint32_t *first, uint32_t *count)
{
    const uint32_t rows = mask->count * 64;
    uint32_t at = *row;
    while (at < rows) {
        uint64_t rest = mask->words[at / 64] >> (at % 64);
        if (rest != 0) {
            *first = at + weft_lowest_bit(rest);
            *row = weft_mask_end(mask->words, *first, rows);
            *count = *row - *first;
            return true;
        }
        at = (at / 64 + 1) * 64;
    }
    return false;
}

// Appends the shared columns and bits of the rows, one by one, because runs are short.
static void append_each(const weft_plan *plan, const weft_masked_rows *mask, weft_table *to)
{
    const void *handles = weft_column(mask->table, 0);
    uint32_t to_row = to->count;
    for (uint32_t word = 0; word < mask->count; word++) {
        for (uint64_t bits = mask->words[word]; bits != 0; to_row++) {
            uint32_t row = word * 64 + weft_bits_pop(&bits);
            uint64_t handle = weft_handle_load(plan->format, handles, row);
            weft_row_copy(plan, mask->table, row, to, to_row);
            weft_handle_store(plan->format, weft_column(to, 0), to_row, handle);
        }
    }
}

// Appends the rows column by column, run by run.
static void append_runs(const weft_plan *plan, const weft_masked_rows *mask, weft_table *to)
{
    const weft_table *from = mask->table;
    uint32_t first = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->present_count; i++) {
        const weft_present *present = &from->present[i];
        unsigned char *base = (unsigned char *)weft_column(to, present->column);
        size_t size = present->size;
        if (!base) continue;
        unsigned char *at = base + to->count * size;
        for (uint32_t row = 0; weft_mask_run(mask, &row, &first, &count); at += count * size) {
            memcpy(at, present->base + first * size, count * size);
        }
    }
    uint32_t to_row = to->count;
    if ((from->bitset_count | to->change_bits.set_count) == 0) return;
    for (uint32_t row = 0; weft_mask_run(mask, &row, &first, &count);) {
        for (uint32_t i = 0; i < count; i++, to_row++) {
            if (from->bitset_count != 0) weft_bits_copy(plan, from, first + i, to, to_row);
            if (to->change_bits.set_count == 0) continue;
            weft_change_bits_move(&from->change_bits, first + i, &to->change_bits, to_row, plan);
        }
    }
}

static uint32_t count_runs(const weft_masked_rows *mask)
{
    uint32_t runs = 0;
    uint64_t before = 0; // the last bit of the previous word
    for (uint32_t word = 0; word < mask->count; word++) {
        uint64_t starts = mask->words[word] & ~(mask->words[word] << 1 | before);
        before = mask->words[word] >> 63;
        runs += weft_bits_count(&starts, 1);
    }
    return runs;
}

// Fills the hole of a row with the last row.
static void drop_row(const weft_many *many, weft_table *table, uint32_t row)
{
    weft_world *world = many->world;
    const weft_plan *plan = world->plan;
    weft_row_bits_drop(plan, table, row);
    uint32_t last = --table->count;
    if (row == last) return;
    uint64_t handle = weft_handle_load(plan->format, weft_column(table, 0), last);
    weft_columns_shift(table, table, last, last, table, row);
    weft_handle_store(plan->format, weft_column(table, 0), row, handle);
    weft_record_place(&world->entities, plan->format, handle, table->id, row);
}

void weft_rows_move(const weft_many *many, const weft_masked_rows *mask, uint32_t count,
                    weft_table *to)
{
    weft_world *world = many->world;
    weft_format f = world->plan->format;
    if (count < count_runs(mask) * SHORT_RUN) {
        append_each(world->plan, mask, to);
    } else {
        append_runs(world->plan, mask, to);
    }
    for (uint32_t row = to->count; row < to->count + count; row++) {
        uint64_t handle = weft_handle_load(f, weft_column(to, 0), row);
        weft_record_place(&world->entities, f, handle, to->id, row);
    }
    to->count += count;
    weft_many_each_back(many, mask, drop_row);
    weft_world_changed(world);
    if (mask->table->count == 0) (void)weft_table_emptied(world, 0);
}
