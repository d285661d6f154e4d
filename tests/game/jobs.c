// Finding work for idle adults.
//
// In this order: carry off what a workshop has made, bring planks to a building site, gather what
// the ledger wants. The place of work is claimed, so that not everybody runs to one tree.
#include "colony_seek_work.h"
#include "errand.h"
#include "goods.h"
#include "nearest.h"

enum { WORTH_FETCHING = 2 }; // goods in a workshop for which a villager comes

static const float HOURS_TO_GATHER = 3.0f;    // for the unskilled
static const float SKILL_SAVES_HALF = 200.0f; // at skill 100 half of the work is saved

typedef colony_seek_work_ctx context;

static const colony_goods GATHERED[] = {COLONY_GOODS_GRAIN, COLONY_GOODS_WOOD}; // food comes first
enum { GATHERED_KINDS = sizeof GATHERED / sizeof *GATHERED };

// A villager could do this: go to `source`, then to `destination`. One of the two is to be claimed.
typedef struct task {
    colony_job job;
    colony_goods goods;
    colony_entity source;
    colony_entity destination;
    colony_entity claimed;
} task;

// Says whether a living worker still agrees. One that died or does something else holds nothing.
static bool is_claimed(const context *ctx, const colony_claim *claim, colony_entity place)
{
    const colony_worker *holder = colony_seek_work_worker_get(ctx, claim->by);
    return holder != NULL && colony_same(holder->claimed, place);
}

// The nearest depot; one that has some of `*goods` unless goods is NULL.
static colony_entity nearest_depot(const context *ctx, const colony_position *from,
                                   const colony_goods *goods)
{
    nearest best = nearest_to(from);
    colony_depots_iter it = colony_seek_work_depots_begin(ctx);
    while (colony_depots_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (goods != NULL && it.stock[i].amount[*goods] == 0) continue;
            nearest_offer(&best, it.entities[i], &it.position[i]);
        }
    }
    return best.entity;
}

static colony_entity nearest_workshop_for(const context *ctx, const colony_position *from,
                                          colony_goods input)
{
    nearest best = nearest_to(from);
    colony_workshops_iter it = colony_seek_work_workshops_begin(ctx);
    while (colony_workshops_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (it.workshop[i].recipe.input != input) continue;
            nearest_offer(&best, it.entities[i], &it.position[i]);
        }
    }
    return best.entity;
}

// Carry the goods of the nearest workshop that has made enough of them to the nearest depot.
static bool find_haul(const context *ctx, const colony_position *from, task *found)
{
    nearest best = nearest_to(from);
    colony_workshops_iter it = colony_seek_work_workshops_begin(ctx);
    while (colony_workshops_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            colony_goods output = it.workshop[i].recipe.output;
            if (it.stock[i].amount[output] < WORTH_FETCHING) continue;
            if (is_claimed(ctx, &it.claim[i], it.entities[i])) continue;
            nearest_offer(&best, it.entities[i], &it.position[i]);
            if (colony_same(best.entity, it.entities[i])) found->goods = output;
        }
    }
    found->job = COLONY_JOB_FETCH;
    found->source = found->claimed = best.entity;
    found->destination = nearest_depot(ctx, &best.position, NULL);
    return !colony_is_none(found->source) && !colony_is_none(found->destination);
}

// Bring planks from a depot to the nearest building site that still lacks some.
static bool find_supply(const context *ctx, const colony_position *from, task *found)
{
    nearest best = nearest_to(from);
    colony_sites_iter it = colony_seek_work_sites_begin(ctx);
    while (colony_sites_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (it.stock[i].amount[COLONY_GOODS_PLANKS] >= it.site[i].planks) continue;
            if (is_claimed(ctx, &it.claim[i], it.entities[i])) continue;
            nearest_offer(&best, it.entities[i], &it.position[i]);
        }
    }
    found->job = COLONY_JOB_FETCH;
    found->goods = COLONY_GOODS_PLANKS;
    found->source = nearest_depot(ctx, &best.position, &found->goods);
    found->destination = found->claimed = best.entity;
    return !colony_is_none(found->source) && !colony_is_none(found->destination);
}

// Gather `goods` from the nearest ripe plant, for the nearest workshop that uses them.
static bool find_gathering(const context *ctx, const colony_position *from, colony_goods goods,
                           task *found)
{
    nearest best = nearest_to(from);
    colony_ripe_plants_iter it = colony_seek_work_ripe_plants_begin(ctx);
    while (colony_ripe_plants_next(&it)) {
        uint32_t i;
        while (weft_next(&it.rows, &i)) {
            if (it.plant[i].goods != goods) continue;
            if (is_claimed(ctx, &it.claim[i], it.entities[i])) continue;
            nearest_offer(&best, it.entities[i], &it.position[i]);
        }
    }
    found->job = COLONY_JOB_GATHER;
    found->goods = goods;
    found->source = found->claimed = best.entity;
    found->destination = nearest_workshop_for(ctx, &best.position, goods);
    return !colony_is_none(found->source) && !colony_is_none(found->destination);
}

static bool find_task(const context *ctx, const colony_position *from, task *found)
{
    if (find_haul(ctx, from, found)) return true;
    if (find_supply(ctx, from, found)) return true;
    for (int i = 0; i < GATHERED_KINDS; i++) {
        colony_goods goods = GATHERED[i];
        if (ctx->ledger->wanted[goods] > 0 && find_gathering(ctx, from, goods, found)) return true;
    }
    return false;
}

// The others need not bring this load as well.
static void will_bring(colony_ledger *ledger, colony_goods goods)
{
    uint32_t *wanted = &ledger->wanted[goods];
    *wanted -= *wanted < LOAD_EXPECTED ? *wanted : LOAD_EXPECTED;
}

static void start(const context *ctx, const task *chosen, colony_entity who, colony_worker *worker,
                  colony_walker *walker)
{
    worker->goods = chosen->goods;
    worker->source = chosen->source;
    worker->destination = chosen->destination;
    worker->claimed = chosen->claimed;
    worker->hours_left =
        HOURS_TO_GATHER * (1.0f - (float)worker->skill[chosen->goods] / SKILL_SAVES_HALF);
    if (chosen->job == COLONY_JOB_GATHER) will_bring(ctx->ledger, chosen->goods);
    colony_claim *claim = colony_seek_work_claim_edit(ctx, chosen->claimed);
    if (claim != NULL) claim->by = who;
    errand_go(worker, walker, chosen->job, colony_seek_work_position_get(ctx, chosen->source));
}

void colony_seek_work(const colony_seek_work_ctx *ctx, uint32_t count,
                      const colony_position *position, colony_worker *worker,
                      colony_walker *restrict walker)
{
    for (uint32_t i = 0; i < count; i++) {
        task chosen = {0};
        if (worker[i].job != COLONY_JOB_IDLE || !find_task(ctx, &position[i], &chosen)) continue;
        start(ctx, &chosen, ctx->entities[i], &worker[i], &walker[i]);
    }
}
