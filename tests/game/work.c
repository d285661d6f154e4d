// Doing the work: gather at a plant, fetch from a stock, deliver to another. Each step happens on
// arrival.
//
// What somebody carries is the component `cargo`. Systems cannot add or remove components while
// they run; they record commands, which are applied at the end of the phase.
#include "colony_deliver.h"
#include "colony_fetch.h"
#include "colony_gather.h"
#include "colony_ripe.h"
#include "errand.h"

enum { SKILL_MAX = 100, CARRY_MAX = 20 };

static void practise(colony_worker *worker)
{
    uint8_t *skill = &worker->skill[worker->goods];
    if (*skill < SKILL_MAX) (*skill)++;
}

void colony_gather(const colony_gather_ctx *ctx, uint32_t count, colony_worker *restrict worker,
                   colony_walker *restrict walker)
{
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job != COLONY_JOB_GATHER) continue;
        worker[i].hours_left -= (float)ctx->dt;
        if (worker[i].hours_left > 0) continue;
        colony_plant *plant = colony_gather_plant_edit(ctx, worker[i].source);
        if (plant == NULL) {
            errand_end(&worker[i]);
            continue;
        }
        plant->hours_grown = 0;
        colony_cmd_ripe_remove(ctx->cmd, worker[i].source);
        colony_cmd_cargo_set(ctx->cmd, ctx->entities[i],
                             (colony_cargo){.goods = plant->goods, .amount = plant->yield});
        practise(&worker[i]);
        errand_go(&worker[i], &walker[i], COLONY_JOB_DELIVER,
                  colony_gather_position_get(ctx, worker[i].destination));
    }
}

// Takes as much as one can carry. A stock that is gone, or that others have emptied, gives 0.
static uint32_t take(colony_stock *stock, colony_goods goods)
{
    if (stock == NULL) return 0;
    uint32_t taken = stock->amount[goods] < CARRY_MAX ? stock->amount[goods] : CARRY_MAX;
    stock->amount[goods] -= taken;
    return taken;
}

void colony_fetch(const colony_fetch_ctx *ctx, uint32_t count, colony_worker *restrict worker,
                  colony_walker *restrict walker)
{
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job != COLONY_JOB_FETCH) continue;
        colony_goods goods = worker[i].goods;
        uint32_t amount = take(colony_fetch_stock_edit(ctx, worker[i].source), goods);
        if (amount == 0) {
            errand_end(&worker[i]);
            continue;
        }
        colony_cmd_cargo_set(ctx->cmd, ctx->entities[i],
                             (colony_cargo){.goods = goods, .amount = amount});
        errand_go(&worker[i], &walker[i], COLONY_JOB_DELIVER,
                  colony_fetch_position_get(ctx, worker[i].destination));
    }
}

void colony_deliver(const colony_deliver_ctx *ctx, uint32_t count,
                    const colony_cargo *restrict cargo, colony_worker *restrict worker)
{
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job != COLONY_JOB_DELIVER) continue;
        colony_stock *stock = colony_deliver_stock_edit(ctx, worker[i].destination);
        if (stock != NULL) stock->amount[cargo[i].goods] += cargo[i].amount;
        colony_cmd_cargo_remove(ctx->cmd, ctx->entities[i]);
        errand_end(&worker[i]);
    }
}
