// Sums in a partial that it has not declared.
//
// gcc: has no member named 'partial'
// clang: no member named 'partial' in
#include "sealed.h"

void seal_undeclared_partial(const seal_undeclared_partial_ctx *ctx, uint32_t count)
{
    ctx->partial->sum += count;
}
