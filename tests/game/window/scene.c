// Things farther south are drawn over things farther north.
//
// A walker's place is the one of the last tick; on its way there it is drawn `1 - alpha` of a tick
// behind it, against its velocity. A bundle is drawn on its carrier.
#include "scene.h"

#include "colony.h"
#include "ground.h"
#include "ground_picture.h"
#include "hours.h"

#include <math.h>
#include <stdlib.h>

typedef struct sprite {
    spot at; // on the map
    colony_entity entity;
    uint8_t look;
} sprite;

static const float SIZES[] = {
    // in tiles
    [COLONY_LOOK_SLEEPER] = 0.9f,    [COLONY_LOOK_SPROUT] = 0.9f,  [COLONY_LOOK_GRAIN] = 1.0f,
    [COLONY_LOOK_SAPLING] = 1.0f,    [COLONY_LOOK_TREE] = 1.5f,    [COLONY_LOOK_CHILD] = 0.9f,
    [COLONY_LOOK_VILLAGER] = 1.0f,   [COLONY_LOOK_BUNDLE] = 0.6f,  [COLONY_LOOK_SITE] = 1.8f,
    [COLONY_LOOK_HOUSE] = 2.0f,      [COLONY_LOOK_SAWMILL] = 2.0f, [COLONY_LOOK_BAKERY] = 2.0f,
    [COLONY_LOOK_STOREHOUSE] = 2.4f,
};
WEFT_STATIC_ASSERT(sizeof SIZES / sizeof *SIZES == COLONY_LOOK_COUNT, "every look has a size");

static const float GLOW_TILES = 3.2f;
static const float BUNDLE_UP = 0.7f; // tiles above the feet of its carrier

bool scene_open(scene *s, SDL_Renderer *renderer, const colony_world *w)
{
    const colony_ground *ground = colony_ground_get(w);
    *s = (scene){.renderer = renderer};
    if (!sheet_open(&s->sheet, renderer)) return false;
    s->ground = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA8888, SDL_TEXTUREACCESS_STREAMING,
                                  ground->width, ground->height);
    return s->ground != NULL;
}

void scene_close(scene *s)
{
    SDL_DestroyTexture(s->ground);
    sheet_close(&s->sheet);
    free(s->sprites);
    *s = (scene){0};
}

// ------------------------------------------------------------------------------------------------
// Collecting

// Where a walker is between two ticks.
static spot on_the_way(const colony_world *w, colony_position at, float speed_x, float speed_y)
{
    float behind = (float)(HOURS_A_TICK * (1 - colony_alpha(w)));
    return (spot){at.x - speed_x * behind, at.y - speed_y * behind};
}

static spot carried_at(const colony_world *w, colony_entity carrier, colony_position at)
{
    spot carrier_at;
    if (!scene_spot(w, carrier, &carrier_at)) return (spot){at.x, at.y};
    return (spot){carrier_at.x, carrier_at.y - BUNDLE_UP};
}

bool scene_spot(const colony_world *w, colony_entity e, spot *at)
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
static void add(scene *s, const view *v, spot at, colony_entity e, colony_look look)
{
    if (look == COLONY_LOOK_GROUND) return;
    if (at.x < (float)v->left - 1 || at.x > (float)v->right + 1) return;
    if (at.y < (float)v->top - 1 || at.y > (float)v->bottom + 2) return;
    if (s->count == s->space) {
        size_t space = s->space ? 2 * s->space : 1024;
        sprite *more = (sprite *)realloc(s->sprites, space * sizeof *more);
        if (more == NULL) return;
        s->sprites = more;
        s->space = space;
    }
    s->sprites[s->count++] = (sprite){at, e, (uint8_t)look};
}

static void add_figures(scene *s, colony_world *w, const view *v)
{
    colony_figures_iter it = colony_figures_begin(w);
    while (colony_figures_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            spot at = on_the_way(w, it.position[i], it.velocity.x[i], it.velocity.y[i]);
            add(s, v, at, it.entities[i], it.drawn[i].look);
        }
    }
}

static void add_things(scene *s, colony_world *w, const view *v)
{
    colony_things_iter it = colony_things_begin(w);
    while (colony_things_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            spot at = {it.position[i].x, it.position[i].y};
            if (it.drawn[i].look == COLONY_LOOK_BUNDLE) scene_spot(w, it.entities[i], &at);
            add(s, v, at, it.entities[i], it.drawn[i].look);
        }
    }
}

// Plants that lie flat come first, then all from north to south, those at one height in the order
// of their handles.
static int compare_sprites(const void *a, const void *b)
{
    const sprite *one = (const sprite *)a, *two = (const sprite *)b;
    if (one->at.y != two->at.y) return one->at.y < two->at.y ? -1 : 1;
    return (one->entity.bits > two->entity.bits) - (one->entity.bits < two->entity.bits);
}

static void collect(scene *s, colony_world *w, const camera *c)
{
    const colony_ground *ground = colony_ground_get(w);
    view v = camera_view(c, ground->width, ground->height);
    s->count = 0;
    add_things(s, w, &v);
    add_figures(s, w, &v);
    if (s->count != 0) qsort(s->sprites, s->count, sizeof *s->sprites, compare_sprites);
}

// ------------------------------------------------------------------------------------------------
// Drawing

// The ground changes with the ticks alone, so that it is painted once a tick at most.
static void draw_ground(scene *s, const colony_world *w, const camera *c)
{
    const colony_ground *ground = colony_ground_get(w);
    uint64_t shown = colony_stats(w).ticks + 1;
    void *pixels;
    int pitch;
    if (shown != s->drawn_tick && SDL_LockTexture(s->ground, NULL, &pixels, &pitch) == 0) {
        static uint32_t colours[GROUND_TILES_MAX];
        ground_picture(w, colours);
        for (int y = 0; y < ground->height; y++) {
            SDL_memcpy((char *)pixels + (size_t)y * (size_t)pitch,
                       colours + (size_t)y * ground->width, ground->width * sizeof *colours);
        }
        SDL_UnlockTexture(s->ground);
        s->drawn_tick = shown;
    }
    spot corner = camera_pixel(c, (spot){-0.5f, -0.5f});
    const SDL_FRect at = {corner.x, corner.y, (float)ground->width * c->tile,
                          (float)ground->height * c->tile};
    SDL_SetRenderDrawColor(s->renderer, 24, 30, 26, 255);
    SDL_RenderClear(s->renderer);
    SDL_RenderCopyF(s->renderer, s->ground, NULL, &at);
}

// Sprites stand with their feet in the lower half of their tile.
static SDL_FRect place(const camera *c, spot at, float tiles)
{
    spot pixel = camera_pixel(c, at);
    float side = fmaxf(tiles * c->tile, 2.0f);
    return (SDL_FRect){pixel.x - side / 2, pixel.y + 0.45f * c->tile - side, side, side};
}

static void draw_sprites(const scene *s, const camera *c)
{
    for (size_t i = 0; i < s->count; i++) {
        const sprite *one = &s->sprites[i];
        SDL_FRect at = place(c, one->at, SIZES[one->look]);
        sheet_draw(&s->sheet, s->renderer, one->look, one->entity.bits, &at);
    }
}

// How dark it is at an hour: 0 by day, 1 at night.
static float darkness(float hour)
{
    float from_noon = fabsf(hour - 12.5f);
    return fminf(fmaxf((from_noon - 6.5f) / 2.5f, 0.0f), 1.0f);
}

static bool has_windows(uint8_t look)
{
    return look == COLONY_LOOK_HOUSE || look == COLONY_LOOK_BAKERY || look == COLONY_LOOK_SAWMILL ||
           look == COLONY_LOOK_STOREHOUSE;
}

static void draw_night(const scene *s, const colony_world *w, const camera *c)
{
    float dark = darkness(colony_calendar_get(w)->hour);
    if (dark <= 0) return;
    SDL_SetRenderDrawBlendMode(s->renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(s->renderer, 12, 18, 56, (uint8_t)(150 * dark));
    SDL_RenderFillRect(s->renderer, NULL);
    SDL_SetTextureAlphaMod(s->sheet.texture, (uint8_t)(255 * dark));
    for (size_t i = 0; i < s->count; i++) {
        if (!has_windows(s->sprites[i].look)) continue;
        spot at = s->sprites[i].at;
        at.y += GLOW_TILES / 2 - 1;
        SDL_FRect light = place(c, at, GLOW_TILES);
        sheet_draw(&s->sheet, s->renderer, SHEET_GLOW, 0, &light);
    }
    SDL_SetTextureAlphaMod(s->sheet.texture, 255);
}

static void draw_frame(const scene *s, const camera *c, colony_entity selected)
{
    for (size_t i = 0; i < s->count; i++) {
        const sprite *one = &s->sprites[i];
        if (one->entity.bits != selected.bits) continue;
        SDL_FRect at = place(c, one->at, SIZES[one->look]);
        SDL_FRect frame = {at.x - 2, at.y - 2, at.w + 4, at.h + 4};
        SDL_SetRenderDrawColor(s->renderer, 255, 240, 120, 255);
        SDL_RenderDrawRectF(s->renderer, &frame);
    }
}

void scene_draw(scene *s, colony_world *w, const camera *c, colony_entity selected)
{
    collect(s, w, c);
    draw_ground(s, w, c);
    draw_sprites(s, c);
    draw_night(s, w, c);
    if (!colony_is_none(selected)) draw_frame(s, c, selected);
}

// ------------------------------------------------------------------------------------------------
// Asking

static bool is_figure(uint8_t look)
{
    return look == COLONY_LOOK_VILLAGER || look == COLONY_LOOK_CHILD || look == COLONY_LOOK_SLEEPER;
}

static bool covers(const camera *c, const sprite *one, spot pixel)
{
    SDL_FRect at = place(c, one->at, SIZES[one->look]);
    const float most = 3; // pixels beside it
    return pixel.x >= at.x - most && pixel.x <= at.x + at.w + most && pixel.y >= at.y - most &&
           pixel.y <= at.y + at.h + most;
}

colony_entity scene_at(scene *s, colony_world *w, const camera *c, spot pixel)
{
    colony_entity found = COLONY_NONE;
    bool figure = false;
    collect(s, w, c);
    for (size_t i = 0; i < s->count; i++) { // the last is in front
        const sprite *one = &s->sprites[i];
        if (!covers(c, one, pixel) || (figure && !is_figure(one->look))) continue;
        found = one->entity;
        figure = is_figure(one->look);
    }
    return found;
}
