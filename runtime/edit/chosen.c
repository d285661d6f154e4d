// Finding the rows that change: see chosen.h.
#include "chosen.h"

#include "../world/rows.h"
#include "../world/rules.h"

bool weft_chosen_open(weft_all_change *c, const weft_query *query)
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

void weft_chosen_close(const weft_all_change *c)
{
    weft_free(&c->world->heap, c->tables, c->table_count * sizeof *c->tables);
    weft_free(&c->world->heap, c->masks, c->mask_words * sizeof *c->masks);
}

static bool allows(const weft_all_change *c, const weft_table *table, uint32_t row)
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
static void keep_differing(const weft_all_change *c, const weft_chosen *of)
{
    const uint64_t *words =
        (const uint64_t *)weft_column(of->table, weft_bitset_column(c->world->plan, c->plan));
    for (uint32_t i = 0; i < of->words; i++) {
        uint64_t has = words ? words[i] : 0;
        of->mask[i] &= c->on ? ~has : has;
    }
}

static void keep_allowed(const weft_all_change *c, const weft_chosen *of)
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
static void keep_changing(weft_all_change *c, weft_chosen *of)
{
    bool has = weft_set_has(of->table->set, c->component);
    bool tag = c->plan->bitset != WEFT_NONE;
    if (!tag && !has && !c->on) return; // none of them has it
    if (tag) keep_differing(c, of);
    if (c->plan->ruled && !(has && c->on)) keep_allowed(c, of);
    of->count = weft_bits_count(of->mask, of->words);
    c->count += of->count;
}

void weft_chosen_find(weft_all_change *c, const weft_query *query, weft_match_table match,
                      weft_filter filter)
{
    const weft_table *table = NULL;
    uint64_t *mask = c->masks;
    weft_chosen *next = c->tables;
    weft_cursor cursor;
    weft_cursor_begin(&cursor, c->world, query);
    while (weft_next_run_apart(&cursor, match, filter, UINT32_MAX)) {
        if (cursor.table != table) {
            table = cursor.table;
            *next = (weft_chosen){.table = c->world->tables.items[table->id], .mask = mask};
            next->words = weft_bits_words(table->count);
            mask += next->words;
            next++;
        }
        mark_run(next[-1].mask, cursor.first, cursor.count);
    }
    c->used = (uint32_t)(next - c->tables);
    for (uint32_t i = 0; i < c->used; i++) keep_changing(c, &c->tables[i]);
}
