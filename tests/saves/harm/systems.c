// The systems and hooks of the vault: each does a little of what it may do.
#include "vault.h"

void vault_grip_on_add(const vault_hook_ctx *ctx, vault_entity e, vault_grip *value)
{
    if (value->bonds.count != 0) vault_cmd_hidden_set(ctx->cmd, e);
}

void vault_grip_on_remove(const vault_hook_ctx *ctx, vault_entity e, const vault_grip *value)
{
    (void)value;
    vault_cmd_hidden_remove(ctx->cmd, e);
}

void vault_owes_on_add(const vault_hook_ctx *ctx, vault_entity from, vault_entity to,
                       vault_owes *value)
{
    (void)to;
    if (value->gold % 2 == 0) vault_cmd_hidden_set(ctx->cmd, from);
}

void vault_owes_on_remove(const vault_hook_ctx *ctx, vault_entity from, vault_entity to,
                          const vault_owes *value)
{
    (void)from;
    if (value->note[0] == 'a') vault_cmd_hidden_remove(ctx->cmd, to);
}

void vault_settle(const vault_settle_ctx *ctx, uint32_t count, const vault_entity *from,
                  const vault_entity *to, vault_owes *const *owes,
                  const vault_place *const *to_place)
{
    (void)ctx, (void)from, (void)to, (void)to_place;
    for (uint32_t i = 0; i < count; i++) owes[i]->gold /= 2;
}

void vault_move(const vault_move_ctx *ctx, uint32_t count, vault_motion_const_columns motion,
                vault_place *WEFT_RESTRICT place)
{
    for (uint32_t i = 0; i < count; i++) {
        place[i].x += motion.dx[i];
        vault_entity e = ctx->entities[i];
        uint32_t what = (uint32_t)ctx->tick + e.bits;
        if (what % 3 != 0) {
            vault_rumor_emit(ctx->emit_rumor, (vault_rumor){.number = motion.marks[i].items[0],
                                                            .about = motion.owner[i]});
        }
        if (what % 11 == 0) vault_cmd_grip_remove(ctx->cmd, e);
        if (what % 13 == 0) vault_cmd_motion_remove(ctx->cmd, e);
        if (what % 17 == 0) vault_cmd_fever_set(ctx->cmd, e, (vault_fever){.from = e});
    }
}

void vault_gossip(const vault_gossip_ctx *ctx, uint32_t count, vault_fever *const *fever)
{
    int32_t all = (int32_t)vault_everyone_count_in(ctx->everyone);
    for (uint32_t i = 0; i < count; i++) fever[i]->left = all + (int32_t)ctx->rumor_count;
}

void vault_watch(const vault_watch_ctx *ctx, uint32_t count)
{
    uint64_t seen = ctx->rumor_count + ctx->removed_place_count + ctx->removed_marked_count + count;
    for (uint32_t i = 0; i < ctx->rumor_count; i++) seen += ctx->rumor[i].number;
    for (uint32_t i = 0; i < ctx->removed_grip_count; i++) {
        seen += ctx->removed_grip_value[i].bonds.count + ctx->removed_grip[i].bits;
    }
    ctx->weather->days = (int64_t)((uint64_t)ctx->weather->days + seen);
}

void vault_climb(const vault_climb_ctx *ctx, uint32_t count, vault_grip *grip,
                 const vault_grip *const *grip_parent)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        if (grip_parent[i]) grip[i].flags[0] = !grip_parent[i]->flags[0];
    }
}
