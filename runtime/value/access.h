// Reads and writes single leaves by the rules of their fields. Everything that sets a value by name
// or by text uses these functions. A leaf may be in the world or in the caller's memory. A function
// that refuses a value returns false, changes nothing, and writes the reason to `why`.
#ifndef WEFT_ACCESS_H
#define WEFT_ACCESS_H

#include "check.h"

// Refuses a value of the caller if its type or size differs from the leaf's.
bool weft_value_has_type(const weft_schema *schema, const weft_leaf_ref *leaf, weft_type type,
                         size_t bytes, char why[WEFT_WHY_BYTES]);

// Reads a string, or the name of an enum's value, as text.
bool weft_value_read_text(const weft_schema *schema, const weft_leaf_ref *leaf, char *text,
                          size_t bytes, char why[WEFT_WHY_BYTES]);

// Writes a number that the type of the leaf can hold, if `min`, `max`, the values of the enum, or
// the capacity of the list allow it. If the leaf is the count of a list, new items are zeroed.
bool weft_value_write_number(const weft_schema *schema, const weft_leaf_ref *leaf,
                             weft_number number, char why[WEFT_WHY_BYTES]);

// Writes a handle, dead or alive. It must not have more bits than handles have.
bool weft_value_write_handle(const weft_schema *schema, const weft_leaf_ref *leaf, uint64_t bits,
                             char why[WEFT_WHY_BYTES]);

// Writes a string, or the value of an enum given by name. `text` must contain a NUL within `bytes`.
bool weft_value_write_text(const weft_schema *schema, const weft_leaf_ref *leaf, const char *text,
                           size_t bytes, char why[WEFT_WHY_BYTES]);

#endif
