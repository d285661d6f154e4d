#include "scene.h"

#include "colony.h"
#include "ground_picture.h"

#include <string.h>

bool scene_open(scene *s, SDL_Renderer *renderer, const colony_world *w)
{
    const colony_ground *size = colony_ground_get(w);
    *s = (scene){.renderer = renderer};
    if (!sheet_open(&s->sheet, renderer)) return false;
    s->ground = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA8888, SDL_TEXTUREACCESS_STREAMING,
                                  size->width, size->height);
    return s->ground != NULL;
}

void scene_close(scene *s)
{
    SDL_DestroyTexture(s->ground);
    sheet_close(&s->sheet);
    sprites_close(&s->sprites);
    SDL_free(s->dots);
    *s = (scene){0};
}

// Paints the part of the ground that is seen.
static void paint_ground(scene *s, colony_world *w, const view *v)
{
    const SDL_Rect part = {v->left, v->top, v->right - v->left + 1, v->bottom - v->top + 1};
    void *pixels;
    int pitch;
    if (SDL_LockTexture(s->ground, &part, &pixels, &pitch) != 0) return;
    ground_picture(w, v, (uint32_t *)pixels, (size_t)pitch / sizeof(uint32_t));
    SDL_UnlockTexture(s->ground);
}

// The ground changes with the ticks alone, so that it is painted once a tick at most, and where
// another part of it is seen. After a tick the next frame paints it, which has no tick to wait for.
static void draw_ground(scene *s, colony_world *w, const camera *c)
{
    const colony_ground *size = colony_ground_get(w);
    view v = camera_view(c, size->width, size->height);
    uint64_t shown = colony_stats(w).ticks + 1;
    bool due = shown != s->drawn_tick && (shown == s->seen_tick || s->drawn_tick == 0);
    s->seen_tick = shown;
    if (due || memcmp(&v, &s->drawn_view, sizeof v) != 0) {
        paint_ground(s, w, &v);
        s->drawn_tick = shown;
        s->drawn_view = v;
    }
    const SDL_Rect from = {v.left, v.top, v.right - v.left + 1, v.bottom - v.top + 1};
    spot corner = camera_pixel(c, (spot){(float)v.left - 0.5f, (float)v.top - 0.5f});
    const SDL_FRect at = {corner.x, corner.y, (float)from.w * c->tile, (float)from.h * c->tile};
    SDL_SetRenderDrawColor(s->renderer, 24, 30, 26, 255);
    SDL_RenderClear(s->renderer);
    SDL_RenderCopyF(s->renderer, s->ground, &from, &at);
}

static SDL_FRect rectangle(square at)
{
    return (SDL_FRect){at.x, at.y, at.side, at.side};
}

static void draw_sprites(const scene *s, const camera *c)
{
    for (size_t i = 0; i < s->sprites.count; i++) {
        const sprite *one = &s->sprites.all[i];
        SDL_FRect at = rectangle(sprite_place(one, c));
        sheet_draw(&s->sheet, s->renderer, one->look, one->entity.bits, &at);
    }
}

// Draws dots of one colour in one call, and those looks that come last in their list over others.
static void draw_dots(scene *s, const camera *c)
{
    if (s->dots_space < s->sprites.count) {
        SDL_FRect *more = (SDL_FRect *)SDL_realloc(s->dots, s->sprites.space * sizeof *more);
        if (more == NULL) return;
        s->dots = more;
        s->dots_space = s->sprites.space;
    }
    size_t ends[COLONY_LOOK_COUNT + 1] = {0}; // where the dots of a look end
    for (size_t i = 0; i < s->sprites.count; i++) ends[s->sprites.all[i].look + 1]++;
    for (int look = 0; look < COLONY_LOOK_COUNT; look++) ends[look + 1] += ends[look];
    for (size_t i = 0; i < s->sprites.count; i++) {
        const sprite *one = &s->sprites.all[i];
        s->dots[ends[one->look]++] = rectangle(sprite_place(one, c));
    }
    for (int look = 0; look < COLONY_LOOK_COUNT; look++) {
        size_t first = look == 0 ? 0 : ends[look - 1];
        SDL_Color colour = s->sheet.colours[look];
        SDL_SetRenderDrawColor(s->renderer, colour.r, colour.g, colour.b, 255);
        SDL_RenderFillRectsF(s->renderer, s->dots + first, (int)(ends[look] - first));
    }
}

static void draw_night(const scene *s, const colony_world *w, const camera *c)
{
    float dark = sprites_darkness(w);
    if (dark <= 0) return;
    SDL_SetRenderDrawBlendMode(s->renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(s->renderer, 12, 18, 56, (uint8_t)(150 * dark));
    SDL_RenderFillRect(s->renderer, NULL);
    if (sprites_are_dots(c)) return;
    SDL_SetTextureAlphaMod(s->sheet.texture, (uint8_t)(255 * dark));
    for (size_t i = 0; i < s->sprites.count; i++) {
        const sprite *one = &s->sprites.all[i];
        if (!sprite_has_windows(one)) continue;
        SDL_FRect light = rectangle(sprite_glow(one, c));
        sheet_draw(&s->sheet, s->renderer, SHEET_GLOW, 0, &light);
    }
    SDL_SetTextureAlphaMod(s->sheet.texture, 255);
}

static void draw_frame(const scene *s, const camera *c, colony_entity selected)
{
    for (size_t i = 0; i < s->sprites.count; i++) {
        const sprite *one = &s->sprites.all[i];
        if (one->entity.bits != selected.bits) continue;
        square at = sprite_place(one, c);
        SDL_FRect frame = {at.x - 2, at.y - 2, at.side + 4, at.side + 4};
        SDL_SetRenderDrawColor(s->renderer, 255, 240, 120, 255);
        SDL_RenderDrawRectF(s->renderer, &frame);
    }
}

void scene_draw(scene *s, colony_world *w, const camera *c, colony_entity selected)
{
    sprites_collect(&s->sprites, w, c);
    draw_ground(s, w, c);
    if (sprites_are_dots(c)) {
        draw_dots(s, c);
    } else {
        draw_sprites(s, c);
    }
    draw_night(s, w, c);
    if (!colony_is_none(selected)) draw_frame(s, c, selected);
}
