// Copies rows, table by table and column by column. Hidden tags of relations are not copied,
// because they follow from the nodes of the copies.
#include "rows.h"

#include "../world/move.h"
#include "values.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Groups

void weft_copy_group_all(weft_copying *c, uint32_t *starts)
{
    const weft_members *members = &c->members;
    for (uint32_t i = 0; i < members->count; i++) starts[members->items[i].at.table]++;
    uint32_t sum = 0;
    for (uint32_t id = 0; sum < members->count; id++) {
        uint32_t count = starts[id];
        starts[id] = sum;
        if (count == 0) continue;
        c->groups[c->group_count++] = (weft_copy_group){
            .from = c->from->tables.items[id],
            .start = sum,
            .count = count,
        };
        sum += count;
    }
    for (uint32_t i = 0; i < members->count; i++) {
        c->order[starts[members->items[i].at.table]++] = i;
    }
}

static const weft_member *member_of(const weft_copying *c, const weft_copy_group *g, uint32_t i)
{
    return &c->members.items[c->order[g->start + i]];
}

// ------------------------------------------------------------------------------------------------
// Memory

// Makes space for the sparse value of the copy of a member, except in the array of values.
static bool value_ready(weft_copying *c, uint16_t store, const weft_member *member)
{
    uint32_t index = weft_handle_index(c->to->plan->format, member->to);
    return store == WEFT_NONE || weft_sparse_pages(&c->to->heap, &c->to->sparse[store], index, 1);
}

static bool copied_bitset_ready(weft_copying *c, const weft_copy_group *g, uint32_t column)
{
    const weft_plan *plan = c->to->plan;
    uint16_t component = plan->columns[column].component;
    uint32_t count = 0;
    if (component >= plan->schema->component_count) return true;
    for (uint32_t i = 0; i < g->count; i++) {
        const weft_member *member = member_of(c, g, i);
        if (!weft_bitset_bit(g->from, column, member->at.row)) continue;
        count++;
        if (!value_ready(c, plan->components[component].sparse, member)) return false;
    }
    c->counts[component] += count;
    return count == 0 || weft_bitset_open(&c->to->heap, plan, g->to, column);
}

static bool group_ready(weft_copying *c, weft_copy_group *g)
{
    const weft_plan *plan = c->to->plan;
    g->to = weft_world_table(c->to, g->from->set);
    if (!g->to) return false;
    g->first = g->to->count;
    if (!weft_world_table_ready(c->to, g->to, g->first + g->count)) return false;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t bits = g->from->set[word]; bits != 0;) {
            c->counts[word * 64 + weft_bits_pop(&bits)] += g->count;
        }
    }
    for (uint16_t i = 0; i < g->from->bitset_count; i++) {
        if (!copied_bitset_ready(c, g, g->from->bitsets[i])) return false;
    }
    return true;
}

bool weft_copy_rows_ready(weft_copying *c)
{
    const weft_plan *plan = c->to->plan;
    for (uint32_t i = 0; i < c->group_count; i++) {
        if (!group_ready(c, &c->groups[i])) return false;
    }
    for (uint32_t i = 0; i < plan->sparse_count; i++) {
        uint32_t count = c->counts[plan->sparse_components[i]];
        bool ready = count == 0 || weft_sparse_reserve(&c->to->heap, &c->to->sparse[i], count);
        if (!ready) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Copies

static void write_handles_of(weft_copying *c, const weft_copy_group *g)
{
    weft_format f = c->to->plan->format;
    void *handles = weft_column(g->to, 0);
    for (uint32_t i = 0; i < g->count; i++) {
        uint64_t handle = member_of(c, g, i)->to;
        weft_handle_store(f, handles, g->first + i, handle);
        weft_record_place(&c->to->entities, f, handle, g->to->id, g->first + i);
    }
}

// Writes runs of adjacent rows of a group to the spare memory: row, count, row, count … Returns the
// number of runs.
static uint32_t find_runs(weft_copying *c, const weft_copy_group *g)
{
    uint32_t *run = c->spare;
    run[0] = member_of(c, g, 0)->at.row;
    run[1] = 1;
    for (uint32_t i = 1; i < g->count; i++) {
        uint32_t row = member_of(c, g, i)->at.row;
        if (row == run[0] + run[1]) {
            run[1]++;
            continue;
        }
        run += 2;
        run[0] = row;
        run[1] = 1;
    }
    return (uint32_t)((run - c->spare) / 2) + 1;
}

static void copy_column(const weft_copying *c, unsigned char *to, const unsigned char *from,
                        size_t size, uint32_t runs)
{
    for (const uint32_t *run = c->spare; run < c->spare + (size_t)runs * 2; run += 2) {
        size_t bytes = run[1] * size;
        const unsigned char *at = from + run[0] * size;
        if (run[1] == 1) {
            weft_copy(to, at, size);
        } else {
            memcpy(to, at, bytes);
        }
        to += bytes;
    }
}

static void copy_columns(weft_copying *c, const weft_copy_group *g)
{
    const uint32_t runs = find_runs(c, g);
    for (uint16_t i = 1; i < g->from->present_count; i++) {
        const weft_present *present = &g->from->present[i];
        copy_column(c, (unsigned char *)weft_cell(g->to, present->column, g->first, present->size),
                    present->base, present->size, runs);
    }
}

// Adds the value of a sparse component to the store of the target.
static void copy_sparse(weft_copying *c, uint16_t component, const weft_member *member)
{
    weft_format f = c->to->plan->format;
    uint16_t store = c->to->plan->components[component].sparse;
    weft_sparse *to = &c->to->sparse[store];
    uint32_t index = weft_handle_index(f, member->to);
    const void *value =
        weft_sparse_value_of(&c->from->sparse[store], weft_handle_index(f, member->from), to->size);
    uint32_t slot = weft_sparse_append(to, weft_sparse_slot_of(to, index), index);
    void *copy = weft_sparse_value(to, slot, to->size);
    memcpy(copy, value, to->size);
    weft_copy_value(c, component, copy);
}

static void copy_bitset(weft_copying *c, const weft_copy_group *g, uint32_t column)
{
    const weft_plan *plan = c->to->plan;
    uint16_t component = plan->columns[column].component;
    if (component >= plan->schema->component_count || c->counts[component] == 0) return;
    for (uint32_t i = 0; i < g->count; i++) {
        const weft_member *member = member_of(c, g, i);
        if (!weft_bitset_bit(g->from, column, member->at.row)) continue;
        weft_bitset_write(plan, g->to, column, g->first + i, true);
        if (plan->components[component].sparse == WEFT_NONE) continue;
        copy_sparse(c, component, member);
        weft_row_changed(plan, g->to, g->first + i, component);
    }
}

// In one world a group copies rows to the end of their own table.
void weft_copy_rows(weft_copying *c)
{
    for (uint32_t i = 0; i < c->group_count; i++) {
        const weft_copy_group *g = &c->groups[i];
        write_handles_of(c, g);
        copy_columns(c, g);
        weft_mark_added_range(&g->to->change_bits, g->first, g->count);
        g->to->count += g->count;
        weft_copy_values(c, g);
        for (uint16_t k = 0; k < g->from->bitset_count; k++) {
            copy_bitset(c, g, g->from->bitsets[k]);
        }
    }
}
