#include "sheet.h"

bool sheet_open(sheet *s, SDL_Renderer *renderer)
{
    static uint32_t pixels[SHEET_WIDTH * SHEET_HEIGHT];
    sprite_pixels(pixels);
    for (int i = 0; i < SHEET_SPRITES; i++) {
        uint32_t mean = sprite_colour(pixels, i);
        s->colours[i] = (SDL_Color){(uint8_t)(mean >> 24), (uint8_t)(mean >> 16),
                                    (uint8_t)(mean >> 8), (uint8_t)mean};
    }
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
