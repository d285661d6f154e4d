// Reads one component with the grant of another one.
//
// gcc: incompatible type for argument 1 of 'seal_place_get_in'
// clang: passing .*seal_goods_reader.* to parameter of incompatible type
// g++: could not convert '.*seal_goods_reader.*'
// clang++: no matching function for call to 'seal_place_get_in'
#include "sealed.h"

void seal_read_with_other_grant(const seal_read_with_other_grant_ctx *ctx, uint32_t count)
{
    (void)seal_place_get_in(ctx->VERB(goods, place), seal_entity_of(count));
}
