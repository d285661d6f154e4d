// A walk over all values by the reflection tables, wherever they lie.
#include "values.h"

#include "weft_event.h"
#include "weft_fields.h"
#include "weft_removed.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void check_fields(const weft_schema *schema, const weft_field *fields, uint32_t count,
                         const unsigned char *value);

static void check_element(const weft_schema *schema, const weft_field *field,
                          const unsigned char *element)
{
    const weft_struct_info *inner = weft_field_struct(schema, field);
    uint64_t bits = inner ? 0 : weft_bits_read(element, field->element_size);
    if (inner) check_fields(schema, inner->fields, inner->field_count, element);
    if (field->type == WEFT_TYPE_BOOL) assert_true(bits <= 1);
    if (field->type == WEFT_TYPE_ENUM) assert_true(bits < schema->enums[field->of].count);
}

static void check_fields(const weft_schema *schema, const weft_field *fields, uint32_t count,
                         const unsigned char *value)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_field *field = &fields[i];
        const unsigned char *member = value + field->offset;
        if (field->shape == WEFT_SHAPE_STRING) {
            assert_non_null(memchr(member, '\0', field->count));
            continue;
        }
        if (field->shape == WEFT_SHAPE_LIST) {
            assert_true(weft_bits_read(member, sizeof(uint32_t)) <= field->count);
        }
        for (uint32_t k = 0; k < weft_member_count(field, member); k++) {
            check_element(schema, field,
                          member + field->items_offset + (size_t)k * field->element_size);
        }
    }
}

static void check_values(const weft_schema *schema, const weft_field *fields, uint32_t field_count,
                         const unsigned char *values, uint32_t size, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        check_fields(schema, fields, field_count, values + (size_t)i * size);
    }
}

static void check_table(const weft_world *world, const weft_table *table)
{
    const weft_plan *plan = world->plan;
    for (uint32_t column = 1; column < plan->first_plane; column++) {
        uint32_t c = plan->columns[column].component;
        const unsigned char *rows = (const unsigned char *)weft_column(table, column);
        const weft_component_info *info = &plan->schema->components[c];
        uint32_t number = column - plan->components[c].first_column;
        weft_field alone = info->fields[number];
        alone.offset = 0;
        if (!rows) continue;
        check_values(plan->schema, info->soa ? &alone : info->fields,
                     info->soa ? 1 : info->field_count, rows, plan->columns[column].size,
                     table->count);
    }
}

static void check_component(const weft_world *world, uint32_t component, const weft_region *values,
                            uint32_t count)
{
    const weft_schema *schema = world->plan->schema;
    const weft_component_info *info = &schema->components[component];
    check_values(schema, info->fields, info->field_count, values->base, info->size, count);
}

void values_check(const weft_world *world)
{
    const weft_plan *plan = world->plan;
    const weft_schema *schema = plan->schema;
    for (uint32_t i = 0; i < world->tables.count; i++) check_table(world, world->tables.items[i]);
    for (uint32_t i = 0; i < plan->sparse_count; i++) {
        const weft_sparse *store = &world->sparse[i];
        check_component(world, plan->sparse_components[i], &store->values, store->count);
    }
    for (uint32_t i = 0; i < plan->removal_count; i++) {
        const weft_removed *log = &world->removed[i];
        uint32_t count = plan->removals[i].value ? log->count : 0;
        check_component(world, plan->removals[i].component, &log->values, count);
    }
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        const unsigned char *value = (const unsigned char *)world + info->offset;
        check_fields(schema, info->fields, info->field_count, value);
    }
    for (uint32_t i = 0; i < plan->event_count; i++) {
        const weft_event_info *info = &schema->events[i];
        const weft_event_log *log = &world->events[i];
        check_values(schema, info->fields, info->field_count, log->values.base, info->size,
                     log->count);
    }
}
