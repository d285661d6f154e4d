// Counts a query that it does not list.
//
// gcc: implicit declaration of function 'seal_unlisted_query_fires_count'
// clang: implicit declaration of function 'seal_unlisted_query_fires_count'
// g++: 'seal_unlisted_query_fires_count' was not declared in this scope
// clang++: use of undeclared identifier 'seal_unlisted_query_fires_count'
#include "sealed.h"

void seal_unlisted_query(const seal_unlisted_query_ctx *ctx, uint32_t count)
{
    (void)count;
    (void)seal_fires_count_in(ctx->fires);
}
