// The path of an expression to a value of a component.
#ifndef WEFT_SELECT_PATH_H
#define WEFT_SELECT_PATH_H

#include "../value/path.h"
#include "reader.h"

// A value of a component that a path leads to.
typedef struct weft_select_value {
    weft_select_test test;
    weft_leaf_ref leaf;
    uint32_t lists;  // items of lists on the way, each with a test before this one
    uint32_t column; // the offset in the component at which the column of the leaf begins
    uint32_t list;   // the offset of the last step but one, of a list if that has an item
} weft_select_value;

// Reads the path of a value whose component is read. It adds a test for each list on the way: that
// it has the item.
bool weft_select_read_path(weft_select_reader *r, uint16_t component, weft_select_value *value);

// Reads the path of a value in the plain struct of an owner, from the first `.` on. The offset of
// its test is that in the struct.
bool weft_select_read_place(weft_select_reader *r, weft_owner owner, weft_select_value *value);

#endif
