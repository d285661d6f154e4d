// Comparisons in an expression: a value, a comparison and an operand become a test.
#ifndef WEFT_SELECT_COMPARE_H
#define WEFT_SELECT_COMPARE_H

#include "path.h"

typedef enum weft_select_comparison {
    WEFT_SELECT_EQUAL,
    WEFT_SELECT_UNEQUAL,
    WEFT_SELECT_LESS,
    WEFT_SELECT_AT_MOST,
    WEFT_SELECT_MORE,
    WEFT_SELECT_AT_LEAST,
    WEFT_SELECT_CONTAINS, // of strings
    WEFT_SELECT_LACKS
} weft_select_comparison;

// Reads == != < <= > >= ~ !~. Returns false if the next characters are not one of them; this is refused.
bool weft_select_read_comparison(weft_select_reader *r, weft_select_comparison *comparison);

// Reads the operand that a value is compared with, and completes its test. `place` is the start of
// the comparison, for messages.
bool weft_select_read_operand(weft_select_reader *r, const char *place, weft_select_value *value,
                              weft_select_comparison comparison);

// Sets the test of an integer, bool, enum or handle.
void weft_select_compare_integer(weft_select_value *value, weft_select_comparison comparison,
                                 weft_number number);

// Reads a word as index:generation.
bool weft_select_read_handle(weft_select_reader *r, weft_select_word word, uint64_t *handle);

#endif
