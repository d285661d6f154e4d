// Values of rows that the game may still write (record/loans.h).
//
// Such rows are marked at each turn of the index, whether or not they were written. Therefore the
// index stores the values that it read at its last turn, and skips rows whose values are unchanged.
// As a result, a walk continues while another one begins, unless a value has changed. If there is
// no memory for the values, all lent rows are read again, and such walks end.
#ifndef WEFT_INDEX_LENT_H
#define WEFT_INDEX_LENT_H

#include "index.h"

// weft_index_pass_over removes the marks of lent rows whose values are unchanged, at the beginning
// of a turn. weft_index_restore restores the marks that must stay, at its end.
void weft_index_pass_over(weft_world *world, uint32_t number);
void weft_index_restore(weft_world *world, uint32_t number);

// Stores the values of the lent rows, at the end of a turn. O(tables + lent rows).
void weft_index_keep_lent(weft_world *world, uint32_t number);

#endif
