// Reads a singleton that it has not declared.
//
// gcc: has no member named 'clock'
// clang: no member named 'clock' in
#include "sealed.h"

void seal_undeclared_singleton(const seal_undeclared_singleton_ctx *ctx, uint32_t count)
{
    (void)count;
    (void)ctx->clock->hour;
}
