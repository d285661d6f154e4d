// A walk of the game that writes lends the rows at hand (record/loans.h), if readers of the game
// watch what it writes. c->loan is WEFT_LENDS as it begins. A walk of a system, or of a part of the
// rows, lends none, and has 0 there.
#ifndef WEFT_LENDING_H
#define WEFT_LENDING_H

#include "query.h"

// Tells whether the rows at hand may have been written without a mark, since they are lent no more.
static inline bool weft_cursor_lent_none(const weft_cursor *c)
{
    return c->loan == 0 || !weft_rows_are_lent(c->world, c->loan);
}

// Lends the rows at hand, which are marked: values of which `sets` are the incoming change sets.
static inline void weft_cursor_lend(weft_cursor *c, const uint16_t *sets, uint32_t set_count)
{
    weft_lent_rows rows = {c->table, c->first, c->count, sets, set_count, false, false};
    if (c->loan == 0) return;
    c->loan = weft_rows_lent((weft_world *)(uintptr_t)c->world, c->loan, &rows);
}

// Lends those that pass of a range with a mask, or those of a list.
void weft_cursor_lend_rows(weft_cursor *c, const uint16_t *sets, uint32_t set_count);
void weft_cursor_lend_list(weft_cursor *c, const weft_list *list, const uint16_t *sets,
                           uint32_t set_count);

// Ends a walk, which takes back what it lends. Returns false.
static inline bool weft_cursor_end(weft_cursor *c)
{
    if (c->loan != 0) weft_rows_returned((weft_world *)(uintptr_t)c->world, c->loan);
    return false;
}

#endif
