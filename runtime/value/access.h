// Single leaves, read and written by the rules of their fields: whatever sets a value by name or by
// text goes through here. A leaf may lie in the world or in memory of the caller. Functions that
// refuse a value return false, change nothing, and write the reason to `why`.
#ifndef WEFT_ACCESS_H
#define WEFT_ACCESS_H

#include "check.h"

// Fails if a value of the caller's has another type or size than the leaf.
bool weft_value_has_type(const weft_schema *schema, const weft_leaf_ref *leaf, weft_type type,
                         size_t bytes, char why[WEFT_WHY_BYTES]);

// Reads a string, or the name of an enum's value.
bool weft_value_read_text(const weft_schema *schema, const weft_leaf_ref *leaf, char *text,
                          size_t bytes, char why[WEFT_WHY_BYTES]);

// Writes a number that the leaf's type can hold, if min, max, the enum's values or the capacity of
// a list allow it. Items that a list's new count brings into view become zeros.
bool weft_value_write_number(const weft_schema *schema, const weft_leaf_ref *leaf,
                             weft_number number, char why[WEFT_WHY_BYTES]);

// Writes a handle, dead or alive, that has no more bits than handles have.
bool weft_value_write_handle(const weft_schema *schema, const weft_leaf_ref *leaf, uint64_t bits,
                             char why[WEFT_WHY_BYTES]);

// Writes a string, or the enum's value of that name. `text` must have a NUL within `bytes`.
bool weft_value_write_text(const weft_schema *schema, const weft_leaf_ref *leaf, const char *text,
                           size_t bytes, char why[WEFT_WHY_BYTES]);

#endif
