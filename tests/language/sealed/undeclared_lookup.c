// Looks up a component that it has not declared.
//
// gcc: has no member named 'place'
// clang: no member named 'place' in
#include "sealed.h"

void seal_undeclared_lookup(const seal_undeclared_lookup_ctx *ctx, uint32_t count,
                            const seal_goods *WEFT_RESTRICT goods)
{
    (void)goods;
    for (uint32_t i = 0; i < count; i++) {
        (void)seal_place_get_in(ctx->place, ctx->entities[i]);
    }
}
