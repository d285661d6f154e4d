// The sheet: every sprite of the game in one texture.
#ifndef SHEET_H
#define SHEET_H

#include "sprite_pixels.h"

#include <SDL.h>

#include <stdbool.h>

typedef struct sheet {
    SDL_Texture *texture;
    SDL_Color colours[SHEET_SPRITES]; // what a sprite looks like from far away
} sheet;

// False: SDL_GetError says why.
bool sheet_open(sheet *s, SDL_Renderer *renderer);
void sheet_close(sheet *s);

// Draws a sprite, a colony_look or SHEET_GLOW, into a part of the window. `coat` is any number:
// equal ones look alike.
void sheet_draw(const sheet *s, SDL_Renderer *renderer, int sprite, uint32_t coat,
                const SDL_FRect *at);

#endif
