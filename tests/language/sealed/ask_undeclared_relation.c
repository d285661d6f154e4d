// Asks a relation that it does not look up.
//
// gcc: implicit declaration of function 'seal_ask_undeclared_relation_part_of_parent'
// clang: implicit declaration of function 'seal_ask_undeclared_relation_part_of_parent'
// g++: 'seal_ask_undeclared_relation_part_of_parent' was not declared in this scope
// clang++: use of undeclared identifier 'seal_ask_undeclared_relation_part_of_parent'
#include "sealed.h"

void seal_ask_undeclared_relation(const seal_ask_undeclared_relation_ctx *ctx, uint32_t count)
{
    seal_entity e = seal_entity_of(count);
    (void)seal_part_of_parent_in(ctx->part_of, e);
}
