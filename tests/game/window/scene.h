// The scene: the colony as it is drawn, between the last tick and the next.
#ifndef SCENE_H
#define SCENE_H

#include "sheet.h"
#include "sprites.h"

typedef struct scene {
    SDL_Renderer *renderer;
    sheet sheet;
    SDL_Texture *ground; // a pixel a tile
    uint64_t drawn_tick; // that the ground shows, plus one; 0: none
    uint64_t seen_tick;  // of the last frame, plus one
    view drawn_view;     // of the ground
    sprites sprites;
    SDL_FRect *dots;
    size_t dots_space;
} scene;

// False: SDL_GetError says why.
bool scene_open(scene *s, SDL_Renderer *renderer, const colony_world *w);
void scene_close(scene *s);

// Draws all that the camera sees, and a frame around one entity; none is fine.
void scene_draw(scene *s, colony_world *w, const camera *c, colony_entity selected);

#endif
