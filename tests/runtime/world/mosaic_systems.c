// The systems of the mosaic world. Sums depend on the order of rows, so they show it.
#include "mosaic.h"

void mosaic_polish(const mosaic_polish_ctx *ctx, uint32_t count, mosaic_t0 *WEFT_RESTRICT t0)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) t0[i].n = t0[i].n * 3 + 1;
}

void mosaic_notice(const mosaic_notice_ctx *ctx, uint32_t count, const mosaic_t2 *t2)
{
    for (uint32_t i = 0; i < count; i++) ctx->seen->changed = ctx->seen->changed * 31 + t2[i].n;
}

void mosaic_follow(const mosaic_follow_ctx *ctx, uint32_t count, const mosaic_t6 *t6, mosaic_t7 *t7,
                   const mosaic_t7 *const *t7_parent)
{
    for (uint32_t i = 0; i < count; i++) {
        t7[i].n = t6[i].n + (t7_parent[i] ? t7_parent[i]->n : 0);
        ctx->seen->followed = ctx->seen->followed * 31 + t7[i].n;
    }
}

void mosaic_welcome(const mosaic_welcome_ctx *ctx, uint32_t count, const mosaic_t8 *t8)
{
    for (uint32_t i = 0; i < count; i++) ctx->seen->added = ctx->seen->added * 31 + t8[i].n;
}
