#include "sheet.h"

// The mean of the pixels that are painted.
static SDL_Color mean_colour(const uint32_t *pixels, int sprite)
{
    uint32_t sum[3] = {0}, painted = 0;
    for (int i = 0; i < SPRITE_SIDE * SPRITE_SIDE; i++) {
        int x = sprite * SPRITE_SIDE + i % SPRITE_SIDE, y = i / SPRITE_SIDE;
        uint32_t pixel = pixels[y * SHEET_WIDTH + x];
        if ((pixel & 0xffu) == 0) continue;
        for (int k = 0; k < 3; k++) sum[k] += pixel >> (24 - 8 * k) & 0xffu;
        painted++;
    }
    if (painted == 0) return (SDL_Color){0, 0, 0, 0};
    return (SDL_Color){(uint8_t)(sum[0] / painted), (uint8_t)(sum[1] / painted),
                       (uint8_t)(sum[2] / painted), 255};
}

bool sheet_open(sheet *s, SDL_Renderer *renderer)
{
    static uint32_t pixels[SHEET_WIDTH * SHEET_HEIGHT];
    sprite_pixels(pixels);
    for (int i = 0; i < SHEET_SPRITES; i++) s->colours[i] = mean_colour(pixels, i);
    s->texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA8888, SDL_TEXTUREACCESS_STATIC,
                                   SHEET_WIDTH, SHEET_HEIGHT);
    return s->texture != NULL &&
           SDL_UpdateTexture(s->texture, NULL, pixels, SHEET_WIDTH * (int)sizeof *pixels) == 0 &&
           SDL_SetTextureBlendMode(s->texture, SDL_BLENDMODE_BLEND) == 0;
}

void sheet_close(sheet *s)
{
    SDL_DestroyTexture(s->texture);
}

void sheet_draw(const sheet *s, SDL_Renderer *renderer, int sprite, uint32_t coat,
                const SDL_FRect *at)
{
    const SDL_Rect from = {sprite * SPRITE_SIDE, (int)(coat % SHEET_COATS) * SPRITE_SIDE,
                           SPRITE_SIDE, SPRITE_SIDE};
    SDL_RenderCopyF(renderer, s->texture, &from, at);
}
