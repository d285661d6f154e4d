// Clears bits table by table, at most 4,096 rows at a time, so that it needs no memory.
//
// Tables are visited in canonical order, which is the same after a save and a load. Therefore moved
// rows end up in the same order, regardless of the history of the world.
#include "clear.h"

#include "../world/move.h"
#include "chosen.h"

#define STRETCH_WORDS 64u // rows of a stretch / 64

// ------------------------------------------------------------------------------------------------
// Tags and sparse components

static bool has_any(const weft_many *many, const weft_table *table)
{
    const weft_component_plan *c = many->plan;
    if (c->sparse == WEFT_NONE) return table->bitset_counts[c->bitset] != 0;
    return weft_sparse_count(&many->world->sparse[c->sparse]) != 0 &&
           weft_column(table, weft_bitset_column(many->world->plan, c));
}

typedef void (*stretch_step)(const weft_many *many, const weft_masked_rows *stretch);

// Calls `step` with the rows of a table that lose the component.
static void each_stretch(const weft_many *many, weft_table *table, stretch_step step)
{
    uint64_t words[STRETCH_WORDS];
    weft_masked_rows stretch = {.table = table, .words = words};
    const uint32_t all = weft_bits_words(table->count);
    for (; stretch.first_word < all; stretch.first_word += STRETCH_WORDS) {
        uint32_t left = all - stretch.first_word;
        stretch.count = left < STRETCH_WORDS ? left : STRETCH_WORDS;
        memset(words, 0xff,
               stretch.count * sizeof *words); // bits past the last row are 0 in tables
        if (weft_many_keep(many, &stretch) != 0) step(many, &stretch);
    }
}

static void lose_bits(const weft_many *many, const weft_masked_rows *stretch)
{
    weft_many_losing(many, stretch);
    weft_many_write_bits(many, stretch);
}

// Returns whether any row had the component.
static bool each_table(const weft_many *many, stretch_step step)
{
    const weft_query *every = &many->world->lists.every_table;
    bool any = false;
    for (uint32_t i = 0; i < every->count; i++) {
        if (!has_any(many, every->tables[i])) continue;
        each_stretch(many, every->tables[i], step);
        any = true;
    }
    return any;
}

static void clear_bits(const weft_many *many)
{
    if (many->plan->on_remove) (void)each_table(many, weft_many_tell_before);
    if (each_table(many, lose_bits)) weft_world_changed_in_place(many->world);
}

// ------------------------------------------------------------------------------------------------
// Table components, whose rows move

static void lose_column(const weft_many *many, weft_table *from, uint32_t row)
{
    weft_world *world = many->world;
    uint64_t handle = weft_handle_load(world->plan->format, weft_column(from, 0), row);
    weft_table *to = weft_world_table_beyond(world, from, many->component, false);
    weft_world_move(world, handle, (weft_place){from->id, row}, to);
}

static bool clear_columns(const weft_many *many)
{
    weft_chosen c = {.many = *many};
    bool ready =
        weft_chosen_find(&c, &many->world->lists.every_table, weft_match_all, weft_filter_all) &&
        weft_chosen_ready(&c);
    for (uint32_t i = 0; ready && i < c.used; i++) {
        if (c.tables[i].count != 0) weft_many_tell_before(many, &c.tables[i].mask);
    }
    for (uint32_t i = 0; ready && i < c.used; i++) {
        if (c.tables[i].count == 0) continue;
        weft_many_losing(many, &c.tables[i].mask);
        weft_many_each_back(many, &c.tables[i].mask, lose_column);
    }
    weft_chosen_close(&c);
    return ready;
}

// ------------------------------------------------------------------------------------------------

bool weft_rows_clear(weft_world *world, uint32_t component)
{
    const weft_component_plan *c = &world->plan->components[component];
    weft_many many = {.world = world, .plan = c, .component = component, .reader = WEFT_NONE};
    bool ready = true;
    world->lists.stay = true;
    if (c->bitset != WEFT_NONE) {
        clear_bits(&many);
    } else {
        ready = clear_columns(&many);
    }
    world->lists.stay = false;
    return ready;
}
