// Uses a column of parents that it has not declared.
//
// gcc: 'goods_parent' undeclared
// clang: use of undeclared identifier 'goods_parent'
// g++: 'goods_parent' was not declared in this scope
#include "sealed.h"

void seal_undeclared_parent(const seal_undeclared_parent_ctx *ctx, uint32_t count,
                            const seal_goods *goods
                                IF_GRANTED(, const seal_goods *const *goods_parent))
{
    (void)ctx;
    (void)goods;
    for (uint32_t i = 0; i < count; i++) {
        (void)goods_parent[i];
    }
}
