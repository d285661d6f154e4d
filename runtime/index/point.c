// Locates and reads the coordinates of rows.
#include "point.h"

#include "../value/fields.h"
#include "../world/rows.h"

weft_points weft_points_of(const weft_world *world, const weft_index_plan *plan,
                           const weft_table *table)
{
    const weft_component_plan *c = &world->plan->components[plan->component];
    const weft_component_info *info = &world->plan->schema->components[plan->component];
    weft_points s = {.world = world, .plan = plan, .table = table, .f32 = true};
    for (uint32_t i = 0; i < plan->field_count; i++) {
        uint32_t number = plan->fields[i];
        s.types[i] = info->fields[number].type;
        s.f32 = s.f32 && s.types[i] == WEFT_TYPE_F32;
        if (c->sparse != WEFT_NONE) continue;
        uint32_t column = c->first_column + (info->soa ? number : 0);
        s.first[i] =
            (const unsigned char *)weft_row_member(world->plan, table, 0, plan->component, number);
        s.stride[i] = world->plan->columns[column].size;
    }
    return s;
}

double weft_point_number(weft_type type, const void *value)
{
    float f32;
    double f64;
    switch (type) {
    case WEFT_TYPE_U8:
        return (double)(uint8_t)weft_bits_read(value, 1);
    case WEFT_TYPE_U16:
        return (double)(uint16_t)weft_bits_read(value, 2);
    case WEFT_TYPE_U32:
        return (double)(uint32_t)weft_bits_read(value, 4);
    case WEFT_TYPE_I8:
        return (double)(int8_t)weft_bits_read(value, 1);
    case WEFT_TYPE_I16:
        return (double)(int16_t)weft_bits_read(value, 2);
    case WEFT_TYPE_I32:
        return (double)(int32_t)weft_bits_read(value, 4);
    case WEFT_TYPE_F64:
        memcpy(&f64, value, sizeof f64);
        return f64;
    default:
        memcpy(&f32, value, sizeof f32);
        return (double)f32;
    }
}
