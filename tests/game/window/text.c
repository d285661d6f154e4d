// SDL_ttf draws each letter once; a line is copies of them.
#include "text.h"

#include <SDL_ttf.h>

#include <string.h>

static int letter_of(char c)
{
    int letter = (unsigned char)c - TEXT_FIRST;
    return letter >= 0 && letter < TEXT_LETTERS ? letter : '?' - TEXT_FIRST;
}

// Puts all letters side by side on one surface.
static SDL_Surface *draw_letters(text *t, TTF_Font *font)
{
    SDL_Surface *drawn[TEXT_LETTERS];
    int width = 0, height = 0;
    for (int i = 0; i < TEXT_LETTERS; i++) {
        drawn[i] = TTF_RenderGlyph32_Blended(font, (Uint32)(TEXT_FIRST + i),
                                             (SDL_Color){255, 255, 255, 255});
        if (drawn[i] == NULL) {
            while (i-- > 0) SDL_FreeSurface(drawn[i]);
            return NULL;
        }
        t->at[i] = (SDL_Rect){width, 0, drawn[i]->w, drawn[i]->h};
        width += drawn[i]->w;
        height = SDL_max(height, drawn[i]->h);
    }
    SDL_Surface *all =
        SDL_CreateRGBSurfaceWithFormat(0, width, height, 32, SDL_PIXELFORMAT_ARGB8888);
    for (int i = 0; i < TEXT_LETTERS; i++) {
        SDL_Rect at = t->at[i];
        SDL_SetSurfaceBlendMode(drawn[i], SDL_BLENDMODE_NONE);
        if (all != NULL) SDL_BlitSurface(drawn[i], NULL, all, &at);
        SDL_FreeSurface(drawn[i]);
    }
    return all;
}

bool text_open(text *t, SDL_Renderer *renderer, const char *font, int height)
{
    memset(t, 0, sizeof *t);
    if (TTF_Init() != 0) return false;
    TTF_Font *opened = TTF_OpenFont(font, height);
    if (opened == NULL) return false;
    SDL_Surface *letters = draw_letters(t, opened);
    t->line = TTF_FontLineSkip(opened);
    TTF_CloseFont(opened);
    if (letters == NULL) return false;
    t->letters = SDL_CreateTextureFromSurface(renderer, letters);
    SDL_FreeSurface(letters);
    return t->letters != NULL;
}

void text_close(text *t)
{
    SDL_DestroyTexture(t->letters);
    TTF_Quit();
}

int text_draw(const text *t, SDL_Renderer *renderer, int x, int y, SDL_Color colour,
              const char *words)
{
    int begun = x;
    SDL_SetTextureColorMod(t->letters, colour.r, colour.g, colour.b);
    for (; *words != '\0'; words++) {
        const SDL_Rect *from = &t->at[letter_of(*words)];
        SDL_RenderCopy(renderer, t->letters, from, &(SDL_Rect){x, y, from->w, from->h});
        x += from->w;
    }
    return x - begun;
}

int text_width(const text *t, const char *words)
{
    int width = 0;
    for (; *words != '\0'; words++) width += t->at[letter_of(*words)].w;
    return width;
}
