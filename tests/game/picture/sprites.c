// Things farther south are drawn over things farther north.
//
// A walker's place is its place after the last tick. Between ticks it is drawn `1 - alpha` of a
// tick farther back, against its velocity. A bundle is drawn on its carrier.
//
// Each frame scans all rows of the query `sights`. If half of them walk, this is faster than
// updating an index by place, and no tick delays a frame.
#include "sprites.h"

#include "appearance.h"
#include "colony.h"
#include "hours.h"
#include "sprite_pixels.h"

#include <stdlib.h>

// In tiles. Crops are a little larger than their tile, so that no grass is seen between them.
static const float SIZES[] = {
    [COLONY_LOOK_SLEEPER] = 0.9f,    [COLONY_LOOK_SPROUT] = 1.06f, [COLONY_LOOK_GRAIN] = 1.06f,
    [COLONY_LOOK_SAPLING] = 1.0f,    [COLONY_LOOK_TREE] = 1.5f,    [COLONY_LOOK_CHILD] = 0.7f,
    [COLONY_LOOK_VILLAGER] = 1.1f,   [COLONY_LOOK_BUNDLE] = 0.7f,  [COLONY_LOOK_SITE] = 1.8f,
    [COLONY_LOOK_HOUSE] = 2.0f,      [COLONY_LOOK_SAWMILL] = 2.0f, [COLONY_LOOK_BAKERY] = 2.0f,
    [COLONY_LOOK_STOREHOUSE] = 2.4f,
};
WEFT_STATIC_ASSERT(sizeof SIZES / sizeof *SIZES == COLONY_LOOK_COUNT, "every look has a size");

static const float DOT_TILE = 5.0f; // pixels
static const float GLOW_TILES = 3.2f;
static const float BUNDLE_UP = 0.9f; // tiles above the feet of its carrier
static const float BUNDLE_FRONT = 0.01f;
static const float STEP_TILES = 4.0f; // more than anybody walks in a tick

void sprites_close(sprites *s)
{
    free(s->all);
    free(s->sorted);
    *s = (sprites){0};
}

// ------------------------------------------------------------------------------------------------
// Collecting

// Returns the place of a walker between two ticks.
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

// Makes space for `more` sprites. Returns false if there is no memory; they are not drawn then.
static bool make_space(sprites *s, size_t more)
{
    if (s->count + more <= s->space) return true;
    size_t space = s->count + more + s->space;
    sprite *all = (sprite *)realloc(s->all, space * sizeof *all);
    if (all != NULL) s->all = all;
    sprite *sorted = (sprite *)realloc(s->sorted, space * sizeof *sorted);
    if (sorted != NULL) s->sorted = sorted;
    if (all == NULL || sorted == NULL) return false;
    s->space = space;
    return true;
}

// Returns where a row of the query is drawn. A bundle is drawn at the current place of its carrier.
static spot drawn_at(const colony_world *w, const colony_sights_iter *it, uint32_t i)
{
    const colony_position at = it->position[i];
    if (it->velocity.x != NULL) {
        return on_the_way(w, at, it->velocity.x[i], it->velocity.y[i]);
    }
    if (it->cargo == NULL) return (spot){at.x, at.y};
    return carried_at(w, colony_carried_by_parent(w, it->entities[i]), at);
}

// A part of the map, in tiles.
typedef struct part {
    float left, top, right, bottom;
} part;

static bool is_in(const part *p, float x, float y)
{
    return x >= p->left && x <= p->right && y >= p->top && y <= p->bottom;
}

// Adds the visible entities of some rows. Entities outside `near` are skipped early because they
// are too far away to have been in sight a tick ago.
static void collect_rows(sprites *s, const colony_world *w, const part *near, const part *seen,
                         const colony_sights_iter *it)
{
    sprite *next = s->all + s->count;
    for (uint32_t i = 0; i < it->count; i++) {
        colony_look look = it->drawn[i].look;
        if (look == COLONY_LOOK_GROUND) continue;
        if (!is_in(near, it->position[i].x, it->position[i].y)) continue;
        spot at = drawn_at(w, it, i);
        if (!is_in(seen, at.x, at.y)) continue;
        *next++ = (sprite){at, it->entities[i], (uint8_t)look, appearance_of(w, it, i, at)};
    }
    s->count = (size_t)(next - s->all);
}

// Returns how far south a sprite touches the ground. A bundle is drawn over its carrier.
static float touches_at(const sprite *one)
{
    return one->look == COLONY_LOOK_BUNDLE ? one->at.y + BUNDLE_UP + BUNDLE_FRONT : one->at.y;
}

// Sorts from north to south, and at equal height by handle so that the order is stable.
static int compare_sprites(const void *a, const void *b)
{
    const sprite *one = (const sprite *)a, *two = (const sprite *)b;
    const float first = touches_at(one), second = touches_at(two);
    if (first != second) return first < second ? -1 : 1;
    return (one->entity.bits > two->entity.bits) - (one->entity.bits < two->entity.bits);
}

// Sorts by look, so that dots with a later look in the enum are drawn over the others.
static void sort_by_look(sprites *s)
{
    size_t next[COLONY_LOOK_COUNT + 1] = {0}; // the next index for each look
    for (size_t i = 0; i < s->count; i++) next[s->all[i].look + 1]++;
    for (int look = 0; look < COLONY_LOOK_COUNT; look++) next[look + 1] += next[look];
    for (size_t i = 0; i < s->count; i++) s->sorted[next[s->all[i].look]++] = s->all[i];
    sprite *sorted = s->sorted;
    s->sorted = s->all;
    s->all = sorted;
}

void sprites_collect(sprites *s, colony_world *w, const camera *c)
{
    const colony_ground *size = colony_ground_get(w);
    view v = camera_view(c, size->width, size->height);
    const part seen = {(float)v.left - 1, (float)v.top - 1, (float)v.right + 1,
                       (float)v.bottom + 2};
    const part near = {seen.left - STEP_TILES, seen.top - STEP_TILES, seen.right + STEP_TILES,
                       seen.bottom + STEP_TILES};
    s->count = 0;
    colony_sights_iter it = colony_sights_begin(w);
    while (colony_sights_next(&it) && make_space(s, it.count))
        collect_rows(s, w, &near, &seen, &it);
    if (sprites_are_dots(c)) {
        sort_by_look(s);
    } else if (s->count != 0) {
        qsort(s->all, s->count, sizeof *s->all, compare_sprites);
    }
}

bool sprites_are_dots(const camera *c)
{
    return c->tile < DOT_TILE;
}

// ------------------------------------------------------------------------------------------------
// Places on the screen

static bool is_figure(uint8_t look)
{
    return look == COLONY_LOOK_VILLAGER || look == COLONY_LOOK_CHILD || look == COLONY_LOOK_SLEEPER;
}

// Returns the square of a sprite, whose feet are in the lower half of its tile. It has at least
// `least` pixels a side, so that sprites stay visible from far away.
static square place(const camera *c, spot at, float tiles, float least)
{
    spot pixel = camera_pixel(c, at);
    float side = tiles * c->tile;
    if (side < least) side = least;
    return (square){pixel.x - side / 2, pixel.y + 0.45f * c->tile - side, side};
}

square sprite_place(const sprite *one, const camera *c)
{
    return place(c, one->at, SIZES[one->look], is_figure(one->look) ? 2.0f : 1.0f);
}

bool look_has_shadow(colony_look look)
{
    return look != COLONY_LOOK_SLEEPER && look != COLONY_LOOK_SPROUT && look != COLONY_LOOK_GRAIN &&
           look != COLONY_LOOK_BUNDLE;
}

square sprite_shadow(const sprite *one, const camera *c)
{
    square at = sprite_place(one, c);
    return (square){at.x, at.y + at.side / SPRITE_SIDE, at.side};
}

square sprite_glow(const sprite *one, const camera *c)
{
    return place(c, (spot){one->at.x, one->at.y + GLOW_TILES / 2 - 1}, GLOW_TILES, 1.0f);
}

// ------------------------------------------------------------------------------------------------
// Asking

static bool covers(const camera *c, const sprite *one, spot pixel)
{
    square at = sprite_place(one, c);
    const float most = 3; // pixels around the sprite that also count
    return pixel.x >= at.x - most && pixel.x <= at.x + at.side + most && pixel.y >= at.y - most &&
           pixel.y <= at.y + at.side + most;
}

colony_entity sprites_at(sprites *s, colony_world *w, const camera *c, spot pixel)
{
    colony_entity found = COLONY_NONE;
    bool figure = false;
    sprites_collect(s, w, c);
    for (size_t i = 0; i < s->count; i++) { // the last sprite is in front
        const sprite *one = &s->all[i];
        if (!covers(c, one, pixel) || (figure && !is_figure(one->look))) continue;
        found = one->entity;
        figure = is_figure(one->look);
    }
    return found;
}
