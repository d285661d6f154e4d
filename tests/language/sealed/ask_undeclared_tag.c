// Reads a tag that it may only write.
//
// gcc: implicit declaration of function 'seal_ask_undeclared_tag_tired_has'
// clang: implicit declaration of function 'seal_ask_undeclared_tag_tired_has'
// g++: 'seal_ask_undeclared_tag_tired_has' was not declared in this scope
// clang++: use of undeclared identifier 'seal_ask_undeclared_tag_tired_has'
#include "sealed.h"

void seal_ask_undeclared_tag(const seal_ask_undeclared_tag_ctx *ctx, uint32_t count,
                             const seal_place *WEFT_RESTRICT place)
{
    (void)place;
    for (uint32_t i = 0; i < count; i++) {
        (void)seal_ask_undeclared_tag_tired_has(ctx, i);
    }
}
