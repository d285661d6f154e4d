// Attaches entities without the right to record commands.
//
// gcc: has no member named 'cmd'
// clang: no member named 'cmd' in
#include "sealed.h"

void seal_attach_with_context(const seal_attach_with_context_ctx *ctx, uint32_t count)
{
    seal_entity e = seal_entity_of(count);
    seal_cmd_part_of_attach(ctx->cmd, e, e);
}
