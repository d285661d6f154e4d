// The rows, the rules and the memory are determined before the first row changes. Therefore a row
// that moves to another table of the query is not changed twice.
#include "all.h"

#include "../world/rows.h"
#include "batch.h"
#include "chosen.h"
#include "moved.h"

// Writes the value into `count` rows of a table from `first`.
static void write_values(const weft_many *many, weft_table *table, uint32_t first, uint32_t count)
{
    const weft_component_plan *c = many->plan;
    for (uint32_t i = 0; i < c->column_count; i++) {
        weft_column_repeat(many->world->plan, table, c->first_column + i, first, count,
                           many->value);
    }
    if (table->change_bits.set_count == 0 || c->changed == WEFT_NONE) return;
    weft_mark_range(&table->change_bits, table->change_bits.slots[c->changed], first, count);
}

static void overwrite(const weft_many *many, const weft_masked_rows *mask)
{
    uint32_t first = 0;
    uint32_t count = 0;
    for (uint32_t row = 0; weft_mask_run(mask, &row, &first, &count);) {
        write_values(many, mask->table, first, count);
    }
}

static void change_rows(const weft_many *many, weft_chosen_rows *of)
{
    if (many->plan->bitset != WEFT_NONE) {
        weft_many_write_bits(many, &of->mask);
        weft_world_changed_in_place(many->world);
    } else if (of->to == of->mask.table) {
        overwrite(many, &of->mask);
    } else {
        of->first = of->to->count;
        weft_rows_move(many, &of->mask, of->count, of->to);
        if (many->on) write_values(many, of->to, of->first, of->count);
    }
}

// Calls the hook for rows that gained the component.
static void tell_after(const weft_many *many, const weft_chosen_rows *of)
{
    if (many->plan->bitset != WEFT_NONE) weft_many_tell_after(many, &of->mask);
    if (of->to == of->mask.table || !many->on || !many->plan->on_add) return;
    for (uint32_t i = 0; i < of->count; i++) {
        weft_hook_added(many->world, of->to, of->first + i, many->component);
    }
}

static void set_alone(const weft_many *many, weft_table *table, uint32_t row)
{
    weft_refusal why;
    uint64_t handle = weft_handle_load(many->world->plan->format, weft_column(table, 0), row);
    (void)weft_component_change(many->world, handle, many->component, many->value, true, &why);
}

static void change_all(const weft_chosen *c)
{
    const weft_many *many = &c->many;
    for (uint32_t i = 0; i < c->used; i++) {
        if (c->tables[i].count != 0) weft_many_tell_before(many, &c->tables[i].mask);
    }
    for (uint32_t i = 0; i < c->used; i++) {
        weft_chosen_rows *of = &c->tables[i];
        if (of->count == 0 || of->alone) continue;
        if (!many->on) weft_many_losing(many, &of->mask);
        change_rows(many, of);
    }
    for (uint32_t i = 0; i < c->used; i++) {
        if (c->tables[i].count != 0 && !c->tables[i].alone) tell_after(many, &c->tables[i]);
    }
    for (uint32_t i = 0; i < c->used; i++) {
        if (c->tables[i].alone) weft_many_each_back(many, &c->tables[i].mask, set_alone);
    }
}

static weft_status change(weft_world *world, const weft_query *query, weft_match_table match,
                          weft_filter filter, weft_many many)
{
    many.world = world;
    many.plan = &world->plan->components[many.component];
    many.reader = WEFT_NONE;
    weft_chosen c = {.many = many};
    world->lists.stay = true;
    bool can = weft_chosen_find(&c, query, match, filter) && weft_chosen_ready(&c);
    if (can) change_all(&c);
    world->lists.stay = false;
    weft_chosen_close(&c);
    if (can) return WEFT_OK;
    return weft_report(world, WEFT_NO_MEMORY, "no memory to change '%s' of all rows",
                       world->plan->schema->components[many.component].name);
}

weft_status weft_query_set_all(weft_world *world, const weft_query *query, weft_match_table match,
                               weft_filter filter, uint32_t component, const void *value)
{
    weft_many many = {.component = component, .value = value, .on = true};
    if (weft_busy(world, "set_all" WEFT_RECORDED)) return WEFT_BUSY;
    return change(world, query, match, filter, many);
}

weft_status weft_query_remove_all(weft_world *world, const weft_query *query,
                                  weft_match_table match, weft_filter filter, uint32_t component)
{
    weft_many many = {.component = component};
    if (weft_busy(world, "remove_all" WEFT_RECORDED)) return WEFT_BUSY;
    return change(world, query, match, filter, many);
}
