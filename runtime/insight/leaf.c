// The text of a value.
#include "leaf.h"

#include "../value/fields.h"
#include "../world/report.h"

#include <stdio.h>
#include <string.h>

static const char *word_of_value(const weft_schema *schema, const weft_leaf_ref *leaf,
                                 weft_number number)
{
    if (leaf->type == WEFT_TYPE_BOOL && number.u64 < 2) return number.u64 ? "true" : "false";
    if (leaf->type != WEFT_TYPE_ENUM) return NULL;
    const weft_enum_info *info = &schema->enums[leaf->field->of];
    return number.u64 < info->count ? info->values[number.u64] : NULL;
}

void weft_leaf_text(const weft_plan *plan, const weft_leaf_ref *leaf,
                    char text[WEFT_LEAF_TEXT_BYTES])
{
    weft_number_kind kind = weft_scalars[leaf->type].kind;
    char number_text[WEFT_NUMBER_BYTES];
    if (leaf->type == WEFT_TYPE_CHAR) {
        uint32_t bytes = weft_string_bytes(leaf->field, leaf->value);
        snprintf(text, WEFT_LEAF_TEXT_BYTES, "\"%.*s\"", (int)(bytes < 60 ? bytes : 60),
                 (const char *)leaf->value);
        return;
    }
    if (leaf->type == WEFT_TYPE_ENTITY) {
        uint64_t handle = weft_handle_read(plan->schema, leaf->value);
        snprintf(text, WEFT_LEAF_TEXT_BYTES, "%s",
                 handle == 0 ? "none" : weft_handle_as_text(plan->format, handle).text);
        return;
    }
    weft_number number = weft_number_load(kind, leaf->value, leaf->bytes);
    const char *word = word_of_value(plan->schema, leaf, number);
    if (kind == WEFT_FLOAT) {
        weft_float_text(number.f64, leaf->bytes == sizeof(float), number_text);
    } else {
        weft_number_text(kind, number, number_text, sizeof number_text);
    }
    snprintf(text, WEFT_LEAF_TEXT_BYTES, "%s", word ? word : number_text);
}
