// Reads and writes a value in the type that a caller asks for: see weft_field_get.
#ifndef WEFT_REFLECT_TYPED_H
#define WEFT_REFLECT_TYPED_H

#include "../value/access.h"

// The `type` of calls that take or return a double, whatever the type of the value.
#define WEFT_AS_DOUBLE ((weft_type)UINT8_MAX)

// Return false and write the reason to `why` if the value cannot be read or written so.
bool weft_leaf_read_as(const weft_schema *schema, const weft_leaf_ref *leaf, weft_type type,
                       void *value, size_t bytes, char *why);
bool weft_leaf_write_as(const weft_schema *schema, const weft_leaf_ref *leaf, weft_type type,
                        const void *value, size_t bytes, char *why);

#endif
