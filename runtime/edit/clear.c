// A component is cleared table by table, at most 4,096 rows at a time, so that it takes no memory.
//
// Tables come in canonical order, which does not change when a world is saved and loaded: so rows
// that move stand in one order, whatever the history of the world is.
#include "clear.h"

#include "../world/move.h"

#define STRETCH_WORDS 64u // rows of a stretch / 64

static bool has_any(const weft_many *many, const weft_table *table)
{
    const weft_component_plan *c = many->plan;
    if (c->bitset == WEFT_NONE)
        return table->count != 0 && weft_set_has(table->set, many->component);
    if (c->sparse == WEFT_NONE) return table->bitset_counts[c->bitset] != 0;
    return weft_sparse_count(&many->world->sparse[c->sparse]) != 0 &&
           weft_column(table, weft_bitset_column(many->world->plan, c));
}

// ------------------------------------------------------------------------------------------------
// Stretches

// Finds the rows of a stretch that lose the component. Returns how many.
static uint32_t stretch_find(const weft_many *many, weft_row_mask *stretch, uint64_t *words)
{
    uint32_t rows = stretch->table->count - stretch->first_word * 64;
    uint32_t all = weft_bits_words(rows);
    stretch->words = words;
    stretch->count = all < STRETCH_WORDS ? all : STRETCH_WORDS;
    memset(words, 0xff, stretch->count * sizeof *words);
    if (stretch->count == all) words[all - 1] = weft_bits_low(rows - (all - 1) * 64);
    return weft_many_keep(many, stretch);
}

typedef void (*stretch_step)(const weft_many *many, const weft_row_mask *stretch);

// Calls `step`, if there is one, with the rows that lose the component. Returns how many do.
static uint32_t each_stretch(const weft_many *many, weft_table *table, stretch_step step)
{
    uint64_t words[STRETCH_WORDS];
    weft_row_mask stretch = {.table = table};
    uint32_t losing = 0;
    for (; (uint64_t)stretch.first_word * 64 < table->count; stretch.first_word += STRETCH_WORDS) {
        uint32_t found = stretch_find(many, &stretch, words);
        if (found != 0 && step) step(many, &stretch);
        losing += found;
    }
    return losing;
}

// ------------------------------------------------------------------------------------------------
// Table components, whose rows move

// Takes all memory that moving rows out of a table needs.
static bool loss_ready(const weft_many *many, weft_table *from)
{
    weft_world *world = many->world;
    uint32_t moving = each_stretch(many, from, NULL);
    if (moving == 0) return true;
    weft_table *to = weft_world_table_beyond(world, from, many->component, false);
    if (!to || !weft_world_table_ready(world, to, to->count + moving)) return false;
    for (uint16_t i = 0; i < from->bitset_count; i++) {
        uint16_t column = from->bitsets[i];
        const uint64_t *words = (const uint64_t *)weft_column(from, column);
        bool any = weft_bits_count(words, weft_bits_words(from->count)) != 0;
        if (any && !weft_bitset_open(&world->heap, world->plan, to, column)) return false;
    }
    return true;
}

// The tables that are made meanwhile lack the component.
static bool losses_ready(const weft_many *many)
{
    weft_world *world = many->world;
    const uint32_t count = world->tables.count;
    for (uint32_t i = 0; i < count; i++) {
        weft_table *table = world->tables.items[i];
        if (has_any(many, table) && !loss_ready(many, table)) return false;
    }
    return true;
}

static void lose_column(const weft_many *many, weft_table *from, uint32_t row)
{
    weft_world *world = many->world;
    uint64_t handle = weft_handle_load(world->plan->format, weft_column(from, 0), row);
    weft_table *to = weft_world_table_beyond(world, from, many->component, false);
    weft_world_move(world, handle, (weft_place){from->id, row}, to);
}

// The last row moves first, so that those which stay are moved least.
static void lose_columns(const weft_many *many, weft_table *from)
{
    uint64_t words[STRETCH_WORDS];
    weft_row_mask stretch = {.table = from};
    uint32_t stretches = (weft_bits_words(from->count) + STRETCH_WORDS - 1) / STRETCH_WORDS;
    for (uint32_t i = stretches; i-- > 0;) {
        stretch.first_word = i * STRETCH_WORDS;
        (void)stretch_find(many, &stretch, words);
        weft_many_each_back(many, &stretch, lose_column);
    }
}

// ------------------------------------------------------------------------------------------------

static void lose_bits(const weft_many *many, const weft_row_mask *stretch)
{
    weft_many_losing(many, stretch);
    weft_many_write_bits(many, stretch);
}

static void clear_table(const weft_many *many, weft_table *table)
{
    if (many->plan->bitset != WEFT_NONE) {
        each_stretch(many, table, lose_bits);
    } else {
        each_stretch(many, table, weft_many_losing);
        lose_columns(many, table);
    }
}

// Takes the component from all rows that may lose it. Hooks are called for all rows before the
// first of them loses it. Returns whether any row had the component.
static bool clear_tables(const weft_many *many)
{
    const weft_query *every = &many->world->every_table;
    bool any = false;
    for (uint32_t i = 0; many->plan->on_remove && i < every->count; i++) {
        if (has_any(many, every->tables[i])) {
            each_stretch(many, every->tables[i], weft_many_tell_before);
        }
    }
    for (uint32_t i = 0; i < every->count; i++) {
        if (!has_any(many, every->tables[i])) continue;
        any = true;
        clear_table(many, every->tables[i]);
    }
    return any;
}

bool weft_rows_clear(weft_world *world, uint32_t component)
{
    const weft_component_plan *c = &world->plan->components[component];
    weft_many many = {.world = world, .plan = c, .component = component, .reader = WEFT_NONE};
    world->lists_stay = true;
    bool ready = c->bitset != WEFT_NONE || losses_ready(&many);
    bool any = ready && clear_tables(&many);
    world->lists_stay = false;
    if (any && c->bitset != WEFT_NONE) weft_world_changed_in_place(world);
    return ready;
}
