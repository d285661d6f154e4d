// Where people live: finding a bed, keeping the lists of residents, building houses.
//
// Who lives where is written down at both ends: `home` of a person, `dwelling` of a house. First
// `keep_house` strikes out whoever has died or moved, then `settle` writes both ends for the
// others.
#include "colony_building_site.h"
#include "colony_found_house.h"
#include "colony_house.h"
#include "colony_keep_house.h"
#include "colony_raise_house.h"
#include "colony_settle.h"
#include "goods.h"
#include "ground.h"

// ---- beds --------------------------------------------------------------------------------------

void colony_keep_house(const colony_keep_house_ctx *ctx, uint32_t count,
                       colony_dwelling *restrict dwelling)
{
    for (uint32_t i = 0; i < count; i++) {
        colony_entity *residents = dwelling[i].residents.items;
        uint32_t kept = 0;
        for (uint32_t r = 0; r < dwelling[i].residents.count; r++) {
            const colony_home *home = colony_keep_house_home_get(ctx, residents[r]);
            if (home == NULL || !colony_same(home->house, ctx->entities[i])) continue;
            residents[kept++] = residents[r];
        }
        dwelling[i].residents.count = kept;
    }
}

static uint32_t beds_free(const colony_dwelling *dwelling)
{
    return dwelling->beds > dwelling->residents.count ? dwelling->beds - dwelling->residents.count
                                                      : 0;
}

// Says whether a house with so many beds free is nicer to move into than another one. All like
// company, but leave a bed for a child: two are better than one, and then the fewer the better.
static bool is_nicer(uint32_t beds, uint32_t than)
{
    return than < 2 ? beds > than : beds >= 2 && beds < than;
}

static colony_entity nicest_house(const colony_settle_ctx *ctx)
{
    colony_entity best = {0};
    uint32_t best_beds = 0;
    colony_houses_iter it = colony_settle_houses_begin(ctx);
    while (colony_houses_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            uint32_t beds = beds_free(&it.dwelling[i]);
            if (!is_nicer(beds, best_beds)) continue;
            best_beds = beds;
            best = it.entities[i];
        }
    }
    return best;
}

// The mother's house, if she is alive and there is a bed left; else none.
static colony_entity mothers_house(const colony_settle_ctx *ctx, colony_entity mother)
{
    const colony_home *home = colony_settle_home_get(ctx, mother);
    if (home == NULL) return COLONY_NONE;
    const colony_dwelling *dwelling = colony_settle_dwelling_edit(ctx, home->house);
    bool room = dwelling != NULL && beds_free(dwelling) > 0;
    return room ? home->house : COLONY_NONE;
}

static void move_in(const colony_settle_ctx *ctx, colony_entity who, colony_home *home,
                    colony_entity house)
{
    colony_dwelling *dwelling = colony_settle_dwelling_edit(ctx, house);
    if (dwelling == NULL) return;
    dwelling->residents.items[dwelling->residents.count++] = who;
    home->house = house;
}

void colony_settle(const colony_settle_ctx *ctx, uint32_t count,
                   const colony_person *restrict person, colony_home *home)
{
    for (uint32_t i = 0; i < count; i++) {
        if (colony_settle_dwelling_edit(ctx, home[i].house) != NULL) continue;
        colony_entity house = {0};
        if (colony_settle_child_has(ctx, i)) house = mothers_house(ctx, person[i].mother);
        if (colony_is_none(house)) house = nicest_house(ctx);
        move_in(ctx, ctx->entities[i], &home[i], house);
    }
}

// ---- building houses ---------------------------------------------------------------------------

static const float GROWTH_FOOD_DAYS = 6.0f; // bread and grain that make the colony think of growing
enum { SPARE_BEDS = 6, PLACES_TRIED = 24, VILLAGE_RADIUS_TILES = 10 };

static float distance_along(float a, float b)
{
    return a < b ? b - a : a - b;
}

// Nothing stands on this tile or next to it, so that there is always a way between two houses.
static bool is_open(const colony_found_house_ctx *ctx, const colony_position *place)
{
    colony_obstacles_iter it = colony_found_house_obstacles_begin(ctx);
    while (colony_obstacles_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (distance_along(it.position[i].x, place->x) < 2.0f &&
                distance_along(it.position[i].y, place->y) < 2.0f) {
                return false;
            }
        }
    }
    return true;
}

// The storehouse of some hamlet.
static bool find_middle(const colony_found_house_ctx *ctx, colony_position *middle)
{
    size_t depots = colony_found_house_depots_count(ctx);
    if (depots == 0) return false;
    uint32_t chosen = dice_roll(&ctx->chance->dice, (uint32_t)depots);
    colony_depots_iter it = colony_found_house_depots_begin(ctx);
    while (colony_depots_next(&it)) {
        if (chosen < it.count) {
            *middle = it.position[chosen];
            return true;
        }
        chosen -= it.count;
    }
    return false;
}

// A tile along one axis, up to the radius of the village away from `middle`.
static int near(game_dice *dice, float middle)
{
    int offset = (int)dice_roll(dice, 2 * VILLAGE_RADIUS_TILES + 1) - VILLAGE_RADIUS_TILES;
    return ground_tile(middle) + offset;
}

static bool find_place(const colony_found_house_ctx *ctx, colony_position *place)
{
    colony_position middle;
    if (!find_middle(ctx, &middle)) return false;
    for (int tries = 0; tries < PLACES_TRIED; tries++) {
        int x = near(&ctx->chance->dice, middle.x), y = near(&ctx->chance->dice, middle.y);
        *place = (colony_position){(float)x, (float)y};
        if (!ground_is_water(ctx->ground, x, y) && is_open(ctx, place)) return true;
    }
    return false;
}

void colony_found_house(const colony_found_house_ctx *ctx, uint32_t count)
{
    (void)count;
    const colony_ledger *ledger = ctx->ledger;
    if (ledger->beds_free >= SPARE_BEDS || ledger->sites > 0) return;
    if (ledger->food_days < GROWTH_FOOD_DAYS) return;
    colony_building_site site = colony_building_site_defaults();
    if (find_place(ctx, &site.position)) colony_cmd_building_site_spawn(ctx->cmd, &site);
}

// The site keeps its handle, its place, and where the picture shows it; what made it a site goes,
// and all that makes a house comes, in one step.
void colony_raise_house(const colony_raise_house_ctx *ctx, uint32_t count,
                        const colony_position *restrict position,
                        const colony_drawn *restrict drawn, const colony_stock *restrict stock,
                        const colony_site *restrict site)
{
    for (uint32_t i = 0; i < count; i++) {
        if (stock[i].amount[COLONY_GOODS_PLANKS] < site[i].planks) continue;
        colony_entity self = ctx->entities[i];
        colony_cmd_site_remove(ctx->cmd, self);
        colony_cmd_stock_remove(ctx->cmd, self);
        colony_cmd_claim_remove(ctx->cmd, self);
        colony_house house = colony_house_defaults();
        house.position = position[i];
        house.drawn = drawn[i];
        colony_cmd_house_set(ctx->cmd, self, &house);
        colony_raise_house_built_emit(ctx, (colony_built){self});
    }
}
