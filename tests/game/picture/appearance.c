#include "appearance.h"

#include "colony.h"
#include "sprite_pixels.h"

#include <math.h>

static const uint8_t TREES[] = {COLONY_LOOK_TREE, SHEET_PINE, SHEET_TALL_TREE, SHEET_PINE,
                                COLONY_LOOK_TREE};
static const uint8_t LOADS[] = {
    [COLONY_GOODS_WOOD] = SHEET_WOOD,
    [COLONY_GOODS_GRAIN] = SHEET_SHEAF,
    [COLONY_GOODS_PLANKS] = SHEET_PLANKS,
    [COLONY_GOODS_BREAD] = SHEET_LOAF,
};
WEFT_STATIC_ASSERT(sizeof LOADS == COLONY_GOODS_COUNT, "all goods have a picture");

// Pictures of a thing that grows or is built, from the first stage to the last.
static const uint8_t CROPS[] = {SHEET_FURROWS, COLONY_LOOK_SPROUT, SHEET_STALKS};
static const uint8_t SITES[] = {SHEET_FOUNDATION, SHEET_WALLS, COLONY_LOOK_SITE};
enum { STAGES = 3 };

static const float HUNGRY = 0.42f; // has missed a meal: looks for food from 0.33 on
static const float STEPS_EAST = 3.0f, STEPS_SOUTH = 2.0f; // in a tile

// Returns whether a walker has the other foot in front. It depends on the place alone, so feet
// stand still when the walker or the game does.
static bool steps(const colony_sights_iter *it, uint32_t i, spot at)
{
    if (it->velocity.x == NULL || (it->velocity.x[i] == 0 && it->velocity.y[i] == 0)) return false;
    return ((int)floorf(STEPS_EAST * at.x + STEPS_SOUTH * at.y) & 1) != 0;
}

// Returns the picture of a stage if `done` of `whole` is done.
static uint8_t stage(const uint8_t pictures[STAGES], float done, float whole)
{
    const int reached = (int)(done * STAGES / whole);
    return pictures[reached < STAGES ? reached : STAGES - 1];
}

static uint8_t picture_of(const colony_sights_iter *it, uint32_t i, spot at)
{
    const colony_look look = it->drawn[i].look;
    switch (look) {
    case COLONY_LOOK_TREE:
        return TREES[it->entities[i].bits % sizeof TREES];
    case COLONY_LOOK_SPROUT:
        if (it->plant == NULL) return (uint8_t)look;
        return stage(CROPS, it->plant[i].hours_grown, it->plant[i].hours_to_ripen);
    case COLONY_LOOK_SITE:
        if (it->site == NULL || it->stock == NULL) return (uint8_t)look;
        return stage(SITES, (float)it->stock[i].amount[COLONY_GOODS_PLANKS],
                     (float)it->site[i].planks);
    case COLONY_LOOK_BUNDLE:
        return it->cargo == NULL ? (uint8_t)look : LOADS[it->cargo[i].goods];
    case COLONY_LOOK_VILLAGER:
        return steps(it, i, at) ? SHEET_STEP : (uint8_t)look;
    case COLONY_LOOK_CHILD:
        return steps(it, i, at) ? SHEET_CHILD_STEP : (uint8_t)look;
    default:
        return (uint8_t)look;
    }
}

// `sick` is asked for one by one, because a query with a sparse component takes longer for all rows.
static uint8_t bubble_of(const colony_world *w, const colony_sights_iter *it, uint32_t i)
{
    if (it->needs.hunger == NULL) return 0;
    if (colony_sick_get(w, it->entities[i]) != NULL) return SHEET_ILL;
    if (it->drawn[i].look == COLONY_LOOK_SLEEPER) return SHEET_ASLEEP;
    return it->needs.hunger[i] >= HUNGRY ? SHEET_HUNGRY : 0;
}

static bool is_inhabited(const colony_world *w, const colony_sights_iter *it, uint32_t i)
{
    const colony_look look = it->drawn[i].look;
    if (it->dwelling != NULL) return it->dwelling[i].residents.count > 0;
    if (look != COLONY_LOOK_SAWMILL && look != COLONY_LOOK_BAKERY) return false;
    return colony_busy_has(w, it->entities[i]);
}

appearance appearance_of(const colony_world *w, const colony_sights_iter *it, uint32_t i, spot at)
{
    return (appearance){picture_of(it, i, at), bubble_of(w, it, i), is_inhabited(w, it, i)};
}
