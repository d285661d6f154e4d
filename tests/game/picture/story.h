// The story of an entity: sentences for people about a villager, a building, a plant or a bundle.
#ifndef STORY_H
#define STORY_H

#include "colony_world.h"

enum { STORY_SPACE = 1024, STORY_TITLE_SPACE = 96 }; // bytes, with the final zero

typedef struct story {
    char title[STORY_TITLE_SPACE]; // "Lulana, 13 days old"
    char text[STORY_SPACE];        // one sentence a line
} story;

// Tells about an entity. Both texts are empty if it is none or dead, or not a thing of the colony.
// An overlong text is cut off.
void story_tell(story *s, colony_world *w, colony_entity e);

#endif
