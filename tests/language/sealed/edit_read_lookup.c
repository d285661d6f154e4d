// Edits another entity's component that it may only look up.
//
// gcc: incompatible type for argument 1 of 'seal_mark_edit_in'
// clang: passing .*seal_mark_reader.* to parameter of incompatible type
// g++: could not convert '.*seal_mark_reader.*'
// clang++: no matching function for call to 'seal_mark_edit_in'
#include "sealed.h"

void seal_edit_read_lookup(const seal_edit_read_lookup_ctx *ctx, uint32_t count)
{
    seal_entity e = seal_entity_of(count);
    (void)seal_mark_edit_in(ctx->mark, e);
}
