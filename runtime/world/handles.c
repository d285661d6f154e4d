// Handles are changed column by column.
#include "handles.h"

void weft_handles_change(const weft_world *world, uint32_t component, void *value,
                         weft_handle_change change, void *context)
{
    const weft_schema *schema = world->plan->schema;
    const weft_component_info *info = &schema->components[component];
    if (!world->plan->components[component].has_entities) return;
    weft_fields_change(schema, info->fields, info->field_count, value, change, context);
}

void weft_rows_handles_change(const weft_world *world, const weft_table *table, uint32_t component,
                              uint32_t first_row, weft_handle_change change, void *context)
{
    const weft_plan *plan = world->plan;
    const weft_component_info *info = &plan->schema->components[component];
    const weft_column_plan *column = &plan->columns[plan->components[component].first_column];
    if (first_row >= table->count) return;
    for (uint32_t i = 0; i < info->field_count; i++) {
        void *members = weft_row_member(plan, table, first_row, component, i);
        weft_members_change(plan->schema, &info->fields[i], members, column[info->soa ? i : 0].size,
                            table->count - first_row, change, context);
    }
}
