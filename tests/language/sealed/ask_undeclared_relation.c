// Queries a relation that it does not look up.
//
// gcc: has no member named 'part_of'
// clang: no member named 'part_of' in
#include "sealed.h"

void seal_ask_undeclared_relation(const seal_ask_undeclared_relation_ctx *ctx, uint32_t count)
{
    seal_entity e = seal_entity_of(count);
    (void)seal_part_of_parent_in(ctx->part_of, e);
}
