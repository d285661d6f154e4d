// Uses a column that it has not declared.
//
// gcc: 'place' undeclared
// clang: use of undeclared identifier 'place'
// g++: 'place' was not declared in this scope
#include "sealed.h"

void seal_undeclared_column(const seal_undeclared_column_ctx *ctx, uint32_t count,
                            const seal_goods *WEFT_RESTRICT goods
                                IF_GRANTED(, const seal_place *WEFT_RESTRICT place))
{
    (void)ctx;
    (void)goods;
    for (uint32_t i = 0; i < count; i++) {
        (void)place[i].x;
    }
}
