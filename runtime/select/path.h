// The path of an expression to a value of a component.
#ifndef WEFT_SELECT_PATH_H
#define WEFT_SELECT_PATH_H

#include "../value/leaf.h"
#include "reader.h"

// A value of a component that a path leads to.
typedef struct weft_select_value {
    weft_select_test test;
    weft_leaf_ref leaf;
    uint32_t lists; // items of lists on the way, each with a test before this one
} weft_select_value;

// Reads the path of a value, of which the name of the component is read. It adds the tests that the
// lists on the way have so many items.
bool weft_select_read_path(weft_select_reader *r, uint16_t component, weft_select_value *value);

// Reads the path of a value of a plain struct with these fields, from the first `.` on. The offset
// of its test is that in the struct; `of` is the name of what has the fields.
bool weft_select_read_place(weft_select_reader *r, const char *of, const weft_field *fields,
                            uint32_t count, weft_select_value *value);

#endif
