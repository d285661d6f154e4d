// The camera: which part of the map the window shows, and how large.
#ifndef CAMERA_H
#define CAMERA_H

#include <stdbool.h>

// Whole numbers of the map are the middles of tiles, as everywhere in the game.
typedef struct camera {
    float x, y;        // the spot in the middle of the window
    float tile;        // pixels a side of a tile
    float least;       // at which the whole map is seen, and no more can be
    int width, height; // of the window, in pixels
} camera;

typedef struct spot {
    float x, y;
} spot;

// The tiles that can be seen, both ends included.
typedef struct view {
    int left, top, right, bottom;
} view;

// Shows a whole map of columns x rows tiles.
void camera_fit(camera *c, int columns, int rows);

// Returns whether two cameras show the same picture.
bool camera_is(const camera *one, const camera *other);

// Gives the window another size. A map that fills the window still does; otherwise tiles keep their
// size.
void camera_resize(camera *c, int width, int height, int columns, int rows);

// Scales the map by a factor around a pixel of the window.
void camera_zoom(camera *c, float factor, spot pixel);

// Moves the map by x and y pixels; the camera's middle stays on the map.
void camera_pan(camera *c, float x, float y, int columns, int rows);

// Every sprite of every frame is placed by this.
static inline spot camera_pixel(const camera *c, spot on_map)
{
    return (spot){(on_map.x - c->x) * c->tile + (float)c->width / 2,
                  (on_map.y - c->y) * c->tile + (float)c->height / 2};
}

spot camera_spot(const camera *c, spot pixel);

// The tiles of a map that can be seen, with one more on each side.
view camera_view(const camera *c, int columns, int rows);

#endif
