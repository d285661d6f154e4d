// The rows of a query that change: see chosen.h.
#include "chosen.h"

#include "../world/move.h"

static bool masks_opened(weft_chosen *chosen, const weft_query *query)
{
    weft_heap *heap = &chosen->many.world->heap;
    for (uint32_t i = 0; i < query->count; i++) {
        chosen->mask_words += weft_bits_words(query->tables[i]->count);
    }
    chosen->table_count = chosen->mask_words == 0 ? 0 : query->count;
    if (chosen->table_count == 0) return true;
    return weft_array_open(heap, &chosen->tables, chosen->table_count, sizeof *chosen->tables) &&
           weft_array_open(heap, &chosen->masks, chosen->mask_words, sizeof *chosen->masks);
}

static void mark_run(uint64_t *mask, uint32_t first, uint32_t count)
{
    for (uint32_t row = first, end = first + count; row < end;) {
        uint32_t rows = 64 - row % 64 < end - row ? 64 - row % 64 : end - row;
        mask[row / 64] |= weft_bits_low(rows) << (row % 64);
        row += rows;
    }
}

// Finds the rows that pass.
static void find_passing(weft_chosen *chosen, const weft_query *query, weft_match_table match,
                         weft_filter filter)
{
    uint64_t *words = chosen->masks;
    weft_masked_rows *mask = NULL;
    weft_cursor cursor;
    weft_cursor_begin(&cursor, chosen->many.world, query);
    while (weft_next_run_apart(&cursor, match, filter, UINT32_MAX)) {
        if (!mask || mask->table->id != cursor.table->id) {
            mask = &chosen->tables[chosen->used++].mask;
            mask->table = chosen->many.world->tables.items[cursor.table->id];
            mask->words = words;
            mask->count = weft_bits_words(cursor.table->count);
            words += mask->count;
        }
        mark_run(mask->words, cursor.first, cursor.count);
    }
}

bool weft_chosen_find(weft_chosen *chosen, const weft_query *query, weft_match_table match,
                      weft_filter filter)
{
    if (!masks_opened(chosen, query)) return false;
    find_passing(chosen, query, match, filter);
    for (uint32_t i = 0; i < chosen->used; i++) {
        weft_chosen_rows *of = &chosen->tables[i];
        of->count = weft_many_keep(&chosen->many, &of->mask);
        chosen->count += of->count;
    }
    return true;
}

void weft_chosen_close(const weft_chosen *chosen)
{
    weft_heap *heap = &chosen->many.world->heap;
    weft_free(heap, chosen->tables, chosen->table_count * sizeof *chosen->tables);
    weft_free(heap, chosen->masks, chosen->mask_words * sizeof *chosen->masks);
}

// ------------------------------------------------------------------------------------------------
// Memory

// Returns one word of a set: the component and the components that it requires, without those that
// the table stores for all its rows.
static uint64_t lacking(const weft_chosen *c, const weft_table *table, uint32_t word)
{
    return c->many.on ? c->many.plan->closure[word] & ~table->set[word] : 0;
}

// Returns whether rows of a table may lack a required component.
static bool lacks_more(const weft_chosen *c, const weft_table *table)
{
    bool more = false;
    for (uint32_t word = 0; word < c->many.world->plan->set_words; word++) {
        uint64_t itself =
            word == c->many.component / 64 ? (uint64_t)1 << c->many.component % 64 : 0;
        more |= (lacking(c, table, word) & ~itself) != 0;
    }
    return more;
}

// Returns whether the rows move because a table component is added or removed.
static bool moves(const weft_chosen *c, const weft_table *table)
{
    const weft_world *world = c->many.world;
    bool moves = !c->many.on && c->many.plan->bitset == WEFT_NONE;
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        moves |= (lacking(c, table, word) & world->shared.table_set[word]) != 0;
    }
    return moves;
}

// Opens the bitsets of `to` in which rows that move there have bits.
static bool bitsets_ready(weft_world *world, const weft_chosen_rows *of)
{
    for (uint16_t i = 0; i < of->mask.table->bitset_count; i++) {
        uint16_t column = of->mask.table->bitsets[i];
        const uint64_t *words = (const uint64_t *)weft_column(of->mask.table, column);
        uint64_t any = 0;
        for (uint32_t word = 0; word < of->mask.count; word++)
            any |= words[word] & of->mask.words[word];
        if (any != 0 && !weft_bitset_open(&world->heap, world->plan, of->to, column)) return false;
    }
    return true;
}

// Opens the bitsets of components that rows gain.
static bool gains_ready(const weft_chosen *c, const weft_chosen_rows *of)
{
    weft_world *world = c->many.world;
    const weft_plan *plan = world->plan;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t bits = lacking(c, of->mask.table, word); bits != 0;) {
            const weft_component_plan *gained = &plan->components[word * 64 + weft_bits_pop(&bits)];
            if (gained->bitset == WEFT_NONE) continue;
            uint32_t column = weft_bitset_column(plan, gained);
            if (!weft_bitset_open(&world->heap, plan, of->to, column)) return false;
        }
    }
    return true;
}

// Rows that change one by one may come to one table from several tables.
static bool target_ready(const weft_chosen *c, const weft_chosen_rows *of)
{
    weft_world *world = c->many.world;
    uint64_t rows = (uint64_t)of->to->count + (of->alone ? c->count : of->count);
    if (rows > world->plan->max_entities) rows = world->plan->max_entities;
    return weft_world_table_ready(world, of->to, (uint32_t)rows) && bitsets_ready(world, of);
}

static bool change_ready(const weft_chosen *c, weft_chosen_rows *of)
{
    weft_world *world = c->many.world;
    weft_table *table = of->mask.table;
    of->to = table;
    of->alone =
        c->many.plan->ruled && !weft_set_has(table->set, c->many.component) && lacks_more(c, table);
    if (moves(c, table)) {
        of->to = weft_world_table_beyond(world, table, c->many.component, c->many.on);
        if (!of->to || !target_ready(c, of)) return false;
    }
    return gains_ready(c, of);
}

// Makes space for noting later removals of the gained components, for all tables at once, because
// the space depends on the number of rows that have them now.
static bool removals_ready(const weft_chosen *c)
{
    weft_world *world = c->many.world;
    if (!c->many.on || c->count == 0) return true;
    if (!c->many.plan->ruled) return weft_removed_ready(world, c->many.component, c->count);
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        for (uint64_t bits = c->many.plan->closure[word]; bits != 0;) {
            uint32_t component = word * 64 + weft_bits_pop(&bits);
            if (!weft_removed_ready(world, component, c->count)) return false;
        }
    }
    return true;
}

bool weft_chosen_ready(const weft_chosen *c)
{
    for (uint32_t i = 0; i < c->used; i++) {
        if (c->tables[i].count != 0 && !change_ready(c, &c->tables[i])) return false;
    }
    return removals_ready(c);
}
