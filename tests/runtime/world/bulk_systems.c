// The systems of bulk record commands for each row, or for all rows at once.
#include "bulk.h"

void bulk_live(const bulk_live_ctx *ctx, uint32_t count, const bulk_age *age,
               bulk_name_columns name)
{
    for (uint32_t i = 0; i < count; i++) {
        bulk_entity e = ctx->entities[i];
        uint32_t years = age[i].years + name.length[i] % 2;
        name.length[i]++;
        if (ctx->user) { // all that this world does
            bulk_cmd_pebble_spawn(ctx->cmd, NULL);
            continue;
        }
        bulk_cmd_age_replace(ctx->cmd, e, (bulk_age){years});
        if (years % 7 == 0) bulk_cmd_debt_set(ctx->cmd, e, (bulk_debt){years});
        if (years % 500 == 70) bulk_cmd_guild_clear(ctx->cmd);
        if (bulk_live_tired_has(ctx, i)) bulk_cmd_despawn(ctx->cmd, e);
    }
}

void bulk_tax(const bulk_tax_ctx *ctx, uint32_t count, const bulk_debt *const *debt)
{
    for (uint32_t i = 0; i < count; i++) {
        if (debt[i]->coins % 5 != 0) continue;
        bulk_cmd_debt_clear(ctx->cmd);
        bulk_cmd_villager_spawn(ctx->cmd, NULL);
    }
}
