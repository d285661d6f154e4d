// Records a command without `commands = true`.
//
// gcc: has no member named 'cmd'
// clang: no member named 'cmd' in
#include "sealed.h"

void seal_record_commands(const seal_record_commands_ctx *ctx, uint32_t count,
                          const seal_place *WEFT_RESTRICT place)
{
    (void)place;
    for (uint32_t i = 0; i < count; i++) {
        seal_cmd_despawn(ctx->cmd, ctx->entities[i]);
    }
}
