// The work of the inline system of world tally on one row; all systems share the sum.
#ifndef TALLY_ROWS_H
#define TALLY_ROWS_H

#include "tally_good.h"
#include "tally_sum_inside.h"
#include "tally_sums.h"

// Adds a row. What it makes of `price` and `mixed` depends on the order of the rows.
static inline void tally_add(tally_sums *sums, const tally_good *good)
{
    sums->rows++;
    sums->n += good->n;
    sums->price += good->price;
    sums->mixed = sums->mixed * 31 + good->n + 1;
}

WEFT_HOT WEFT_ALWAYS_INLINE void tally_sum_inside_row(const tally_sum_inside_ctx *ctx, uint32_t i,
                                                      const tally_good *good)
{
    tally_add(&ctx->partial->sum, &good[i]);
}

#endif
