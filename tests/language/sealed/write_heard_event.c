// Writes an event that it hears, although others have yet to hear it.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type|returns a const value
#include "sealed.h"

void seal_write_heard_event(const seal_write_heard_event_ctx *ctx, uint32_t count)
{
    (void)count;
    (IF_GRANTED((seal_died *)(uintptr_t)) ctx->died)->day = 1;
}
