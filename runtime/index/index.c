// Functions for all kinds of indexes.
#include "index.h"

#include "../value/fields.h"
#include "../world/rows.h"

void weft_index_walk_ends(const weft_world *world, uint64_t begun)
{
    weft_world *reported = (weft_world *)(uintptr_t)world;
    if (begun != weft_moment(world)) {
        weft_moment_passed(world, begun, "a walk over an index");
        return;
    }
    weft_report(reported, WEFT_REFUSED,
                "a walk over an index was used after values had changed and the index was asked "
                "again, and ended there: begin it anew");
    WEFT_ASSERT(world != NULL, ==, false, weft_world_error(reported));
}

const void *weft_index_field(const weft_world *world, const weft_index_plan *plan,
                             const weft_table *table, uint32_t row, uint32_t field)
{
    const weft_component_plan *c = &world->plan->components[plan->component];
    uint32_t number = plan->fields[field];
    if (c->sparse == WEFT_NONE) {
        return weft_row_member(world->plan, table, row, plan->component, number);
    }
    const weft_component_info *info = &world->plan->schema->components[plan->component];
    const void *value = weft_row_value(world, table, row, plan->component, NULL);
    return (const unsigned char *)value + info->fields[number].offset;
}

uint64_t weft_index_word(const weft_world *world, const weft_field *field, const void *value)
{
    const weft_schema *schema = world->plan->schema;
    float f32;
    double f64;
    switch (field->type) {
    case WEFT_TYPE_I8:
        return weft_key_i64((int8_t)weft_bits_read(value, 1));
    case WEFT_TYPE_I16:
        return weft_key_i64((int16_t)weft_bits_read(value, 2));
    case WEFT_TYPE_I32:
        return weft_key_i64((int32_t)weft_bits_read(value, 4));
    case WEFT_TYPE_I64:
        return weft_key_i64((int64_t)weft_bits_read(value, 8));
    case WEFT_TYPE_F32:
        memcpy(&f32, value, sizeof f32);
        return weft_key_f64((double)f32);
    case WEFT_TYPE_F64:
        memcpy(&f64, value, sizeof f64);
        return weft_key_f64(f64);
    case WEFT_TYPE_ENTITY:
        return weft_handle_read(schema, value);
    default:
        return weft_bits_read(value, field->size); // unsigned
    }
}

bool weft_index_space(weft_world *world, weft_region *region, size_t items, size_t bytes)
{
    size_t limit = (size_t)world->plan->max_entities * bytes;
    size_t wanted = items * bytes;
    if (limit < wanted) limit = wanted;
    return weft_region_grow(&world->heap, region, wanted, limit);
}

size_t weft_index_rows(const weft_world *world, const weft_index_plan *plan)
{
    const weft_query *query = &world->queries[plan->query];
    size_t rows = 0;
    for (uint32_t i = 0; i < query->count; i++) rows += query->tables[i]->count;
    return rows;
}

void weft_index_settled(weft_index *index)
{
    if (index->moved_count != 0) memset(index->moved.base, 0, index->moved.bytes);
    index->moved_count = 0;
    index->delta_count = 0;
    index->first = 0;
}
