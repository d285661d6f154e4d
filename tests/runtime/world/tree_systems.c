// The systems of the tree world. `user` stores their instructions and what they saw.
#include "tree_user.h"

static tree_user *user_of(void *user)
{
    return (tree_user *)user;
}

void tree_build(const tree_build_ctx *ctx, uint32_t count)
{
    tree_user *user = user_of(ctx->user);
    (void)count;
    if (user && user->act) user->act(user, ctx);
}

void tree_place(const tree_place_ctx *ctx, uint32_t count, const tree_local *local,
                tree_placed *placed, const tree_placed *const *placed_parent)
{
    tree_user *user = user_of(ctx->user);
    for (uint32_t i = 0; i < count; i++) {
        const tree_placed *above = placed_parent[i];
        placed[i].x = local[i].x + (above ? above->x : 0);
        placed[i].y = local[i].y + (above ? above->y : 0);
        tree_place_seen_put(ctx, i, true);
        if (user && user->order) user->order[user->placed] = ctx->entities[i];
        if (user) user->placed++;
    }
    if (user) user->calls++;
}

void tree_look_up(const tree_look_up_ctx *ctx, uint32_t count, const tree_placed *placed,
                  const tree_mark *const *mark, const tree_drift_const_columns *drift_parent,
                  const tree_mark *const *mark_parent, const tree_heavy *const *heavy_parent,
                  const bool *frozen_parent)
{
    tree_user *user = user_of(ctx->user);
    (void)placed;
    for (uint32_t i = 0; user && user->seen && i < count; i++) {
        user->seen[user->looked++] = (tree_sight){
            .entity = ctx->entities[i],
            .mark = mark[i] ? mark[i]->number : 0,
            .drift = drift_parent[i].x ? *drift_parent[i].x + *drift_parent[i].y : 0,
            .parent_mark = mark_parent[i] ? mark_parent[i]->number : 0,
            .mass = heavy_parent[i] ? heavy_parent[i]->mass : 0,
            .frozen = frozen_parent[i],
        };
    }
}

void tree_seldom(const tree_seldom_ctx *ctx, uint32_t count)
{
    tree_user *user = user_of(ctx->user);
    if (!user) return;
    user->seldom += count;
    user->seldom_dt = ctx->dt;
}

void tree_weigh(const tree_weigh_ctx *ctx, uint32_t count)
{
    tree_user *user = user_of(ctx->user);
    for (uint32_t i = 0; user && user->weighed && i < count; i++) {
        user->weighed[user->weighings++] = ctx->entities[i];
    }
}
