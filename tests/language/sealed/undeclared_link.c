// Asks for links that it has not declared.
//
// gcc: has no member named 'owes'
// clang: no member named 'owes' in
#include "sealed.h"

void seal_undeclared_link(const seal_undeclared_link_ctx *ctx, uint32_t count)
{
    seal_entity e = seal_entity_of(count);
    (void)seal_owes_has_in(ctx->owes, e, e);
}
