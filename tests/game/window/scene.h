// The scene: the colony as it is drawn, between the last tick and the next.
#ifndef SCENE_H
#define SCENE_H

#include "painting.h"

#include <SDL.h>

typedef struct scene {
    SDL_Renderer *renderer;
    SDL_Texture *texture; // the picture, as large as the window; NULL before the first frame
    painting painting;
} scene;

void scene_open(scene *s, SDL_Renderer *renderer);
void scene_close(scene *s);

// Draws everything that the camera sees, and an outline around `selected`, which may be none. Draws
// nothing if there is no memory for a picture.
void scene_draw(scene *s, colony_world *w, const camera *c, colony_entity selected);

#endif
