// A single value inside a component, singleton or event.
#ifndef WEFT_LEAF_H
#define WEFT_LEAF_H

#include "../store/entity.h"
#include "fields.h"

// A reference to a value, as a path names it. It is valid until the next structural change. Use
// weft_field_set to write to it.
typedef struct weft_leaf_ref {
    const weft_field *field; // the innermost field
    weft_type type;          // WEFT_TYPE_U32 for a list's count, WEFT_TYPE_CHAR for a string
    bool is_count;           // it is the count of the list that `field` describes
    uint32_t bytes;          // of the value; for a string, its whole capacity
    const void *value;
    uint32_t component; // that contains it; WEFT_NONE for a singleton
    uint32_t singleton; // that contains it, if no component does
    weft_place place;   // of the entity
} weft_leaf_ref;

// Return a reference to one element of a field or a string, and to the count of a list.
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
