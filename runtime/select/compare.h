// Comparisons of an expression: a value becomes a test by what it is compared with.
#ifndef WEFT_SELECT_COMPARE_H
#define WEFT_SELECT_COMPARE_H

#include "path.h"

typedef enum weft_select_comparison {
    WEFT_SELECT_EQUAL,
    WEFT_SELECT_UNEQUAL,
    WEFT_SELECT_LESS,
    WEFT_SELECT_AT_MOST,
    WEFT_SELECT_MORE,
    WEFT_SELECT_AT_LEAST
} weft_select_comparison;

// Reads == != < <= > >=. False: none of them comes next, or another sign, which is refused.
bool weft_select_read_comparison(weft_select_reader *r, weft_select_comparison *comparison);

// Reads what a value is compared with, and makes its test. The place is that of the comparison.
bool weft_select_read_operand(weft_select_reader *r, const char *place, weft_select_value *value,
                              weft_select_comparison comparison);

// Makes the test of an integer, a bool, an enum or a handle.
void weft_select_compare_integer(weft_select_value *value, weft_select_comparison comparison,
                                 weft_number number);

// Reads index:generation, which the word is.
bool weft_select_read_handle(weft_select_reader *r, weft_select_word word, uint64_t *handle);

#endif
