// The window: one colony, its picture, and the player's input.
#ifndef SHOW_H
#define SHOW_H

#include "colony.h"
#include "orders.h"
#include "pace.h"
#include "scene.h"
#include "sounds.h"
#include "text.h"

// Where the left button of the mouse was pressed, until it is released.
typedef enum show_press { SHOW_PRESS_NONE, SHOW_PRESS_MAP, SHOW_PRESS_MINIMAP } show_press;

typedef struct show {
    SDL_Window *window;
    SDL_Renderer *renderer;
    text text;
    scene scene;
    viewer viewer;
    int width, height; // of the window, in pixels
    colony_world *w;
    orders orders;
    sounds sounds;
    const char *save;
    double speed;
    bool helps, over;
    bool values;      // the panel shows all values, not only sentences
    bool photographs; // the next frame is written to a file
    uint64_t due;     // when the next frame is due, by SDL's clock, if the renderer does not wait
    show_press press; // where the left button was pressed
    bool dragged;     // the pressed button has moved the map
    pace pace;
    char said[160];
} show;

// Returns whether time passes: no menu is open and there is no pause.
static inline bool show_is_playing(const show *s)
{
    return colony_game_now(s->w) == COLONY_GAME_PLAY && colony_pause_now(s->w) == COLONY_PAUSE_OFF;
}

// Returns whether the panel is shown, to the right of the map.
static inline bool show_has_panel(const show *s)
{
    return !colony_is_none(s->viewer.selected);
}

// Shows the result of an action in the window, until the next message.
void show_say(show *s, const char *what, bool fine);

// Gives an order that takes effect immediately, also while time stands still.
void show_order(show *s, colony_order order);

// ---- keys.c

void show_handle(show *s, const SDL_Event *event);

// Writes the last drawn frame to colony.bmp. After a resize a frame must be drawn first.
void show_keep_picture(show *s);

// ---- words.c

// Draws the text over the map: state, menu, keys.
void show_words(show *s);

// ---- main.c

// Opens the inspector in a browser, at the selected entity. Prints its address, which contains the
// token, to the terminal only.
void show_inspect(show *s);

#endif
