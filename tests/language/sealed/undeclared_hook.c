// Defines a hook of a component that declares none.
//
// gcc: unknown type name 'seal_hook_ctx'
// clang: unknown type name 'seal_hook_ctx'
// g++: 'seal_hook_ctx' does not name a type
#include "sealed.h"

void seal_goods_on_add(const seal_hook_ctx *ctx, seal_entity e, seal_goods *value)
{
    if (value->amount == 0) seal_cmd_despawn(ctx->cmd, e);
}

void seal_undeclared_hook(const seal_undeclared_hook_ctx *ctx, uint32_t count)
{
    (void)ctx;
    (void)count;
}
