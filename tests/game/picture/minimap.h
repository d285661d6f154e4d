// The minimap: the whole map in a corner of the picture, with an outline around the visible part.
#ifndef MINIMAP_H
#define MINIMAP_H

#include "ground_picture.h"
#include "stamps.h"

enum { MINIMAP_SIDE_MAX = 160 }; // pixels

// Starts as all zeros, which is an empty minimap.
typedef struct minimap {
    uint32_t *pixels;  // row by row
    uint8_t *looks;    // the thing at each pixel; `ground` if there is none
    int width, height; // in pixels
    int columns, rows; // of the map
    float age;         // seconds since it was painted
} minimap;

void minimap_close(minimap *m);

// Paints the map again if the last painting is a second old or if its size has changed, and returns
// whether it did. `colours` must have been updated for the current season. Takes the seconds since
// the last call. If there is no memory, the minimap stays empty.
bool minimap_update(minimap *m, pixel_order order, colony_world *w, const ground_picture *colours,
                    const camera *c, float seconds);

// Returns whether the minimap is visible. It is not if the window shows the whole map anyway.
bool minimap_is_shown(const minimap *m, const camera *c);

// Copies the minimap into the right lower corner of the picture.
void minimap_paint(const minimap *m, pixel_order order, const camera *c, const canvas *on);

// Returns whether the minimap is visible at a pixel of the picture.
bool minimap_covers(const minimap *m, const camera *c, spot pixel);

// Returns the spot of the map that a pixel of the picture shows in the minimap. Pixels outside the
// minimap give the nearest spot of the map.
spot minimap_spot(const minimap *m, const camera *c, spot pixel);

#endif
