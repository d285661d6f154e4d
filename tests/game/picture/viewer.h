// The viewer: what a player sees and points at. The window and the page share it: they pass their
// size, keys, mouse and fingers, and show the pixels.
#ifndef VIEWER_H
#define VIEWER_H

#include "minimap.h"
#include "painting.h"

enum { VIEWER_HANDLE_SPACE = 24 }; // bytes of a handle as text, with its final zero

typedef struct viewer {
    camera camera;
    painting painting;
    minimap minimap;
    colony_entity selected; // may be none
    bool follows;           // the camera keeps the selected entity in the centre
    bool has_panel;         // at the last resize
} viewer;

void viewer_open(viewer *v, pixel_order order);
void viewer_close(viewer *v);

// Sets the size of the map on the screen, in pixels. The first call shows a village. `has_panel`
// is whether a panel takes the rest of the screen. When it opens, the map stays where it is. A
// selected entity that was visible remains visible.
void viewer_resize(viewer *v, colony_world *w, int width, int height, bool has_panel);

// Moves the map by pixels. This ends following.
void viewer_pan(viewer *v, const colony_world *w, float x, float y);

// Scales the map around a pixel, or around the followed entity.
void viewer_zoom(viewer *v, float factor, spot pixel);

// Moves the camera to the spot that the minimap shows at a pixel, also for a pixel outside of it.
// This ends following. Use `minimap_covers` for the start of a drag.
void viewer_move_to(viewer *v, spot pixel);

// Selects the entity that is drawn at a pixel, or none. This ends following.
void viewer_select(viewer *v, colony_world *w, spot pixel);

// Writes the handle of the selected entity as the inspector does, or "". Returns whether there is one.
bool viewer_handle(const viewer *v, char to[VIEWER_HANDLE_SPACE]);

// Follows the selected entity, or ends that. Returns whether it follows now.
bool viewer_follow(viewer *v);

// Paints a frame in the size of the canvas. Takes the seconds since the last frame. Forgets a
// selected entity that is dead.
void viewer_paint(viewer *v, colony_world *w, float seconds, const canvas *on);

#endif
