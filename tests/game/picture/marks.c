#include "marks.h"

#include "colony.h"
#include "hours.h"
#include "sprite_pixels.h"

#include <math.h>

static const float BUBBLE_TILE_LEAST = 12.0f, SMOKE_TILE_LEAST = 6.0f; // pixels
static const float BUBBLE_TILES = 0.85f;
// From the centre of a tile to the tip. Sleepers lie with their heads in the west, and the chimneys
// of their houses are in the east.
static const float BUBBLE_UP = 0.5f, BUBBLE_EAST = 0.3f, SLEEPER_EAST = -0.4f;

enum { PUFFS = 4 };
static const float PUFF_HOURS = 3.0f; // divides a day, so that smoke rises evenly at midnight
static const float PUFF_RISES = 1.7f, PUFF_DRIFTS = 0.9f; // tiles
static const float PUFF_SIDE = 0.35f, PUFF_GROWS = 0.8f;  // tiles
static const float CHIMNEY_UP = 1.55f;                    // from the centre of a tile
static const float HOUSE_CHIMNEY_EAST = 0.5f, BAKERY_CHIMNEY_EAST = -0.6f;

// ------------------------------------------------------------------------------------------------
// Smoke

// Returns how much smoke rises from the hearths of houses, of 256: all day in winter, in summer
// only in the evening.
static uint32_t hearth_smoke(const colony_calendar *now)
{
    const bool evening = now->hour >= 17.0f && now->hour < 22.0f;
    const bool morning = now->hour >= 5.0f && now->hour < 8.5f;
    switch (now->season) {
    case COLONY_SEASON_WINTER:
        return 256;
    case COLONY_SEASON_SUMMER:
        return evening ? 128 : 0;
    default:
        return evening || morning ? 200 : 0;
    }
}

// Returns the hour between two ticks.
static float hour_now(const colony_world *w)
{
    return colony_calendar_get(w)->hour - (float)(HOURS_A_TICK * (1 - colony_alpha(w)));
}

// Paints the puffs of one chimney. Each is somewhere on its way from 0 to 1, and then starts again.
static void paint_puffs(const canvas *on, const camera *c, spot chimney, float begun,
                        uint32_t share, const uint32_t *sheet)
{
    for (int i = 0; i < PUFFS; i++) {
        const float turns = begun + (float)i / PUFFS, way = turns - floorf(turns);
        const float fades = fminf(6 * way, 1) * (1 - way);
        const float side = (PUFF_SIDE + PUFF_GROWS * way) * c->tile;
        const spot at = {chimney.x + PUFF_DRIFTS * way * way, chimney.y - PUFF_RISES * way};
        const spot pixel = camera_pixel(c, at);
        stamp_light(on, (square){pixel.x - side / 2, pixel.y - side / 2, side},
                    sheet + SHEET_SMOKE * SPRITE_SIDE, (uint32_t)((float)share * fades));
    }
}

void marks_paint_smoke(const canvas *on, const sprites *s, const colony_world *w, const camera *c,
                       const uint32_t *sheet)
{
    if (c->tile < SMOKE_TILE_LEAST) return;
    const uint32_t hearths = hearth_smoke(colony_calendar_get(w));
    const float turns = hour_now(w) / PUFF_HOURS;
    for (size_t i = 0; i < s->count; i++) {
        const sprite *one = &s->all[i];
        const bool house = one->look == COLONY_LOOK_HOUSE;
        if (!one->is.inhabited || (!house && one->look != COLONY_LOOK_BAKERY)) continue;
        const uint32_t share = house ? hearths : 256;
        const spot chimney = {one->at.x + (house ? HOUSE_CHIMNEY_EAST : BAKERY_CHIMNEY_EAST),
                              one->at.y - CHIMNEY_UP};
        const float begun = turns + (float)(one->entity.bits * 37 % 64) / 64;
        if (share > 0) paint_puffs(on, c, chimney, begun, share, sheet);
    }
}

// ------------------------------------------------------------------------------------------------
// Bubbles

// Returns the side of a bubble: a multiple of the pixels of its picture, so that it stays sharp.
static float bubble_side(const camera *c)
{
    const float times = roundf(BUBBLE_TILES * c->tile / SPRITE_SIDE);
    return fmaxf(times, 1) * SPRITE_SIDE;
}

void marks_paint_bubbles(const canvas *on, const sprites *s, const camera *c, const uint32_t *sheet)
{
    if (c->tile < BUBBLE_TILE_LEAST) return;
    const float side = bubble_side(c);
    for (size_t i = 0; i < s->count; i++) {
        const sprite *one = &s->all[i];
        if (one->is.bubble == 0) continue;
        const float east = one->look == COLONY_LOOK_SLEEPER ? SLEEPER_EAST : BUBBLE_EAST;
        const spot tip = camera_pixel(c, (spot){one->at.x + east, one->at.y - BUBBLE_UP});
        stamp_sprite(on, (square){tip.x - 0.25f * side, tip.y - side, side},
                     sheet + one->is.bubble * SPRITE_SIDE);
    }
}
