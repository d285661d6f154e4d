// Keeping the picture of the colony up to date.
//
// The picture counts what stands on each tile, look by look, and every thing remembers where and as
// what it was counted. So drawing something again is two numbers, whatever else stands there.
#include "colony_erase.h"
#include "colony_redraw.h"
#include "ground.h"

static const colony_look LOOK_OF_BUILDING[] = {
    [COLONY_BUILDING_KIND_STOREHOUSE] = COLONY_LOOK_STOREHOUSE,
    [COLONY_BUILDING_KIND_HOUSE] = COLONY_LOOK_HOUSE,
    [COLONY_BUILDING_KIND_SAWMILL] = COLONY_LOOK_SAWMILL,
    [COLONY_BUILDING_KIND_BAKERY] = COLONY_LOOK_BAKERY,
    [COLONY_BUILDING_KIND_SITE] = COLONY_LOOK_SITE,
};

static void take_off(colony_picture *picture, colony_drawn drawn)
{
    if (drawn.look != COLONY_LOOK_GROUND) picture->tiles[drawn.tile].things[drawn.look]--;
}

static void put_on(colony_picture *picture, colony_drawn drawn)
{
    if (drawn.look != COLONY_LOOK_GROUND) picture->tiles[drawn.tile].things[drawn.look]++;
}

static colony_look look_of_plant(colony_goods goods, bool ripe)
{
    if (goods == COLONY_GOODS_WOOD) return ripe ? COLONY_LOOK_TREE : COLONY_LOOK_SAPLING;
    return ripe ? COLONY_LOOK_GRAIN : COLONY_LOOK_SPROUT;
}

static colony_look look_of_villager(bool child, bool asleep)
{
    if (asleep) return COLONY_LOOK_SLEEPER;
    return child ? COLONY_LOOK_CHILD : COLONY_LOOK_VILLAGER;
}

// How something with this look is drawn at a place; outside the map not at all.
static colony_drawn drawn_at(const colony_ground *ground, colony_position place, colony_look look)
{
    int x = ground_tile(place.x), y = ground_tile(place.y);
    if (!ground_contains(ground, x, y)) return (colony_drawn){0};
    return (colony_drawn){.tile = (uint16_t)ground_index(ground, x, y), .look = look};
}

// Optional columns are NULL where the rows at hand do not have them.
void colony_redraw(const colony_redraw_ctx *ctx, uint32_t count,
                   const colony_position *restrict position, colony_drawn *restrict drawn,
                   const colony_building *restrict building, const colony_plant *restrict plant,
                   const colony_cargo *restrict cargo)
{
    for (uint32_t i = 0; i < count; i++) {
        colony_look look;
        if (building != NULL) {
            look = LOOK_OF_BUILDING[building[i].kind];
        } else if (plant != NULL) {
            look = look_of_plant(plant[i].goods, colony_redraw_ripe_has(ctx, i));
        } else if (cargo != NULL) {
            look = COLONY_LOOK_BUNDLE;
        } else {
            look =
                look_of_villager(colony_redraw_child_has(ctx, i), colony_redraw_asleep_has(ctx, i));
        }
        take_off(ctx->picture, drawn[i]);
        drawn[i] = drawn_at(ctx->ground, position[i], look);
        put_on(ctx->picture, drawn[i]);
    }
}

void colony_erase(const colony_erase_ctx *ctx, uint32_t count)
{
    (void)count;
    for (uint32_t i = 0; i < ctx->removed_drawn_count; i++) {
        take_off(ctx->picture, ctx->removed_drawn_value[i]);
    }
}
