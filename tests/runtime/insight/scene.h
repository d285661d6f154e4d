// A watched tavern, and the stop that it reported last.
#ifndef TAVERN_SCENE_H
#define TAVERN_SCENE_H

#include "tavern.h"

typedef struct scene {
    work work;
    tavern_world *world;
    uint32_t count;  // of stops
    weft_write last; // the write that caused the last one
} scene;

// Opens the scene of a test. Its world keeps `writes` writes. Returns 0, or -1 without memory.
int scene_open(void **state, uint32_t writes);
int scene_close(void **state);

// Counts a stop. It is a hook for `tavern_stop_at`, whose `user` is the scene.
void scene_stopped(void *user, const weft_write *write);

// Sets a stop that the scene counts. A text that is refused fails the test with the error.
void scene_stop_at(scene *s, const char *text);

#endif
