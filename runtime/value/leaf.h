// A single value inside a component, singleton or event.
#ifndef WEFT_LEAF_H
#define WEFT_LEAF_H

#include "../store/entity.h"
#include "fields.h"

// A value where it lies, as a path names it. It is good until the next structural change, and is
// written by weft_field_set.
typedef struct weft_leaf_ref {
    const weft_field *field; // innermost
    weft_type type;          // WEFT_TYPE_U32 for a list's count, WEFT_TYPE_CHAR for a string
    bool is_count;           // of the list that `field` describes
    uint32_t bytes;          // of the value; of a string its whole capacity
    const void *value;
    uint32_t component; // the one that it is in; WEFT_NONE: a singleton
    uint32_t singleton; // it is in this one, if in no component
    weft_place place;   // of the entity
} weft_leaf_ref;

// Returns one element of a field, or a string, or the count of a list, as a value.
static inline weft_leaf_ref weft_leaf_of(const weft_field *field, const void *value)
{
    bool string = field->shape == WEFT_SHAPE_STRING;
    uint32_t bytes = string ? field->count : field->element_size;
    weft_leaf_ref weft_made = {field, field->type, false, bytes, value, WEFT_NONE, 0, {0, 0}};
    return weft_made;
}

static inline weft_leaf_ref weft_count_of(const weft_field *list, const void *value)
{
    uint32_t bytes = (uint32_t)sizeof(uint32_t);
    weft_leaf_ref weft_made = {list, WEFT_TYPE_U32, true, bytes, value, WEFT_NONE, 0, {0, 0}};
    return weft_made;
}

#endif
