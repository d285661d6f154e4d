// Writes a singleton in its merge that it only reads.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type|returns a const value
#include "sealed.h"

void seal_write_in_merge(const seal_write_in_merge_ctx *ctx, uint32_t count,
                         const seal_place *place)
{
    (void)place;
    ctx->partial->sum += count;
}

void seal_write_in_merge_merge(const seal_write_in_merge_ctx *ctx,
                               const seal_write_in_merge_partial *parts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) ctx->clock->hour = (float)parts[i].sum;
}
