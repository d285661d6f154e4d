// Looks up a component that it has not declared.
//
// gcc: implicit declaration of function 'seal_undeclared_lookup_place_get'
// clang: implicit declaration of function 'seal_undeclared_lookup_place_get'
// g++: 'seal_undeclared_lookup_place_get' was not declared in this scope
// clang++: use of undeclared identifier 'seal_undeclared_lookup_place_get'
#include "sealed.h"

void seal_undeclared_lookup(const seal_undeclared_lookup_ctx *ctx, uint32_t count,
                            const seal_goods *WEFT_RESTRICT goods)
{
    (void)goods;
    for (uint32_t i = 0; i < count; i++) {
        (void)seal_place_get_in(ctx->place, ctx->entities[i]);
    }
}
