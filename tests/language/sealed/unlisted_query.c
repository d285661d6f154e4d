// Counts a query that it does not list.
//
// gcc: has no member named 'fires'
// clang: no member named 'fires' in
#include "sealed.h"

void seal_unlisted_query(const seal_unlisted_query_ctx *ctx, uint32_t count)
{
    (void)count;
    (void)seal_fires_count_in(ctx->fires);
}
