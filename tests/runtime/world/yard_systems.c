// Hooks and systems of the yard.
#include "yard_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void note(void *user, yard_kind kind, yard_entity e, yard_entity parent)
{
    yard_user *u = (yard_user *)user;
    if (!u) return;
    assert_true(u->told_count < YARD_TOLD);
    u->told[u->told_count++] = (yard_told){kind, e, parent};
}

// A hook of the first entity finds the whole tree: its values, its links, its parts.
void yard_gun_on_add(const yard_hook_ctx *ctx, yard_entity e, yard_gun *value)
{
    const yard_user *u = (const yard_user *)ctx->user;
    note(ctx->user, GUN_ADDED, e, YARD_NONE);
    if (!u || yard_is_none(value->owner)) return;
    yard_entity turret = yard_mounted_on_parent(ctx->world, e);
    assert_true(yard_same(value->owner, turret));
    assert_true(yard_same(yard_turret_barrel(ctx->world, turret), e));
}

void yard_gun_on_remove(const yard_hook_ctx *ctx, yard_entity e, const yard_gun *value)
{
    (void)value;
    note(ctx->user, GUN_REMOVED, e, YARD_NONE);
}

void yard_turn_on_add(const yard_hook_ctx *ctx, yard_entity e, yard_turn *value)
{
    assert_true(value->angle > 0);
    note(ctx->user, TURN_ADDED, e, YARD_NONE);
}

void yard_mounted_on_on_attach(const yard_hook_ctx *ctx, yard_entity child, yard_entity parent)
{
    assert_true(yard_same(yard_mounted_on_parent(ctx->world, child), parent));
    note(ctx->user, MOUNTED, child, parent);
}

void yard_beside_on_attach(const yard_hook_ctx *ctx, yard_entity child, yard_entity parent)
{
    assert_true(yard_same(yard_beside_parent(ctx->world, child), parent));
    note(ctx->user, BESIDE, child, parent);
}

void yard_build(const yard_build_ctx *ctx, uint32_t count, const yard_site *WEFT_RESTRICT site)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < site[i].tanks; k++) {
            yard_tank tank = yard_tank_defaults();
            tank.fuel.litres = site[i].tanks * 100 + k;
            tank.turret.barrel.gun.range = (float)i;
            yard_entity e = yard_cmd_tank_spawn(ctx->cmd, &tank);
            if (k % 3 == 1) yard_cmd_fragile_set(ctx->cmd, e);
            if (k % 3 == 2) yard_cmd_turret_spawn_many(ctx->cmd, 2, NULL);
        }
    }
}

void yard_alter(const yard_alter_ctx *ctx, uint32_t count)
{
    yard_user *u = (yard_user *)ctx->user;
    (void)count;
    if (!u || !u->alters) return;
    u->alters = false;
    for (uint32_t i = 0; i < 6; i++) u->altered[i] = yard_cmd_tank_spawn(ctx->cmd, NULL);
    yard_cmd_hull_set(ctx->cmd, u->altered[1], (yard_hull){77});
    yard_cmd_fragile_set(ctx->cmd, u->altered[1]);
    yard_cmd_despawn(ctx->cmd, u->altered[2]);
    yard_cmd_fuel_remove(ctx->cmd, u->altered[3]);
    yard_cmd_hull_set(ctx->cmd, u->altered[4], (yard_hull){78});
    yard_cmd_despawn(ctx->cmd, u->altered[4]);
    yard_cmd_follows_attach(ctx->cmd, u->altered[5], u->altered[0]);
}
