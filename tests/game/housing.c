// Where people live: finding a bed, keeping the lists of residents, building houses.
//
// A home is stored at both ends: `home` of a person, `dwelling` of a house. `keep_house` removes
// the dead, people who grow up move out (family.c), and `settle` writes both ends for people
// without a home. The tag `vacant` marks houses with a free bed.
#include "colony_building_site.h"
#include "colony_count_beds.h"
#include "colony_found_house.h"
#include "colony_goods.h"
#include "colony_house.h"
#include "colony_keep_house.h"
#include "colony_raise_house.h"
#include "colony_settle.h"
#include "colony_taken.h"
#include "ground.h"
#include "household.h"

// ---- beds --------------------------------------------------------------------------------------

enum { HOUSES_SEEN = 16 }; // the nearest ones are compared

// Reads removed `home` components with their last values.
void colony_keep_house(const colony_keep_house_ctx *ctx, uint32_t count)
{
    (void)count;
    for (uint32_t i = 0; i < ctx->removed_home_count; i++) {
        colony_entity house = ctx->removed_home_value[i].house;
        household_leave(colony_dwelling_edit_in(ctx->dwelling, house), ctx->removed_home[i]);
    }
}

void colony_count_beds(const colony_count_beds_ctx *ctx, uint32_t count,
                       const colony_dwelling *restrict dwelling)
{
    for (uint32_t i = 0; i < count; i++) {
        colony_count_beds_vacant_put(ctx, i, household_beds_free(&dwelling[i]) > 0);
    }
}

// Returns whether a house with `beds` free beds is nicer to move into than one with `than`. Two
// free beds are best, because one then stays free for a child. Above two, fewer are better.
static bool is_nicer(uint32_t beds, uint32_t than)
{
    return than < 2 ? beds > than : beds >= 2 && beds < than;
}

// Returns the nearest of the nicest houses. Beds are counted again here because villagers may have
// moved in during this turn, which the index does not show yet.
static colony_entity nicest_house(const colony_settle_ctx *ctx, const colony_position *from)
{
    colony_entity best = COLONY_NONE;
    uint32_t best_beds = 0;
    colony_entity houses[HOUSES_SEEN];
    size_t found = colony_vacant_by_place_nearest_in(ctx->vacant_by_place, from->x, from->y,
                                                     HOUSES_SEEN, houses);
    for (size_t i = 0; i < found; i++) {
        uint32_t beds = household_beds_free(colony_dwelling_edit_in(ctx->dwelling, houses[i]));
        if (!is_nicer(beds, best_beds)) continue;
        best_beds = beds;
        best = houses[i];
    }
    return best;
}

// Returns the mother's house if she is alive and the house has a free bed; otherwise none.
static colony_entity mothers_house(const colony_settle_ctx *ctx, colony_entity mother)
{
    const colony_home *home = colony_home_get_in(ctx->home, mother);
    if (home == NULL) return COLONY_NONE;
    bool room = household_beds_free(colony_dwelling_edit_in(ctx->dwelling, home->house)) > 0;
    return room ? home->house : COLONY_NONE;
}

void colony_settle(const colony_settle_ctx *ctx, uint32_t count,
                   const colony_position *restrict position, const colony_person *restrict person,
                   colony_home *home)
{
    for (uint32_t i = 0; i < count; i++) {
        if (colony_building_get_in(ctx->building, home[i].house) != NULL) continue;
        colony_entity house = COLONY_NONE;
        if (colony_settle_child_has(ctx, i)) house = mothers_house(ctx, person[i].mother);
        if (colony_is_none(house)) house = nicest_house(ctx, &position[i]);
        colony_dwelling *dwelling = colony_dwelling_edit_in(ctx->dwelling, house);
        if (household_join(dwelling, ctx->entities[i])) home[i].house = house;
    }
}

// ---- building houses ---------------------------------------------------------------------------

static const float GROWTH_FOOD_DAYS = 6.0f; // no house is founded with less bread and grain
enum { SPARE_BEDS = 6, PLACES_TRIED = 24, VILLAGE_RADIUS_TILES = 10 };
enum { VILLAGERS_A_BUILDER = 200, SITES_MAX = 64 }; // see sites_wanted

// Returns whether this tile and all tiles next to it are empty, so that houses do not touch.
static bool is_open(const colony_found_house_ctx *ctx, const colony_position *place)
{
    float x = place->x, y = place->y;
    colony_obstacles_box_iter it =
        colony_obstacles_box_begin_in(ctx->obstacles, x - 1, y - 1, x + 1, y + 1);
    return !colony_obstacles_box_next(&it);
}

// Chooses a random depot. Returns false if there is none.
static bool find_middle(const colony_found_house_ctx *ctx, colony_position *middle)
{
    size_t depots = colony_depots_count_in(ctx->depots);
    if (depots == 0) return false;
    uint32_t chosen = weft_rng_below(&ctx->chance->luck, (uint32_t)depots);
    colony_depots_iter it = colony_depots_begin_in(ctx->depots);
    while (colony_depots_next(&it)) {
        if (chosen < it.count) {
            *middle = it.position[chosen];
            return true;
        }
        chosen -= it.count;
    }
    return false;
}

// Returns a random tile along one axis, at most the radius of the village away from `middle`.
static int near(weft_rng *dice, float middle)
{
    int offset = (int)weft_rng_below(dice, 2 * VILLAGE_RADIUS_TILES + 1) - VILLAGE_RADIUS_TILES;
    return ground_tile(middle) + offset;
}

static bool find_place(const colony_found_house_ctx *ctx, colony_position *place)
{
    colony_position middle;
    ground map = ground_of(ctx->ground, colony_patches_begin_in(ctx->patches));
    if (!find_middle(ctx, &middle)) return false;
    for (int tries = 0; tries < PLACES_TRIED; tries++) {
        int x = near(&ctx->chance->luck, middle.x), y = near(&ctx->chance->luck, middle.y);
        *place = (colony_position){(float)x, (float)y};
        if (ground_is_buildable(&map, x, y) && is_open(ctx, place)) return true;
    }
    return false;
}

// Returns whether a place keeps its distance from the sites of this turn, which the index does not
// show yet.
static bool is_apart(colony_position place, const colony_position *others, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        float x = place.x - others[i].x, y = place.y - others[i].y;
        if (x * x < 4.0f && y * y < 4.0f) return false;
    }
    return true;
}

// Returns how many more sites the colony needs. It builds at most one for each VILLAGERS_A_BUILDER
// villagers at the same time, and one more.
static uint32_t sites_wanted(const colony_ledger *ledger)
{
    uint32_t most = 1 + ledger->people / VILLAGERS_A_BUILDER;
    if (ledger->food_days < GROWTH_FOOD_DAYS || ledger->sites >= most) return 0;
    if (ledger->beds_free >= SPARE_BEDS * most) return 0;
    return most - ledger->sites < SITES_MAX ? most - ledger->sites : SITES_MAX;
}

void colony_found_house(const colony_found_house_ctx *ctx, uint32_t count)
{
    (void)count;
    colony_position founded[SITES_MAX];
    uint32_t wanted = sites_wanted(ctx->ledger);
    for (uint32_t i = 0; i < wanted; i++) {
        colony_building_site site = colony_building_site_defaults();
        bool found = find_place(ctx, &site.position) && is_apart(site.position, founded, i);
        founded[i] = site.position;
        if (found) colony_cmd_building_site_spawn(ctx->cmd, &site);
    }
}

// The entity keeps its handle, position and look. The components of a site are removed and those of
// a house added in the same batch of commands.
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
        colony_cmd_taken_remove(ctx->cmd, self);
        colony_cmd_claim_remove(ctx->cmd, self);
        colony_house house = colony_house_defaults();
        house.position = position[i];
        house.drawn = drawn[i];
        colony_cmd_house_set(ctx->cmd, self, &house);
        colony_built_emit(ctx->emit_built, (colony_built){self});
    }
}
