// Taking memory for chosen rows: see chosen_ready.h.
#include "chosen_ready.h"

#include "../record/removals.h"
#include "../world/move.h"
#include "batch.h"

// Says whether rows of a table may lack something else that the component requires.
static bool lacks_more(const weft_all_change *c, const weft_table *table)
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
static bool bitsets_ready(weft_world *world, const weft_chosen *of)
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

static uint64_t first_handle(const weft_world *world, const weft_chosen *of)
{
    uint32_t word = 0;
    while (of->mask[word] == 0) word++;
    return weft_handle_load(world->plan->format, weft_column(of->table, 0),
                            word * 64 + weft_lowest_bit(of->mask[word]));
}

// Makes space for all that rows get one by one. Rows of several tables may come into one.
static bool alone_ready(const weft_all_change *c, weft_chosen *of)
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

static bool change_ready(const weft_all_change *c, weft_chosen *of)
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
static bool removals_ready(const weft_all_change *c)
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

bool weft_chosen_ready(const weft_all_change *c)
{
    for (uint32_t i = 0; i < c->used; i++) {
        if (c->tables[i].count != 0 && !change_ready(c, &c->tables[i])) return false;
    }
    return removals_ready(c);
}
