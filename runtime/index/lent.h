// What an index has of rows that the game may still write (record/loans.h).
//
// Such rows are marked at each turn of the index, whether they were written or not. So the index
// keeps what it read of them at its last turn, and passes over those that still have that: a walk
// goes on while another one begins, unless a value has changed. If there is no memory to keep it,
// all of them are looked at again, and such walks end.
#ifndef WEFT_INDEX_LENT_H
#define WEFT_INDEX_LENT_H

#include "index.h"

// Takes the marks off those lent rows that have what they had, at the begin of a turn. Restore
// gives them back where they have to stay, at its end.
void weft_index_pass_over(weft_world *world, uint32_t number);
void weft_index_restore(weft_world *world, uint32_t number);

// Keeps what the lent rows have, at the end of a turn. O(tables + rows that are lent).
void weft_index_keep_lent(weft_world *world, uint32_t number);

#endif
