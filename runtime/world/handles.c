// Handles inside values are found field by field, as deep as the structs of the schema.
#include "handles.h"

#include "../value/fields.h"

void weft_member_change(const weft_schema *schema, const weft_field *field, void *member,
                        weft_handle_change change, void *context)
{
    const weft_struct_info *inner = weft_field_struct(schema, field);
    unsigned char *element = (unsigned char *)member + field->items_offset;
    if (!inner && field->type != WEFT_TYPE_ENTITY) return;
    for (uint32_t left = weft_member_count(field, member); left != 0; left--) {
        if (inner) {
            weft_fields_change(schema, inner->fields, inner->field_count, element, change, context);
        } else {
            uint64_t handle = weft_handle_read(schema, element);
            uint64_t changed = change(context, handle);
            if (changed != handle) weft_handle_write(schema, element, changed);
        }
        element += field->element_size;
    }
}

void weft_fields_change(const weft_schema *schema, const weft_field *fields, uint32_t count,
                        void *value, weft_handle_change change, void *context)
{
    for (uint32_t i = 0; i < count; i++) {
        unsigned char *member = (unsigned char *)value + fields[i].offset;
        weft_member_change(schema, &fields[i], member, change, context);
    }
}

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
    const weft_schema *schema = world->plan->schema;
    const weft_component_info *info = &schema->components[component];
    for (uint32_t i = 0; i < info->field_count; i++) {
        if (!weft_fields_have_entities(schema, &info->fields[i], 1)) continue;
        for (uint32_t row = first_row; row < table->count; row++) {
            void *member = weft_row_member(world->plan, table, row, component, i);
            weft_member_change(schema, &info->fields[i], member, change, context);
        }
    }
}
