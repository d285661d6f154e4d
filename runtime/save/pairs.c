#include "pairs.h"

#include "../value/numbers.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool weft_handles_same(const weft_schemas *schemas)
{
    return schemas->file->index_bits == schemas->world->index_bits &&
           schemas->file->generation_bits == schemas->world->generation_bits;
}

const char *weft_element_name(const weft_schema *schema, const weft_field *field)
{
    if (field->type == WEFT_TYPE_ENUM) return schema->enums[field->of].name;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    return inner ? inner->name : weft_type_name(field->type);
}

void weft_type_text(const weft_schema *schema, const weft_field *field, char *text, size_t size)
{
    const char *name = weft_element_name(schema, field);
    const weft_enum_info *by = weft_field_by(schema, field);
    if (field->shape == WEFT_SHAPE_ONE) {
        snprintf(text, size, "%.64s", name);
    } else if (by) {
        snprintf(text, size, "%.40s[%.40s]", name, by->name);
    } else {
        const char *dots = field->shape == WEFT_SHAPE_LIST ? ".." : "";
        snprintf(text, size, "%.64s[%s%" PRIu32 "]", name, dots, field->count);
    }
}

bool weft_refuse_field(weft_schemas *schemas, const weft_match *match, const weft_field *field,
                       const char *format, ...)
{
    va_list arguments;
    char *why = schemas->why;
    size_t size = sizeof schemas->why;
    // Names of the world have at most 64 characters, so all of them fit.
    size_t begun = (size_t)snprintf(why, size, "field '%s' of %s '%s'", field->name, match->kind,
                                    match->is.name);
    schemas->why_field = begun;
    va_start(arguments, format);
    vsnprintf(why + begun, size - begun, format, arguments);
    va_end(arguments);
    return false;
}
