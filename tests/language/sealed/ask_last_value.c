// Reads last values of removals although its schema reads removals without them.
//
// gcc: has no member named 'removed_strain_value'
// clang: no member named 'removed_strain_value' in
#include "sealed.h"

void seal_ask_last_value(const seal_ask_last_value_ctx *ctx, uint32_t count)
{
    (void)count;
    (void)ctx->removed_strain_value;
}
