// Pairing the fields of a save with those of the world: by name, down into structs.
#include "convert.h"

#include "../../plan/names.h"
#include "../bytes.h"

#include <inttypes.h>
#include <stdio.h>

#define TYPE_TEXT_BYTES 96

// What stays the same from the outermost field to the innermost.
typedef struct pairing {
    const weft_schemas *schemas;
    const weft_match *match;
    char *why;
    size_t size;
} pairing;

// The pairs of the fields of a struct, and what holds of all of them.
typedef struct paired_fields {
    const weft_field_pair *pairs; // NULL: refused, or no memory
    bool same;
    bool unchecked;
} paired_fields;

static paired_fields pair_fields(const pairing *p, const weft_field *was, uint32_t was_count,
                                 const weft_field *is, uint32_t is_count);

// ------------------------------------------------------------------------------------------------
// Words

const char *weft_element_name(const weft_schema *schema, const weft_field *field)
{
    if (field->type == WEFT_TYPE_ENUM) return schema->enums[field->of].name;
    const weft_struct_info *inner = weft_field_struct(schema, field);
    return inner ? inner->name : weft_type_name(field->type);
}

void weft_field_type_text(const weft_schema *schema, const weft_field *field, char *text,
                          size_t size)
{
    const char *name = weft_element_name(schema, field);
    if (field->shape == WEFT_SHAPE_ONE) {
        snprintf(text, size, "%s", name);
    } else {
        const char *dots = field->shape == WEFT_SHAPE_LIST ? ".." : "";
        snprintf(text, size, "%s[%s%" PRIu32 "]", name, dots, field->count);
    }
}

static bool refuse_pair(const pairing *p, const weft_field_pair *pair)
{
    char was[TYPE_TEXT_BYTES], is[TYPE_TEXT_BYTES];
    weft_field_type_text(p->schemas->file, pair->was, was, sizeof was);
    weft_field_type_text(p->schemas->world, pair->is, is, sizeof is);
    snprintf(p->why, p->size,
             "field '%s' of %s '%s' was %s in the save and is %s now, which values cannot be "
             "converted to; give the new field another name",
             pair->is->name, p->match->kind, p->match->name, was, is);
    return false;
}

// ------------------------------------------------------------------------------------------------
// Elements

bool weft_handles_same(const weft_schemas *schemas)
{
    return schemas->file->index_bits == schemas->world->index_bits &&
           schemas->file->generation_bits == schemas->world->generation_bits;
}

// Maps each value of an enum in the save to what it is now. *same: nothing about them has changed.
static const uint32_t *map_enum(const weft_schemas *s, const weft_enum_info *was,
                                const weft_enum_info *is, bool *same)
{
    uint32_t *values = (uint32_t *)weft_scratch_array(s->scratch, was->count, sizeof *values);
    *same = was->type == is->type && was->count == is->count;
    for (uint32_t i = 0; values && i < was->count; i++) {
        const char *name = was->values[i];
        values[i] = weft_name_find(is->values, sizeof *is->values, is->count, name);
        if (values[i] != i) *same = false;
        if (values[i] == WEFT_NO_NAME && is->was) {
            values[i] = weft_name_find(is->was, sizeof *is->was, is->count, name);
        }
    }
    return values;
}

// Numbers, handles or values of an enum.
static bool pair_scalars(const pairing *p, weft_field_pair *pair)
{
    const weft_schemas *s = p->schemas;
    weft_type was = pair->was->type;
    weft_type is = pair->is->type;
    bool same = was == is;
    if (is <= WEFT_TYPE_F64 && was <= WEFT_TYPE_F64) {
        pair->unchecked = is != WEFT_TYPE_BOOL;
    } else if (was != is) {
        return refuse_pair(p, pair);
    } else if (is == WEFT_TYPE_ENUM) {
        pair->values =
            map_enum(s, &s->file->enums[pair->was->of], &s->world->enums[pair->is->of], &same);
        if (!pair->values) return false;
    } else if (is == WEFT_TYPE_ENTITY) {
        same = weft_handles_same(s);
        pair->unchecked = true;
    }
    pair->same_elements =
        same && pair->was->element_size == pair->is->element_size && !WEFT_BIG_ENDIAN;
    return true;
}

static bool pair_elements(const pairing *p, weft_field_pair *pair)
{
    const weft_struct_info *was = weft_field_struct(p->schemas->file, pair->was);
    const weft_struct_info *is = weft_field_struct(p->schemas->world, pair->is);
    if (!was && !is) return pair_scalars(p, pair);
    if (!was || !is) return refuse_pair(p, pair);
    paired_fields inner =
        pair_fields(p, was->fields, was->field_count, is->fields, is->field_count);
    pair->inner = inner.pairs;
    pair->inner_count = is->field_count;
    pair->same_elements = inner.same && was->size == is->size;
    pair->unchecked = inner.unchecked;
    return inner.pairs != NULL;
}

// ------------------------------------------------------------------------------------------------
// Members

static bool pair_member(const pairing *p, weft_field_pair *pair)
{
    const weft_field *was = pair->was;
    const weft_field *is = pair->is;
    if (was->shape != is->shape) return refuse_pair(p, pair);
    if (!pair_elements(p, pair)) return false;
    pair->same = pair->same_elements && was->size == is->size && was->count == is->count &&
                 was->items_offset == is->items_offset;
    return true;
}

static paired_fields pair_fields(const pairing *p, const weft_field *was, uint32_t was_count,
                                 const weft_field *is, uint32_t is_count)
{
    const paired_fields none = {.pairs = NULL};
    paired_fields all = {.same = was_count == is_count, .unchecked = true};
    weft_field_pair *pairs =
        (weft_field_pair *)weft_scratch_array(p->schemas->scratch, is_count, sizeof *pairs);
    if (!pairs) return none;
    for (uint32_t i = 0; i < is_count; i++) {
        weft_field_pair *pair = &pairs[i];
        uint32_t found = weft_name_before(was, sizeof *was, was_count, is[i].name, is[i].was);
        pair->is = &is[i];
        if (found != WEFT_NO_NAME && was[found].save && is[i].save) {
            pair->was = &was[found];
            if (!pair_member(p, pair)) return none;
        }
        bool in_place = found == i && was[i].offset == is[i].offset;
        bool any_bytes = is[i].shape == WEFT_SHAPE_ONE || is[i].shape == WEFT_SHAPE_ARRAY;
        all.same = all.same && pair->same && in_place;
        all.unchecked = all.unchecked && pair->unchecked && any_bytes;
    }
    all.pairs = pairs;
    return all;
}

const weft_field_pair *weft_fields_pair(const weft_schemas *schemas, weft_match *match, char *why,
                                        size_t size)
{
    const weft_layout *was = &match->was;
    const weft_layout *is = &match->is;
    pairing p = {schemas, match, why, size};
    paired_fields all = pair_fields(&p, was->fields, was->field_count, is->fields, is->field_count);
    match->unchecked = all.unchecked;
    match->same = all.same && was->soa == is->soa && was->size == is->size;
    return all.pairs;
}
