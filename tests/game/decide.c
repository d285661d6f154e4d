// Idle villagers eat if they are hungry and sleep if they are tired. If jobs.c found no work for
// them either, they take a walk.
#include "colony_goods.h"
#include "colony_seek_food.h"
#include "colony_seek_rest.h"
#include "colony_stroll.h"
#include "dice.h"
#include "errand.h"
#include "ground.h"
#include "night.h"

static const float HUNGRY = 0.33f; // about a day after the last meal
static const float TIRED = 0.85f;  // goes to bed at any time of day
static const float TIRED_AT_NIGHT = 0.3f;
enum { DEPOTS_KNOWN = 8 };
enum { STROLL_ONCE_IN = 16, STROLL_TILES = 4 }; // in ticks; along each axis

// Returns the nearest depot with bread among the nearest DEPOTS_KNOWN depots, or none.
static colony_entity nearest_bread(const colony_seek_food_ctx *ctx, const colony_position *from)
{
    colony_entity depots[DEPOTS_KNOWN];
    size_t found = colony_depots_by_place_nearest_in(ctx->depots_by_place, from->x, from->y,
                                                     DEPOTS_KNOWN, depots);
    for (size_t i = 0; i < found; i++) {
        const colony_stock *stock = colony_stock_get_in(ctx->stock, depots[i]);
        if (stock->amount[COLONY_GOODS_BREAD] > 0) return depots[i];
    }
    return COLONY_NONE;
}

void colony_seek_food(const colony_seek_food_ctx *ctx, uint32_t count,
                      const colony_position *position, colony_needs_const_columns needs,
                      colony_worker *restrict worker, colony_walker *restrict walker)
{
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job != COLONY_JOB_IDLE || needs.hunger[i] < HUNGRY) continue;
        colony_entity depot = nearest_bread(ctx, &position[i]);
        if (colony_is_none(depot)) continue; // no bread: better to work on an empty stomach
        worker[i].destination = depot;
        const colony_position *goal = colony_position_get_in(ctx->position, depot);
        errand_go(&worker[i], &walker[i], COLONY_JOB_EAT, goal);
    }
}

void colony_seek_rest(const colony_seek_rest_ctx *ctx, uint32_t count,
                      const colony_position *position, colony_needs_const_columns needs,
                      const colony_home *restrict home, colony_worker *restrict worker,
                      colony_walker *restrict walker)
{
    float limit = is_night(ctx->calendar) ? TIRED_AT_NIGHT : TIRED;
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job != COLONY_JOB_IDLE || needs.fatigue[i] < limit) continue;
        worker[i].destination = home[i].house;
        const colony_position *bed = colony_position_get_in(ctx->position, home[i].house);
        if (bed == NULL) bed = &position[i]; // no home: sleeps outdoors, right here
        errand_go(&worker[i], &walker[i], COLONY_JOB_REST, bed);
    }
}

// Returns a random coordinate at most STROLL_TILES away along one axis, inside the map.
static float stroll_to(weft_rng *dice, float from, uint16_t size)
{
    int to = ground_tile(from) - STROLL_TILES + (int)weft_rng_below(dice, 2 * STROLL_TILES + 1);
    if (to < 0) to = 0;
    return (float)(to < size ? to : size - 1);
}

// Strolling villagers stay idle, so that they can start a job at any tick.
void colony_stroll(const colony_stroll_ctx *ctx, uint32_t count,
                   const colony_position *restrict position, const colony_worker *restrict worker,
                   colony_walker *restrict walker)
{
    if (is_night(ctx->calendar)) return;
    for (uint32_t i = 0; i < count; i++) {
        weft_rng *dice = &walker[i].luck;
        if (worker[i].job != COLONY_JOB_IDLE || !dice_once_in(dice, STROLL_ONCE_IN)) continue;
        walker[i].goal.x = stroll_to(dice, position[i].x, ctx->ground->width);
        walker[i].goal.y = stroll_to(dice, position[i].y, ctx->ground->height);
    }
}
