// Rows of a world: reading their components.
#include "rows.h"

#include "../value/fields.h"

#include <string.h>

bool weft_row_has(const weft_plan *plan, const weft_table *table, uint32_t row, uint32_t component)
{
    const weft_component_plan *c = &plan->components[component];
    if (c->bitset != WEFT_NONE) return weft_bitset_bit(table, weft_bitset_column(plan, c), row);
    return weft_column(table, c->first_column) != NULL;
}

void *weft_row_value(const weft_world *world, const weft_table *table, uint32_t row,
                     uint32_t component, void *buffer)
{
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    if (c->sparse != WEFT_NONE) {
        uint64_t handle = weft_handle_load(plan->format, weft_column(table, 0), row);
        uint32_t index = weft_handle_index(plan->format, handle);
        return weft_sparse_find(&world->sparse[c->sparse], index);
    }
    if (c->bitset != WEFT_NONE) return NULL;
    if (c->column_count == 1) {
        return weft_cell(table, c->first_column, row, plan->columns[c->first_column].size);
    }
    for (uint32_t i = c->first_column; i < (uint32_t)c->first_column + c->column_count; i++) {
        const weft_column_plan *p = &plan->columns[i];
        memcpy((unsigned char *)buffer + p->offset, weft_cell(table, i, row, p->size), p->size);
    }
    return buffer;
}

bool weft_row_equals(const weft_world *world, const weft_table *table, uint32_t row,
                     uint32_t component, const void *value)
{
    const weft_schema *schema = world->plan->schema;
    const weft_component_info *info = &schema->components[component];
    if (!info->soa) {
        const void *has = weft_row_value(world, table, row, component, NULL);
        return weft_fields_equal(schema, info->fields, info->field_count, has, value);
    }
    bool equal = true;
    for (uint32_t i = 0; equal && i < info->field_count; i++) {
        const void *has = weft_row_member(world->plan, table, row, component, i);
        const void *member = (const unsigned char *)value + info->fields[i].offset;
        equal = weft_member_equal(schema, &info->fields[i], has, member);
    }
    return equal;
}
