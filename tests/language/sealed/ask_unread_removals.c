// Reads removals of a component whose removals it does not read.
//
// gcc: has no member named 'removed_strain'
// clang: no member named 'removed_strain' in
#include "sealed.h"

void seal_ask_unread_removals(const seal_ask_unread_removals_ctx *ctx, uint32_t count)
{
    (void)count;
    (void)ctx->removed_strain;
}
