// A writing walk of the game lends the rows of its current range (record/loans.h), if readers of
// the game watch values that it writes. c->loan is WEFT_LENDS when it begins. Walks of systems, and
// of parts of the rows, do not lend; their c->loan is 0.
#ifndef WEFT_LENDING_H
#define WEFT_LENDING_H

#include "query.h"

// Returns whether the rows of the range are no longer lent, so that writes to them may have no
// mark.
static inline bool weft_cursor_lent_none(const weft_cursor *c)
{
    return c->loan == 0 || !weft_rows_are_lent(c->world, c->loan);
}

// Lends the rows of the range, which are marked. `sets` are the incoming change sets of the values.
static inline void weft_cursor_lend(weft_cursor *c, const uint16_t *sets, uint32_t set_count)
{
    weft_lent_rows rows = {c->table, c->first, c->count, sets, set_count, false, false};
    if (c->loan == 0) return;
    c->loan = weft_rows_lent((weft_world *)(uintptr_t)c->world, c->loan, &rows);
}

// Lend the passing rows of a range with a mask, or the rows of a list.
void weft_cursor_lend_rows(weft_cursor *c, const uint16_t *sets, uint32_t set_count);
void weft_cursor_lend_list(weft_cursor *c, const weft_list *list, const uint16_t *sets,
                           uint32_t set_count);

// Ends a walk and its loan. Returns false.
static inline bool weft_cursor_end(weft_cursor *c)
{
    if (c->loan != 0) weft_rows_returned((weft_world *)(uintptr_t)c->world, c->loan);
    return false;
}

#endif
