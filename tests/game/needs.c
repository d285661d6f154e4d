// Villagers become hungry and tired.
#include "colony_eat.h"
#include "colony_get_hungry.h"
#include "colony_goods.h"
#include "colony_lie_down.h"
#include "colony_slumber.h"
#include "colony_tire.h"
#include "errand.h"

static const float HOURS_TO_STARVE = 72.0f;
static const float HOURS_TO_TIRE = 20.0f;
static const float HOURS_TO_REST = 12.0f;
static const float LOADED = 1.25f; // how much faster a load tires
static const float ILL = 2.0f;
static const float YOUNG = 1.25f;

void colony_get_hungry(const colony_get_hungry_ctx *ctx, uint32_t count, colony_needs_columns needs)
{
    float hunger = (float)ctx->dt / HOURS_TO_STARVE;
    for (uint32_t i = 0; i < count; i++) needs.hunger[i] += hunger;
}

static bool is_loaded(const colony_tire_ctx *ctx, colony_entity who)
{
    return !colony_is_none(colony_carried_by_first_child_in(ctx->carried_by, who));
}

// `sick` is sparse, one pointer a row, NULL for the healthy.
void colony_tire(const colony_tire_ctx *ctx, uint32_t count, weft_rows rows,
                 colony_needs_columns needs, const colony_sick *const *sick)
{
    (void)count; // the rows to visit are in `rows`
    float hours = (float)ctx->dt;
    uint32_t i;
    while (weft_next(&rows, &i)) {
        float effort = is_loaded(ctx, ctx->entities[i]) ? LOADED : 1.0f;
        if (sick[i] != NULL) effort *= ILL;
        if (colony_tire_child_has(ctx, i)) effort *= YOUNG;
        float fatigue = needs.fatigue[i] + hours * effort / HOURS_TO_TIRE;
        needs.fatigue[i] = fatigue < 1.0f ? fatigue : 1.0f;
    }
}

static void befriend(const colony_eat_ctx *ctx, colony_entity one, colony_entity other)
{
    if (colony_is_none(one) || colony_friends_has_in(ctx->friends, one, other)) return;
    colony_cmd_friends_set(ctx->cmd, one, other, colony_friends_defaults());
}

void colony_eat(const colony_eat_ctx *ctx, uint32_t count, colony_worker *restrict worker,
                colony_needs_columns needs)
{
    colony_entity depot = COLONY_NONE, companion = COLONY_NONE; // of the last meal
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job != COLONY_JOB_EAT) continue;
        colony_stock *stock = colony_stock_edit_in(ctx->stock, worker[i].destination);
        if (stock != NULL && stock->amount[COLONY_GOODS_BREAD] > 0) {
            stock->amount[COLONY_GOODS_BREAD]--;
            needs.hunger[i] = 0;
            if (!colony_same(worker[i].destination, depot)) companion = COLONY_NONE;
            befriend(ctx, companion, ctx->entities[i]);
            depot = worker[i].destination;
            companion = ctx->entities[i];
        }
        errand_end(&worker[i]); // with or without a meal
    }
}

void colony_lie_down(const colony_lie_down_ctx *ctx, uint32_t count,
                     const colony_worker *restrict worker)
{
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job == COLONY_JOB_REST) colony_lie_down_asleep_put(ctx, i, true);
    }
}

void colony_slumber(const colony_slumber_ctx *ctx, uint32_t count, colony_needs_columns needs,
                    colony_worker *restrict worker)
{
    float rest = (float)ctx->dt / HOURS_TO_REST;
    for (uint32_t i = 0; i < count; i++) {
        needs.fatigue[i] -= rest;
        if (needs.fatigue[i] > 0) continue;
        needs.fatigue[i] = 0;
        errand_end(&worker[i]);
        colony_slumber_asleep_put(ctx, i, false);
    }
}
