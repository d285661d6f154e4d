// Tags that systems write: see tags.h.
#include "tags.h"

#include "../world/rows.h"

static weft_many many_of(weft_world *world, uint32_t tag, uint32_t reader, bool on)
{
    return (weft_many){.world = world,
                       .plan = &world->plan->components[tag],
                       .component = tag,
                       .reader = reader,
                       .on = on,
                       .in_place = true};
}

// Takes the memory that setting a tag of `rows` rows may need. The lock is held because another
// system may open another bitset of this table.
static bool memory_ready(const weft_many *many, weft_table *table, uint32_t rows)
{
    weft_world *world = many->world;
    uint32_t column = weft_bitset_column(world->plan, many->plan);
    if (weft_column(table, column) && many->plan->removal_count == 0) return true;
    weft_world_lock(world);
    bool ready = weft_bitset_open(&world->heap, world->plan, table, column) &&
                 weft_removed_ready(world, many->component, rows);
    weft_world_unlock(world);
    return ready;
}

void weft_tag_rows_lose(weft_world *world, const weft_tag_range *write, uint32_t rows)
{
    weft_world_lock(world);
    weft_commands_lose(&world->commands.buffers[0], WEFT_NO_MEMORY, rows);
    weft_refuse(world, weft_refusal_of(WEFT_NO_MEMORY, write->tag, 0));
    weft_world_unlock(world);
}

// Returns the rows of a range as a mask. If the range begins in the middle of a word of the table,
// its bits are shifted into `words`, so that they match the table's words.
static weft_masked_rows mask_of(const weft_tag_range *write, uint64_t *rows, uint64_t *words)
{
    const uint32_t shift = write->first % 64;
    weft_masked_rows mask = {.table = write->table,
                             .words = rows,
                             .first_word = write->first / 64,
                             .count = write->words};
    uint64_t beyond = 0;
    if (shift == 0) return mask;
    for (uint32_t i = 0; i < write->words; i++) {
        words[i] = rows[i] << shift | beyond;
        beyond = rows[i] >> (64 - shift);
    }
    words[write->words] = beyond;
    mask.words = words;
    mask.count += beyond != 0; // otherwise the table may lack this word
    return mask;
}

// Most ranges only set a tag or only clear it, so the words of the other write are empty.
static bool is_empty(const weft_tag_range *write, const uint64_t *rows)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < write->words; i++) any |= rows[i];
    return any == 0;
}

bool weft_tag_rows_write(weft_world *world, const weft_tag_range *write, uint64_t *rows)
{
    if (is_empty(write, rows)) return false;
    uint64_t words[WEFT_TAG_WRITE_ROWS / 64 + 1];
    weft_many many = many_of(world, write->tag, write->reader, write->on);
    weft_masked_rows mask = mask_of(write, rows, words);
    uint32_t changing = weft_many_keep(&many, &mask);
    if (changing == 0) return false;
    if (write->on && !memory_ready(&many, write->table, changing)) {
        weft_tag_rows_lose(world, write, changing);
        return false;
    }
    weft_many_tell_before(&many, &mask);
    if (!write->on) weft_many_losing(&many, &mask);
    weft_many_write_bits(&many, &mask);
    weft_many_tell_after(&many, &mask);
    return true;
}

bool weft_tag_change(weft_world *world, uint64_t handle, uint32_t tag, bool on, weft_refusal *why)
{
    const weft_plan *plan = world->plan;
    weft_many many = many_of(world, tag, WEFT_NONE, on);
    uint32_t column = weft_bitset_column(plan, many.plan);
    weft_place at;
    *why = weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle);
    if (!weft_find(&world->entities, plan->format, handle, &at)) return false;
    weft_table *table = world->tables.items[at.table];
    if (weft_bitset_bit(table, column, at.row) == on) {
        *why = weft_refusal_of(on ? WEFT_OK : WEFT_NOT_FOUND, tag, handle);
        return false;
    }
    if (!weft_many_allows(&many, table, at.row, why)) return false;
    *why = weft_refusal_of(WEFT_NO_MEMORY, tag, handle);
    if (on && !memory_ready(&many, table, 1)) return false;
    if (!on) {
        weft_hook_removing(world, table, at.row, tag);
        weft_losing(world, weft_loss_of(world, table, at.row, tag));
    }
    weft_bitset_write(plan, table, column, at.row, on);
    if (on) weft_hook_added(world, table, at.row, tag);
    return true;
}
