// Counts everything at the end of a tick, so that other systems only need to read one singleton.
#include "colony_take_stock.h"
#include "goods.h"

enum { FOOD_DAYS_WANTED = 12 };                  // a winter, and a reserve
enum { TIMBER_WANTED = 60, TIMBER_FOR_TWO = 3 }; // wood and planks: at least, and for two villagers

void colony_take_stock(const colony_take_stock_ctx *ctx, uint32_t count,
                       const colony_worker *worker, const colony_sick *const *sick)
{
    colony_take_stock_partial *sum = ctx->partial;
    sum->people += count;
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job == COLONY_JOB_GATHER) sum->coming[worker[i].goods] += LOAD_EXPECTED;
        sum->children += colony_take_stock_child_has(ctx, i);
        sum->asleep += colony_take_stock_asleep_has(ctx, i);
        sum->sick += sick[i] != NULL;
    }
}

static void add_people(const colony_take_stock_partial *part, colony_ledger *ledger,
                       uint32_t *coming)
{
    ledger->people += part->people;
    ledger->children += part->children;
    ledger->asleep += part->asleep;
    ledger->sick += part->sick;
    for (colony_goods g = 0; g < COLONY_GOODS_COUNT; g++) coming[g] += part->coming[g];
}

static void count_bundles(const colony_take_stock_ctx *ctx, uint32_t *coming)
{
    colony_bundles_iter it = colony_bundles_begin_in(ctx->bundles);
    while (colony_bundles_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) coming[it.cargo[i].goods] += it.cargo[i].amount;
    }
}

static void count_goods(const colony_take_stock_ctx *ctx, colony_ledger *ledger)
{
    colony_stocks_iter it = colony_stocks_begin_in(ctx->stocks);
    while (colony_stocks_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            for (colony_goods g = 0; g < COLONY_GOODS_COUNT; g++)
                ledger->goods[g] += it.stock[i].amount[g];
        }
    }
}

static void count_houses(const colony_take_stock_ctx *ctx, colony_ledger *ledger)
{
    colony_houses_iter it = colony_houses_begin_in(ctx->houses);
    while (colony_houses_next(&it)) {
        ledger->houses += it.count;
        for (uint32_t i = 0; i < it.count; i++) {
            ledger->beds_free += it.dwelling[i].beds - it.dwelling[i].residents.count;
        }
    }
    ledger->sites = (uint32_t)colony_sites_count_in(ctx->sites);
}

static uint32_t lacking(uint32_t target, uint32_t there)
{
    return target > there ? target - there : 0;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// Computes how long the food lasts and what is still to be gathered. A villager eats a loaf a day.
static void judge(colony_ledger *ledger, const uint32_t *coming)
{
    const uint32_t *goods = ledger->goods;
    uint32_t food = goods[COLONY_GOODS_BREAD] + goods[COLONY_GOODS_GRAIN];
    uint32_t timber = goods[COLONY_GOODS_WOOD] + goods[COLONY_GOODS_PLANKS];
    if (ledger->people > 0) ledger->food_days = (float)food / (float)ledger->people;
    ledger->wanted[COLONY_GOODS_GRAIN] =
        lacking(ledger->people * FOOD_DAYS_WANTED,
                food + coming[COLONY_GOODS_GRAIN] + coming[COLONY_GOODS_BREAD]);
    ledger->wanted[COLONY_GOODS_WOOD] =
        lacking(most(TIMBER_WANTED, ledger->people * TIMBER_FOR_TWO / 2),
                timber + coming[COLONY_GOODS_WOOD] + coming[COLONY_GOODS_PLANKS]);
}

void colony_take_stock_merge(const colony_take_stock_ctx *ctx,
                             const colony_take_stock_partial *parts, uint32_t count)
{
    colony_ledger *ledger = ctx->ledger;
    *ledger = (colony_ledger){0};
    uint32_t coming[COLONY_GOODS_COUNT] = {0}; // being carried, or about to be gathered
    for (uint32_t i = 0; i < count; i++) add_people(&parts[i], ledger, coming);
    count_bundles(ctx, coming);
    count_goods(ctx, ledger);
    count_houses(ctx, ledger);
    judge(ledger, coming);
}
