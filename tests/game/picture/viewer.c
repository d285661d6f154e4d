// Connects camera, painting, minimap and selection.
#include "viewer.h"

#include "colony.h"

#include <stdio.h>

static const float TILE_AT_START = 24.0f; // pixels

void viewer_open(viewer *v, pixel_order order)
{
    *v = (viewer){.selected = COLONY_NONE};
    painting_open(&v->painting, order);
}

void viewer_close(viewer *v)
{
    painting_close(&v->painting);
    minimap_close(&v->minimap);
}

// Returns the storehouse nearest to the middle of the map, because people live around it. Returns
// the middle if there is none.
static spot village(colony_world *w)
{
    const colony_ground *size = colony_ground_get(w);
    const spot middle = {(float)(size->width - 1) / 2, (float)(size->height - 1) / 2};
    colony_entity depot;
    if (colony_depots_by_place_nearest(w, middle.x, middle.y, 1, &depot) == 0) return middle;
    const colony_position *at = colony_position_get(w, depot);
    return (spot){at->x, at->y};
}

// Finds the selected entity on the map. Returns false if there is none, or if it is not visible.
static bool sees_selected(const viewer *v, const colony_world *w, spot *at)
{
    if (!colony_alive(w, v->selected) || !sprites_spot(w, v->selected, at)) return false;
    const spot pixel = camera_pixel(&v->camera, *at);
    return pixel.x >= 0 && pixel.y >= 0 && pixel.x < (float)v->camera.width &&
           pixel.y < (float)v->camera.height;
}

void viewer_resize(viewer *v, colony_world *w, int width, int height, bool has_panel)
{
    const colony_ground *size = colony_ground_get(w);
    if (v->camera.width == 0) {
        v->camera = (camera){.width = width, .height = height};
        camera_show(&v->camera, village(w), TILE_AT_START, size->width, size->height);
    }
    if (v->camera.width == width && v->camera.height == height) return;
    spot at;
    const bool reveals = sees_selected(v, w, &at);
    if (v->has_panel != has_panel) {
        camera_resize_at_corner(&v->camera, width, height, size->width, size->height);
    } else {
        camera_resize(&v->camera, width, height, size->width, size->height);
    }
    if (reveals) camera_reveal(&v->camera, at);
    v->has_panel = has_panel;
}

void viewer_pan(viewer *v, const colony_world *w, float x, float y)
{
    const colony_ground *size = colony_ground_get(w);
    v->follows = false;
    camera_pan(&v->camera, x, y, size->width, size->height);
}

void viewer_zoom(viewer *v, float factor, spot pixel)
{
    const spot centre = {(float)v->camera.width / 2, (float)v->camera.height / 2};
    camera_zoom(&v->camera, factor, v->follows ? centre : pixel);
}

void viewer_move_to(viewer *v, spot pixel)
{
    spot at = minimap_spot(&v->minimap, &v->camera, pixel);
    v->follows = false;
    camera_centre(&v->camera, at, v->minimap.columns, v->minimap.rows);
}

void viewer_select(viewer *v, colony_world *w, spot pixel)
{
    v->follows = false;
    v->selected = sprites_at(&v->painting.sprites, w, &v->camera, pixel);
}

bool viewer_handle(const viewer *v, char to[VIEWER_HANDLE_SPACE])
{
    const weft_format f = colony_entity_format;
    const uint32_t bits = v->selected.bits;
    to[0] = '\0';
    if (colony_is_none(v->selected)) return false;
    snprintf(to, VIEWER_HANDLE_SPACE, "%u:%u", bits & ((1u << f.index_bits) - 1),
             bits >> f.index_bits);
    return true;
}

bool viewer_follow(viewer *v)
{
    return v->follows = !v->follows && !colony_is_none(v->selected);
}

static void follow(viewer *v, const colony_world *w, float seconds)
{
    const colony_ground *size = colony_ground_get(w);
    spot at;
    if (!colony_alive(w, v->selected)) v->selected = COLONY_NONE;
    v->follows = v->follows && sprites_spot(w, v->selected, &at);
    if (v->follows) camera_follow(&v->camera, at, seconds, size->width, size->height);
}

void viewer_paint(viewer *v, colony_world *w, float seconds, const canvas *on)
{
    const pixel_order order = v->painting.order;
    follow(v, w, seconds);
    painting_paint(&v->painting, w, &v->camera, v->selected, on);
    minimap_update(&v->minimap, order, w, &v->painting.land.ground, &v->camera, seconds);
    minimap_paint(&v->minimap, order, &v->camera, on);
}
