// The land changes: plants grow, feet wear the grass down, the grass grows back.
#include "colony_regrow.h"
#include "colony_ripen.h"
#include "colony_sort_plants.h"
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

// Feet may wear the ground of any patch, so that this system writes through a query.
void colony_tread(const colony_tread_ctx *ctx, uint32_t count,
                  const colony_position *restrict position)
{
    colony_patches_underfoot_iter under = colony_patches_underfoot_begin_in(ctx->patches_underfoot);
    if (!colony_patches_underfoot_next(&under)) return;
    ground map = {ctx->ground->width, ctx->ground->height, under.soil};
    for (uint32_t i = 0; i < count; i++) {
        int x = ground_tile(position[i].x), y = ground_tile(position[i].y);
        if (ground_terrain(&map, x, y) != COLONY_TERRAIN_GRASS) continue;
        colony_soil *soil = &under.soil[ground_patch(map.width, x, y)];
        uint8_t *wear = &soil->wear[ground_element(x, y)];
        if (*wear <= UINT8_MAX - WEAR_A_FOOTFALL) *wear = (uint8_t)(*wear + WEAR_A_FOOTFALL);
    }
}

void colony_regrow(const colony_regrow_ctx *ctx, uint32_t count, colony_soil *restrict soil)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *wear = soil[i].wear;
        for (size_t tile = 0; tile < sizeof soil[i].wear; tile++) {
            wear[tile] =
                wear[tile] > WEAR_HEALED_A_DAY ? (uint8_t)(wear[tile] - WEAR_HEALED_A_DAY) : 0;
        }
    }
}

void colony_sort_plants(const colony_sort_plants_ctx *ctx, uint32_t count,
                        const colony_plant *restrict plant)
{
    for (uint32_t i = 0; i < count; i++) {
        colony_sort_plants_crop_put(ctx, i, plant[i].goods == COLONY_GOODS_GRAIN);
    }
}
