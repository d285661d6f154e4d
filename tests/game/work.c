// Does the work: gather at a plant, fetch from a stock, deliver to another. Each step happens on
// arrival.
//
// The load of a villager is an entity of its own, a bundle, attached to its carrier. Systems cannot
// spawn or attach while they run. They record commands, which are applied at the end of the phase.
#include "colony_bundle.h"
#include "colony_carry.h"
#include "colony_deliver.h"
#include "colony_fetch.h"
#include "colony_gather.h"
#include "colony_halt.h"
#include "colony_ripe.h"
#include "errand.h"

enum { SKILL_MAX = 100, CARRY_MAX = 20 };

// Carriers come before their bundles, so `position_parent` is their current place. A bundle that
// lies on the ground has no parent and stays there.
void colony_carry(const colony_carry_ctx *ctx, uint32_t count, colony_position *position,
                  const colony_position *const *position_parent)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        if (position_parent[i] != NULL) position[i] = *position_parent[i];
    }
}

// Later commands may already use the handle of the bundle, although it is not spawned yet.
static void pick_up(colony_cmd *cmd, colony_entity who, colony_position where, colony_cargo goods)
{
    colony_bundle bundle = {.position = where, .cargo = goods};
    colony_cmd_carried_by_attach(cmd, colony_cmd_bundle_spawn(cmd, &bundle), who);
}

static void practise(colony_worker *worker)
{
    uint8_t *skill = &worker->skill[worker->goods];
    if (*skill < SKILL_MAX) (*skill)++;
}

void colony_gather(const colony_gather_ctx *ctx, uint32_t count,
                   const colony_position *restrict position, colony_worker *restrict worker,
                   colony_walker *restrict walker)
{
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job != COLONY_JOB_GATHER) continue;
        worker[i].hours_left -= (float)ctx->dt;
        if (worker[i].hours_left > 0) continue;
        colony_plant *plant = colony_plant_edit_in(ctx->plant, worker[i].source);
        if (plant == NULL) {
            errand_end(&worker[i]);
            continue;
        }
        plant->hours_grown = 0;
        colony_cmd_ripe_remove(ctx->cmd, worker[i].source);
        pick_up(ctx->cmd, ctx->entities[i], position[i],
                (colony_cargo){.goods = plant->goods, .amount = plant->yield});
        practise(&worker[i]);
        errand_go(&worker[i], &walker[i], COLONY_JOB_DELIVER,
                  colony_position_get_in(ctx->position, worker[i].destination));
    }
}

// Takes as much as one villager can carry. A stock that was removed, or that others have emptied,
// gives 0.
static uint32_t take(colony_stock *stock, colony_goods goods)
{
    if (stock == NULL) return 0;
    uint32_t taken = stock->amount[goods] < CARRY_MAX ? stock->amount[goods] : CARRY_MAX;
    stock->amount[goods] -= taken;
    return taken;
}

void colony_fetch(const colony_fetch_ctx *ctx, uint32_t count,
                  const colony_position *restrict position, colony_worker *restrict worker,
                  colony_walker *restrict walker)
{
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job != COLONY_JOB_FETCH) continue;
        colony_goods goods = worker[i].goods;
        uint32_t amount = take(colony_stock_edit_in(ctx->stock, worker[i].source), goods);
        if (amount == 0) {
            errand_end(&worker[i]);
            continue;
        }
        pick_up(ctx->cmd, ctx->entities[i], position[i],
                (colony_cargo){.goods = goods, .amount = amount});
        errand_go(&worker[i], &walker[i], COLONY_JOB_DELIVER,
                  colony_position_get_in(ctx->position, worker[i].destination));
    }
}

// Puts down the goods of one bundle; if the place was removed they are lost.
static void put_down(const colony_deliver_ctx *ctx, colony_entity bundle, colony_entity place)
{
    const colony_cargo *cargo = colony_cargo_get_in(ctx->cargo, bundle);
    colony_stock *stock = colony_stock_edit_in(ctx->stock, place);
    if (cargo != NULL && stock != NULL) stock->amount[cargo->goods] += cargo->amount;
    colony_cmd_despawn(ctx->cmd, bundle);
}

void colony_deliver(const colony_deliver_ctx *ctx, uint32_t count, colony_worker *restrict worker)
{
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job != COLONY_JOB_DELIVER) continue;
        colony_entity bundle = colony_carried_by_first_child_in(ctx->carried_by, ctx->entities[i]);
        while (!colony_is_none(bundle)) {
            put_down(ctx, bundle, worker[i].destination);
            bundle = colony_carried_by_next_sibling_in(ctx->carried_by, bundle);
        }
        errand_end(&worker[i]);
    }
}

void colony_halt(const colony_halt_ctx *ctx, uint32_t count, colony_worker *restrict worker)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job == COLONY_JOB_WALK) errand_end(&worker[i]);
    }
}
