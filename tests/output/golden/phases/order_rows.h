// The work of the inline systems of world order on one row.
#ifndef ORDER_ROWS_H
#define ORDER_ROWS_H

#include "order_second.h"
#include "order_third.h"

WEFT_HOT WEFT_ALWAYS_INLINE void order_second_row(const order_second_ctx *ctx, uint32_t i,
                                                  order_n *n)
{
    n[i].n += (uint32_t)ctx->tick;
}

WEFT_HOT WEFT_ALWAYS_INLINE void order_third_row(const order_third_ctx *ctx, uint32_t i, order_n *n,
                                                 order_m *m)
{
    m[i].m += n[i].n + (uint32_t)ctx->tick;
}

#endif
