#include "ties.h"

#include "colony.h"

#include <math.h>

enum { BAKERIES = sizeof((colony_hamlet_all *)0)->bakery / sizeof(colony_entity) };
static const uint32_t FRIENDLY = 0xe8506eff, OWNED = 0xfff078ff;
static const float DOT_LEAST = 2.0f, DOT_TILES = 0.12f;    // in pixels; at any zoom above
static const float DOTS_APART = 3.0f;                      // in dots
static const float HEART_LEAST = 5.0f, HEART_TILES = 0.7f; // in pixels; of the warmest friendship
static const float HEAD_TILES = 0.6f;                      // above the centre of a tile

static void paint_line(const canvas *on, const camera *c, spot from, spot to, uint32_t pixel)
{
    float x = to.x - from.x, y = to.y - from.y;
    float side = fmaxf(DOT_LEAST, DOT_TILES * c->tile);
    int dots = (int)(sqrtf(x * x + y * y) / (DOTS_APART * side));
    for (int i = 1; i < dots; i++) {
        float part = (float)i / (float)dots, half = side / 2;
        square dot = {from.x + part * x - half, from.y + part * y - half, side};
        stamp_dot(on, dot, pixel);
    }
}

// Paints a line to another entity. Returns false if that is dead or on no map.
static bool tie(const canvas *on, const colony_world *w, const camera *c, spot from,
                colony_entity other, uint32_t pixel, spot *to)
{
    spot at;
    if (!sprites_spot(w, other, &at)) return false;
    *to = camera_pixel(c, at);
    paint_line(on, c, from, *to, pixel);
    return true;
}

static void tie_friends(const canvas *on, const colony_world *w, const camera *c, spot from,
                        colony_entity selected, const uint32_t *sheet, pixel_order order)
{
    colony_friends_from_iter it = colony_friends_from_begin(w, selected);
    while (colony_friends_from_next(&it)) {
        spot to;
        if (!tie(on, w, c, from, it.to, pixel_of(order, FRIENDLY), &to)) continue;
        float side = fmaxf(HEART_LEAST, HEART_TILES * c->tile * (0.5f + it.value->warmth / 2));
        square heart = {to.x - side / 2, to.y - HEAD_TILES * c->tile - side, side};
        stamp_sprite(on, heart, sheet + SHEET_HEART * SPRITE_SIDE);
    }
}

static void tie_hamlet(const canvas *on, const colony_world *w, const camera *c, spot from,
                       colony_entity selected, uint32_t pixel)
{
    spot to;
    for (uint32_t i = 0; i < BAKERIES; i++) {
        tie(on, w, c, from, colony_hamlet_bakery(w, selected, i), pixel, &to);
    }
    tie(on, w, c, from, colony_hamlet_sawmill(w, selected), pixel, &to);
    tie(on, w, c, from, colony_supplies_parent(w, selected), pixel, &to);
}

void ties_paint(const canvas *on, const colony_world *w, const camera *c, colony_entity selected,
                const uint32_t *sheet, pixel_order order)
{
    spot at;
    if (!sprites_spot(w, selected, &at)) return;
    spot from = camera_pixel(c, at);
    tie_friends(on, w, c, from, selected, sheet, order);
    tie_hamlet(on, w, c, from, selected, pixel_of(order, OWNED));
}
