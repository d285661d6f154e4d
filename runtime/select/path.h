// Paths to values in an expression.
#ifndef WEFT_SELECT_PATH_H
#define WEFT_SELECT_PATH_H

#include "../value/path.h"
#include "reader.h"

// A value of a component that a path names.
typedef struct weft_select_value {
    weft_select_test test;
    weft_leaf_ref leaf;
    uint32_t lists;  // items of lists on the path; each adds a test before this one
    uint32_t column; // offset in the component of the column that contains the leaf
    uint32_t list;   // offset before the last step; the list's, if that was to an item
} weft_select_value;

// Reads the path of a value, after the name of its component. For each list on the path, adds a
// test that the list has the item.
bool weft_select_read_path(weft_select_reader *r, uint16_t component, weft_select_value *value);

// Reads the path of a value in the plain struct of an owner, starting at the first `.`. The offset
// in its test counts from the start of that struct.
bool weft_select_read_place(weft_select_reader *r, weft_owner owner, weft_select_value *value);

#endif
