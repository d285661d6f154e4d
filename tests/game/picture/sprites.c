// Things farther south are drawn over things farther north.
//
// A walker's place is the one of the last tick; on its way there it is drawn `1 - alpha` of a tick
// behind it, against its velocity. A bundle is drawn on its carrier.
//
// The index `in_view` finds what the camera sees, so that the rest of the map costs nothing.
#include "sprites.h"

#include "colony.h"
#include "ground.h"
#include "hours.h"

#include <math.h>
#include <stdlib.h>

static const float SIZES[] = {
    // in tiles
    [COLONY_LOOK_SLEEPER] = 0.9f,    [COLONY_LOOK_SPROUT] = 0.9f,  [COLONY_LOOK_GRAIN] = 1.0f,
    [COLONY_LOOK_SAPLING] = 1.0f,    [COLONY_LOOK_TREE] = 1.5f,    [COLONY_LOOK_CHILD] = 0.9f,
    [COLONY_LOOK_VILLAGER] = 1.0f,   [COLONY_LOOK_BUNDLE] = 0.6f,  [COLONY_LOOK_SITE] = 1.8f,
    [COLONY_LOOK_HOUSE] = 2.0f,      [COLONY_LOOK_SAWMILL] = 2.0f, [COLONY_LOOK_BAKERY] = 2.0f,
    [COLONY_LOOK_STOREHOUSE] = 2.4f,
};
WEFT_STATIC_ASSERT(sizeof SIZES / sizeof *SIZES == COLONY_LOOK_COUNT, "every look has a size");

static const float DOT_TILE = 5.0f; // pixels
static const float GLOW_TILES = 3.2f;
static const float BUNDLE_UP = 0.7f; // tiles above the feet of its carrier

void sprites_close(sprites *s)
{
    free(s->all);
    *s = (sprites){0};
}

// ------------------------------------------------------------------------------------------------
// Collecting

static bool is_figure(uint8_t look)
{
    return look == COLONY_LOOK_VILLAGER || look == COLONY_LOOK_CHILD || look == COLONY_LOOK_SLEEPER;
}

// Where a walker is between two ticks.
static spot on_the_way(const colony_world *w, colony_position at, float speed_x, float speed_y)
{
    float behind = (float)(HOURS_A_TICK * (1 - colony_alpha(w)));
    return (spot){at.x - speed_x * behind, at.y - speed_y * behind};
}

static spot carried_at(const colony_world *w, colony_entity carrier, colony_position at)
{
    spot carrier_at;
    if (!sprites_spot(w, carrier, &carrier_at)) return (spot){at.x, at.y};
    return (spot){carrier_at.x, carrier_at.y - BUNDLE_UP};
}

bool sprites_spot(const colony_world *w, colony_entity e, spot *at)
{
    const colony_position *position = colony_position_get(w, e);
    if (position == NULL) return false;
    colony_velocity_const_columns velocity = colony_velocity_get(w, e);
    colony_entity carrier = colony_carried_by_parent(w, e);
    if (velocity.x != NULL) {
        *at = on_the_way(w, *position, *velocity.x, *velocity.y);
    } else if (!colony_is_none(carrier)) {
        *at = carried_at(w, carrier, *position);
    } else {
        *at = (spot){position->x, position->y};
    }
    return true;
}

// Adds a sprite if the camera sees it. Without memory for more the rest is not drawn.
static void add(sprites *s, const view *v, spot at, colony_entity e, colony_look look)
{
    if (look == COLONY_LOOK_GROUND) return;
    if (at.x < (float)v->left - 1 || at.x > (float)v->right + 1) return;
    if (at.y < (float)v->top - 1 || at.y > (float)v->bottom + 2) return;
    if (s->count == s->space) {
        size_t space = s->space ? 2 * s->space : 1024;
        sprite *more = (sprite *)realloc(s->all, space * sizeof *more);
        if (more == NULL) return;
        s->all = more;
        s->space = space;
    }
    s->all[s->count++] = (sprite){at, e, (uint8_t)look};
}

static spot drawn_at(const colony_world *w, colony_entity e, const colony_position *at,
                     colony_look look)
{
    spot there = {at->x, at->y};
    if (is_figure(look) || look == COLONY_LOOK_BUNDLE) sprites_spot(w, e, &there);
    return there;
}

// Plants that lie flat come first, then all from north to south, those at one height in the order
// of their handles.
static int compare_sprites(const void *a, const void *b)
{
    const sprite *one = (const sprite *)a, *two = (const sprite *)b;
    if (one->at.y != two->at.y) return one->at.y < two->at.y ? -1 : 1;
    return (one->entity.bits > two->entity.bits) - (one->entity.bits < two->entity.bits);
}

void sprites_collect(sprites *s, colony_world *w, const camera *c)
{
    const colony_ground *size = colony_ground_get(w);
    view v = camera_view(c, size->width, size->height);
    s->count = 0;
    colony_in_view_box_iter it = colony_in_view_box_begin(w, (float)v.left - 2, (float)v.top - 2,
                                                          (float)v.right + 2, (float)v.bottom + 3);
    while (colony_in_view_box_next(&it)) {
        colony_look look = colony_drawn_get(w, it.entity)->look;
        add(s, &v, drawn_at(w, it.entity, it.position, look), it.entity, look);
    }
    if (s->count != 0 && !sprites_are_dots(c)) {
        qsort(s->all, s->count, sizeof *s->all, compare_sprites);
    }
}

bool sprites_are_dots(const camera *c)
{
    return c->tile < DOT_TILE;
}

// ------------------------------------------------------------------------------------------------
// Places on the screen

// Sprites stand with their feet in the lower half of their tile.
static square place(const camera *c, spot at, float tiles)
{
    spot pixel = camera_pixel(c, at);
    float side = fmaxf(tiles * c->tile, 2.0f);
    return (square){pixel.x - side / 2, pixel.y + 0.45f * c->tile - side, side};
}

square sprite_place(const sprite *one, const camera *c)
{
    return place(c, one->at, SIZES[one->look]);
}

bool sprite_has_windows(const sprite *one)
{
    return one->look == COLONY_LOOK_HOUSE || one->look == COLONY_LOOK_BAKERY ||
           one->look == COLONY_LOOK_SAWMILL || one->look == COLONY_LOOK_STOREHOUSE;
}

square sprite_glow(const sprite *one, const camera *c)
{
    return place(c, (spot){one->at.x, one->at.y + GLOW_TILES / 2 - 1}, GLOW_TILES);
}

float sprites_darkness(const colony_world *w)
{
    float from_noon = fabsf(colony_calendar_get(w)->hour - 12.5f);
    return fminf(fmaxf((from_noon - 6.5f) / 2.5f, 0.0f), 1.0f);
}

// ------------------------------------------------------------------------------------------------
// Asking

static bool covers(const camera *c, const sprite *one, spot pixel)
{
    square at = sprite_place(one, c);
    const float most = 3; // pixels beside it
    return pixel.x >= at.x - most && pixel.x <= at.x + at.side + most && pixel.y >= at.y - most &&
           pixel.y <= at.y + at.side + most;
}

colony_entity sprites_at(sprites *s, colony_world *w, const camera *c, spot pixel)
{
    colony_entity found = COLONY_NONE;
    bool figure = false;
    sprites_collect(s, w, c);
    for (size_t i = 0; i < s->count; i++) { // the last is in front
        const sprite *one = &s->all[i];
        if (!covers(c, one, pixel) || (figure && !is_figure(one->look))) continue;
        found = one->entity;
        figure = is_figure(one->look);
    }
    return found;
}
