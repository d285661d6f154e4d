// The walk over the values of a plain struct, and their text.
#include "leaf.h"

#include "../value/fields.h"
#include "../world/report.h"

#include <stdio.h>
#include <string.h>

typedef struct leaf_walk {
    const weft_schema *schema;
    weft_leaf_visit visit;
    void *context;
    char path[WEFT_LEAF_PATH_BYTES];
} leaf_walk;

static bool visit_fields(leaf_walk *w, size_t length, const weft_field *fields, uint32_t count,
                         const unsigned char *value);

// Goes on with a path. Returns its length.
static size_t extend_path(leaf_walk *w, size_t length, const char *more)
{
    size_t space = sizeof w->path - length;
    size_t bytes = strlen(more);
    if (bytes >= space) bytes = space - 1;
    memcpy(w->path + length, more, bytes);
    w->path[length + bytes] = '\0';
    return length + bytes;
}

static bool visit_count(leaf_walk *w, size_t length, const weft_field *field, const void *member)
{
    weft_leaf_ref leaf = weft_leaf_of(field, member);
    leaf.type = WEFT_TYPE_U32;
    leaf.bytes = (uint32_t)sizeof(uint32_t);
    leaf.is_count = true;
    extend_path(w, length, ".count");
    return w->visit(w->context, w->path, &leaf);
}

static bool visit_member(leaf_walk *w, size_t length, const weft_field *field,
                         const unsigned char *member)
{
    const weft_struct_info *inner = weft_field_struct(w->schema, field);
    uint32_t elements = weft_member_count(field, member);
    bool many = field->shape == WEFT_SHAPE_ARRAY || field->shape == WEFT_SHAPE_LIST;
    if (field->shape == WEFT_SHAPE_LIST && !visit_count(w, length, field, member)) return false;
    for (uint32_t i = 0; i < elements; i++) {
        char index[WEFT_ITEM_TEXT_BYTES] = "";
        const unsigned char *at = member + field->items_offset + (size_t)i * field->element_size;
        weft_leaf_ref leaf = weft_leaf_of(field, at);
        if (many) weft_item_text(w->schema, field, i, index, sizeof index);
        size_t end = extend_path(w, length, index);
        bool goes_on = inner ? visit_fields(w, end, inner->fields, inner->field_count, at)
                             : w->visit(w->context, w->path, &leaf);
        if (!goes_on) return false;
    }
    return true;
}

static bool visit_fields(leaf_walk *w, size_t length, const weft_field *fields, uint32_t count,
                         const unsigned char *value)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t end = extend_path(w, extend_path(w, length, length == 0 ? "" : "."), fields[i].name);
        if (!visit_member(w, end, &fields[i], value + fields[i].offset)) return false;
    }
    return true;
}

bool weft_leaves_visit(const weft_schema *schema, const weft_field *fields, uint32_t count,
                       const void *value, weft_leaf_visit visit, void *context)
{
    leaf_walk w = {.schema = schema, .visit = visit, .context = context};
    return visit_fields(&w, 0, fields, count, (const unsigned char *)value);
}

// ------------------------------------------------------------------------------------------------
// Text

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
