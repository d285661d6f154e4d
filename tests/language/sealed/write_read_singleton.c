// Writes a singleton that it only reads.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type|returns a const value
#include "sealed.h"

void seal_write_read_singleton(const seal_write_read_singleton_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->clock->hour = 1;
}
