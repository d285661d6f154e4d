// Text in the window: one size of one font, its letters drawn once into a texture.
#ifndef TEXT_H
#define TEXT_H

#include <SDL.h>

#include <stdbool.h>

enum { TEXT_FIRST = 32, TEXT_LETTERS = 95 }; // printable ASCII; all else is shown as `?`

typedef struct text {
    SDL_Texture *letters;
    SDL_Rect at[TEXT_LETTERS]; // in the texture
    int line;                  // pixels from one line to the next
} text;

// Opens the font of a file at a height in pixels. Returns false with the reason in SDL_GetError.
bool text_open(text *t, SDL_Renderer *renderer, const char *font, int height);
void text_close(text *t);

// Draws one line with its left upper corner at (x, y), and returns its width in pixels.
int text_draw(const text *t, SDL_Renderer *renderer, int x, int y, SDL_Color colour,
              const char *words);
int text_width(const text *t, const char *words);

#endif
