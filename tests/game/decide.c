// The idle first eat when hungry and sleep when tired. Last, when there was no work (jobs.c), they
// take a walk.
#include "colony_seek_food.h"
#include "colony_seek_rest.h"
#include "colony_stroll.h"
#include "errand.h"
#include "goods.h"
#include "ground.h"
#include "nearest.h"

static const float HUNGRY = 0.33f; // about a day after the last meal
static const float TIRED = 0.85f;  // goes to bed at any time of day
static const float TIRED_AT_NIGHT = 0.3f;
static const float NIGHT_BEGINS_HOUR = 21.0f;
static const float NIGHT_ENDS_HOUR = 5.0f;
enum { STROLL_ONCE_IN = 16, STROLL_TILES = 4 }; // in ticks; along each axis

static colony_entity nearest_bread(const colony_seek_food_ctx *ctx, const colony_position *from)
{
    nearest best = nearest_to(from);
    colony_depots_iter it = colony_seek_food_depots_begin(ctx);
    while (colony_depots_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (it.stock[i].amount[COLONY_GOODS_BREAD] == 0) continue;
            nearest_offer(&best, it.entities[i], &it.position[i]);
        }
    }
    return best.entity;
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
        const colony_position *goal = colony_seek_food_position_get(ctx, depot);
        errand_go(&worker[i], &walker[i], COLONY_JOB_EAT, goal);
    }
}

static bool is_night(const colony_calendar *calendar)
{
    return calendar->hour >= NIGHT_BEGINS_HOUR || calendar->hour < NIGHT_ENDS_HOUR;
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
        const colony_position *bed = colony_seek_rest_position_get(ctx, home[i].house);
        if (bed == NULL) bed = &position[i]; // no home: in the open, where they stand
        errand_go(&worker[i], &walker[i], COLONY_JOB_REST, bed);
    }
}

// Somewhere along one axis, but not past the edge of the map.
static float stroll_to(game_dice *dice, float from, uint16_t size)
{
    int to = ground_tile(from) - STROLL_TILES + (int)dice_roll(dice, 2 * STROLL_TILES + 1);
    if (to < 0) to = 0;
    return (float)(to < size ? to : size - 1);
}

// They stay idle on the way, so that they can be called to work at any moment.
void colony_stroll(const colony_stroll_ctx *ctx, uint32_t count,
                   const colony_position *restrict position, const colony_worker *restrict worker,
                   colony_walker *restrict walker)
{
    if (is_night(ctx->calendar)) return;
    game_dice *dice = &ctx->chance->dice;
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job != COLONY_JOB_IDLE || !dice_once_in(dice, STROLL_ONCE_IN)) continue;
        walker[i].goal.x = stroll_to(dice, position[i].x, ctx->ground->width);
        walker[i].goal.y = stroll_to(dice, position[i].y, ctx->ground->height);
    }
}
