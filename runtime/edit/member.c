// Membership of one row: see member.h.
#include "member.h"

#include "../world/rows.h"

bool weft_component_ready(weft_world *world, weft_table *table, uint32_t component, uint32_t n,
                          uint32_t first, uint32_t indices)
{
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    weft_heap *heap = &world->heap;
    weft_sparse *sparse = c->sparse == WEFT_NONE ? NULL : &world->sparse[c->sparse];
    return (c->removal_count == 0 || weft_removed_ready(world, component, n)) &&
           (c->bitset == WEFT_NONE || weft_column(table, weft_bitset_column(plan, c)) ||
            weft_bitset_open(heap, plan, table, weft_bitset_column(plan, c))) &&
           (!sparse || (weft_sparse_reserve(heap, sparse, n) &&
                        weft_sparse_pages(heap, sparse, first, indices)));
}

void weft_component_write(weft_world *world, weft_table *table, uint32_t row, uint32_t component,
                          const void *value, bool on)
{
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    if (c->bitset == WEFT_NONE) {
        if (on) weft_row_write(plan, table, row, component, value);
        return;
    }
    uint32_t column = weft_bitset_column(plan, c);
    if (weft_bitset_bit(table, column, row) != on) weft_bitset_write(plan, table, column, row, on);
    if (c->sparse == WEFT_NONE) return;
    uint64_t handle = weft_handle_load(plan->format, weft_column(table, 0), row);
    uint32_t index = weft_handle_index(plan->format, handle);
    if (on) {
        weft_sparse_write(&world->sparse[c->sparse], index, value);
        weft_row_changed(plan, table, row, component);
    } else {
        weft_sparse_drop(&world->sparse[c->sparse], index);
    }
}

bool weft_despawn_with_bits(weft_world *world, uint64_t handle, uint32_t row, weft_table *table)
{
    const weft_plan *plan = world->plan;
    weft_losing(world, (weft_loss){.table = table,
                                   .first = row,
                                   .rows = 1,
                                   .component = WEFT_WHOLE,
                                   .reader = WEFT_NONE,
                                   .noted = table->change_bits.set_count != 0});
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        uint16_t column = table->bitsets[i];
        uint16_t store = plan->components[plan->columns[column].component].sparse;
        if (store != WEFT_NONE && weft_bitset_bit(table, column, row)) {
            weft_sparse_drop(&world->sparse[store], weft_handle_index(plan->format, handle));
        }
    }
    weft_row_bits_drop(plan, table, row);
    return table->end(world, handle, row, table);
}
