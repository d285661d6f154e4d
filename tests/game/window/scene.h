// The scene: the colony as it is drawn, between the last tick and the next.
#ifndef SCENE_H
#define SCENE_H

#include "viewer.h"

#include <SDL.h>

typedef struct scene {
    SDL_Renderer *renderer;
    SDL_Texture *texture; // the picture, as large as the map in the window; NULL before a frame
} scene;

void scene_open(scene *s, SDL_Renderer *renderer);
void scene_close(scene *s);

// Draws the map into the left part of the window, in the size of the camera. Takes the seconds
// since the last frame. Draws nothing if there is no memory for a picture.
void scene_draw(scene *s, viewer *v, colony_world *w, float seconds);

#endif
