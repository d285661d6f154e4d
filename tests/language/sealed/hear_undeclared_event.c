// Hears an event that it only emits.
//
// gcc: has no member named 'died'
// clang: no member named 'died' in
#include "sealed.h"

void seal_hear_undeclared_event(const seal_hear_undeclared_event_ctx *ctx, uint32_t count)
{
    (void)count;
    (void)ctx->died->day;
}
