// Writes a tag that its `write` does not list.
//
// gcc: implicit declaration of function 'seal_put_unwritten_tag_tired_put'
// clang: implicit declaration of function 'seal_put_unwritten_tag_tired_put'
// g++: 'seal_put_unwritten_tag_tired_put' was not declared in this scope
// clang++: use of undeclared identifier 'seal_put_unwritten_tag_tired_put'
#include "sealed.h"

void seal_put_unwritten_tag(const seal_put_unwritten_tag_ctx *ctx, uint32_t count,
                            const seal_place *WEFT_RESTRICT place)
{
    (void)place;
    for (uint32_t i = 0; i < count; i++) {
        seal_put_unwritten_tag_tired_put(ctx, i, true);
    }
}
