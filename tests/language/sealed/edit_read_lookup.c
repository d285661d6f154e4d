// Edits another entity's component that it may only look up.
//
// gcc: implicit declaration of function 'seal_edit_read_lookup_place_edit'
// clang: implicit declaration of function 'seal_edit_read_lookup_place_edit'
// g++: 'seal_edit_read_lookup_place_edit' was not declared in this scope
// clang++: use of undeclared identifier 'seal_edit_read_lookup_place_edit'
#include "sealed.h"

void seal_edit_read_lookup(const seal_edit_read_lookup_ctx *ctx, uint32_t count)
{
    seal_entity e = seal_entity_of(count);
    (void)seal_place_edit_in(ctx->place, e);
}
