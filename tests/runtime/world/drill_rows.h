// The work of the inline systems of world drill on one row; all systems share the arithmetic.
#ifndef DRILL_ROWS_H
#define DRILL_ROWS_H

#include "drill_drop.h"
#include "drill_lift.h"
#include "drill_press.h"
#include "drill_roll.h"
#include "drill_settle.h"
#include "drill_shake.h"
#include "drill_swell.h"

static inline uint32_t next_a(uint32_t a)
{
    return a * 1664525u + 1013904223u;
}

static inline uint32_t next_b(uint32_t b, uint32_t a)
{
    return b * 31 + a;
}

static inline uint32_t next_c(uint32_t c, uint32_t a, uint32_t b)
{
    return c * 17 + (a ^ b);
}

static inline uint32_t next_d(uint32_t d, uint32_t a, uint32_t c)
{
    return d * 13 + a + 3 * c;
}

WEFT_HOT WEFT_ALWAYS_INLINE void drill_roll_row(const drill_roll_ctx *ctx, uint32_t i, drill_a *a)
{
    a[i].n = next_a(a[i].n);
    if (a[i].n % 64 == 3) drill_met_emit(ctx->emit_met, (drill_met){ctx->entities[i], a[i].n});
}

WEFT_HOT WEFT_ALWAYS_INLINE void drill_press_row(const drill_press_ctx *ctx, uint32_t i,
                                                 const drill_a *a, drill_d *d)
{
    d[i].n = next_d(d[i].n, a[i].n, (uint32_t)ctx->tick);
}

WEFT_HOT WEFT_ALWAYS_INLINE void drill_shake_row(const drill_shake_ctx *ctx, uint32_t i,
                                                 const drill_d *d, drill_e *e)
{
    e[i].n ^= d[i].n + (uint32_t)ctx->dt;
}

WEFT_HOT WEFT_ALWAYS_INLINE void drill_swell_row(const drill_swell_ctx *ctx, uint32_t i,
                                                 const drill_a *a, drill_b_columns b,
                                                 const drill_d *d)
{
    (void)ctx;
    b.n[i] = next_b(b.n[i], a[i].n) + (d ? d[i].n : 0);
}

WEFT_HOT WEFT_ALWAYS_INLINE void drill_lift_row(const drill_lift_ctx *ctx, uint32_t i,
                                                const drill_a *a, drill_d *d)
{
    (void)ctx;
    d[i].n = next_d(d[i].n, a[i].n, 2);
}

WEFT_HOT WEFT_ALWAYS_INLINE void drill_drop_row(const drill_drop_ctx *ctx, uint32_t i,
                                                const drill_d *d, drill_a *a)
{
    (void)ctx;
    a[i].n ^= d[i].n;
}

WEFT_HOT WEFT_ALWAYS_INLINE void drill_settle_row(const drill_settle_ctx *ctx, uint32_t i,
                                                  drill_a *a, drill_c *const *c)
{
    (void)ctx;
    c[i]->n = next_c(c[i]->n, a[i].n, 0);
    a[i].n ^= c[i]->n;
}

#endif
