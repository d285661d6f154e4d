// The land changes: plants grow, feet wear the grass down, the grass comes back.
#include "colony_regrow.h"
#include "colony_ripen.h"
#include "colony_tread.h"
#include "ground.h"

static const float GROWTH_BY_SEASON[] = {
    [COLONY_SEASON_SPRING] = 1.0f,
    [COLONY_SEASON_SUMMER] = 1.5f,
    [COLONY_SEASON_AUTUMN] = 0.75f,
    [COLONY_SEASON_WINTER] = 0.0f,
};
enum { WEAR_A_FOOTFALL = 1, WEAR_HEALED_A_DAY = 6 };

void colony_ripen(const colony_ripen_ctx *ctx, uint32_t count, colony_plant *restrict plant)
{
    float hours = (float)ctx->dt * GROWTH_BY_SEASON[ctx->calendar->season];
    for (uint32_t i = 0; i < count; i++) {
        plant[i].hours_grown += hours;
        if (plant[i].hours_grown >= plant[i].hours_to_ripen) colony_ripen_ripe_put(ctx, i, true);
    }
}

void colony_tread(const colony_tread_ctx *ctx, uint32_t count,
                  const colony_position *restrict position)
{
    colony_ground *ground = ctx->ground;
    for (uint32_t i = 0; i < count; i++) {
        int x = ground_tile(position[i].x), y = ground_tile(position[i].y);
        if (ground_is_water(ground, x, y)) continue;
        uint8_t *wear = &ground->wear[ground_index(ground, x, y)];
        if (*wear <= UINT8_MAX - WEAR_A_FOOTFALL) *wear = (uint8_t)(*wear + WEAR_A_FOOTFALL);
    }
}

void colony_regrow(const colony_regrow_ctx *ctx, uint32_t count)
{
    (void)count;
    uint8_t *wear = ctx->ground->wear;
    size_t tiles = (size_t)ctx->ground->width * ctx->ground->height;
    for (size_t i = 0; i < tiles; i++) {
        wear[i] = wear[i] > WEAR_HEALED_A_DAY ? (uint8_t)(wear[i] - WEAR_HEALED_A_DAY) : 0;
    }
}
