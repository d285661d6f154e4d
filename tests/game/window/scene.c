#include "scene.h"

#include "colony.h"
#include "ground.h"
#include "ground_picture.h"

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
    sprites_close(&s->sprites);
    *s = (scene){0};
}

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

static void draw_night(const scene *s, const colony_world *w, const camera *c)
{
    float dark = sprites_darkness(w);
    if (dark <= 0) return;
    SDL_SetRenderDrawBlendMode(s->renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(s->renderer, 12, 18, 56, (uint8_t)(150 * dark));
    SDL_RenderFillRect(s->renderer, NULL);
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
    draw_sprites(s, c);
    draw_night(s, w, c);
    if (!colony_is_none(selected)) draw_frame(s, c, selected);
}
