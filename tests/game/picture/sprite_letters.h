// The sprites as letters, 16 rows of 16 each. A letter is a colour, and a dot is left out.
#ifndef SPRITE_LETTERS_H
#define SPRITE_LETTERS_H

#include "sprite_pixels.h"

extern const char *const SPRITE_LETTERS[SHEET_SPRITES]; // NULL if there is no picture

#endif
