// Computes the looks of things when they change, and stores them with the things.
#include "colony_redraw.h"

static const colony_look LOOK_OF_BUILDING[] = {
    [COLONY_BUILDING_KIND_STOREHOUSE] = COLONY_LOOK_STOREHOUSE,
    [COLONY_BUILDING_KIND_HOUSE] = COLONY_LOOK_HOUSE,
    [COLONY_BUILDING_KIND_SAWMILL] = COLONY_LOOK_SAWMILL,
    [COLONY_BUILDING_KIND_BAKERY] = COLONY_LOOK_BAKERY,
    [COLONY_BUILDING_KIND_SITE] = COLONY_LOOK_SITE,
};

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

// Optional columns are NULL if the current rows do not have them.
void colony_redraw(const colony_redraw_ctx *ctx, uint32_t count, colony_drawn *restrict drawn,
                   const colony_building *restrict building, const colony_plant *restrict plant,
                   const colony_cargo *restrict cargo)
{
    for (uint32_t i = 0; i < count; i++) {
        if (building != NULL) {
            drawn[i].look = LOOK_OF_BUILDING[building[i].kind];
        } else if (plant != NULL) {
            drawn[i].look = look_of_plant(plant[i].goods, colony_redraw_ripe_has(ctx, i));
        } else if (cargo != NULL) {
            drawn[i].look = COLONY_LOOK_BUNDLE;
        } else {
            drawn[i].look =
                look_of_villager(colony_redraw_child_has(ctx, i), colony_redraw_asleep_has(ctx, i));
        }
    }
}
