// Walking the fields of a value through its reflection tables, down to numbers, handles and strings.
//
// What needs to know the inside of a component without knowing the schema is built on this one walk: the
// state hash, and the mending of handles in values (commands, recycling).
#ifndef WEFT_FIELDS_H
#define WEFT_FIELDS_H

#include "weft.h"

WEFT_EXTERN_C_BEGIN

// Called for every leaf in field order: an element that is a number, an enum or a handle (bytes: its size),
// or a string (type WEFT_TYPE_CHAR, bytes: up to its NUL). Only the items a list has are visited, and before
// them its count (as a WEFT_TYPE_U32 leaf). `field` is the innermost field.
typedef void (*weft_leaf)(void *context, const weft_field *field, weft_type type, void *value, uint32_t bytes);

// `only_saved`: fields with save = false are passed over.
void weft_fields_walk(const weft_schema *schema, const weft_field *fields, uint32_t count, void *value,
                      bool only_saved, weft_leaf leaf, void *context);

// Whether there is a handle anywhere inside.
bool weft_fields_have_entities(const weft_schema *schema, const weft_field *fields, uint32_t count);

// A handle in a field of a value.
uint64_t weft_handle_read(const weft_schema *schema, const void *value);
void weft_handle_write(const weft_schema *schema, void *value, uint64_t bits);

WEFT_EXTERN_C_END

#endif
