// The camera: which part of the map the window shows, and how large.
#ifndef CAMERA_H
#define CAMERA_H

#include <stdbool.h>

// Whole numbers on the map are the centres of tiles, as everywhere in the game.
typedef struct camera {
    float x, y;        // the spot in the centre of the window
    float tile;        // the side of a tile in pixels
    float least;       // the smallest `tile`, which shows the whole map
    int width, height; // of the window, in pixels
} camera;

typedef struct spot {
    float x, y;
} spot;

// The visible tiles, both ends included.
typedef struct view {
    int left, top, right, bottom;
} view;

// Shows a whole map of columns x rows tiles.
void camera_fit(camera *c, int columns, int rows);

// Returns whether two cameras show the same picture.
bool camera_is(const camera *one, const camera *other);

// Shows the surroundings of a spot, in tiles of at least `tile` pixels. If possible, the map fills
// the window, so that nothing beyond its edges is visible.
void camera_show(camera *c, spot at, float tile, int columns, int rows);

// Returns whether all of the map is visible.
bool camera_sees_all(const camera *c, int columns, int rows);

// Changes the size of the window. A window that showed the whole map still does, and a map that
// filled the window still fills it. Otherwise tiles keep their size.
void camera_resize(camera *c, int width, int height, int columns, int rows);

// Like `camera_resize`, but the left upper corner shows the same spot as before if possible. For a
// panel that opens next to the map.
void camera_resize_at_corner(camera *c, int width, int height, int columns, int rows);

// Scales the map by a factor around a pixel of the window.
void camera_zoom(camera *c, float factor, spot pixel);

// Moves the map by x and y pixels. The centre of the window stays on the map.
void camera_pan(camera *c, float x, float y, int columns, int rows);

// Moves as little as possible until a spot is visible and some tiles away from the edges.
void camera_reveal(camera *c, spot at);

// Moves a spot to the centre, or as near to it as possible if the map is to fill the window.
void camera_centre(camera *c, spot at, int columns, int rows);

// Moves smoothly towards the place of `camera_centre`. Takes the seconds since the last call.
void camera_follow(camera *c, spot at, float seconds, int columns, int rows);

// Returns the pixel of a spot. It is inline because every sprite of every frame needs it.
static inline spot camera_pixel(const camera *c, spot on_map)
{
    return (spot){(on_map.x - c->x) * c->tile + (float)c->width / 2,
                  (on_map.y - c->y) * c->tile + (float)c->height / 2};
}

spot camera_spot(const camera *c, spot pixel);

// Returns the visible tiles of a map, and one more on each side.
view camera_view(const camera *c, int columns, int rows);

#endif
