// A camera is stored as one spot and one scale, from which everything else is computed.
#include "camera.h"

#include <math.h>

static const float TILE_SMALL = 2.0f, TILE_MAX = 96.0f; // pixels

static float within(float value, float least, float most)
{
    return fminf(fmaxf(value, least), most);
}

void camera_fit(camera *c, int columns, int rows)
{
    float across = (float)c->width / (float)columns, down = (float)c->height / (float)rows;
    c->tile = fminf(fminf(across, down), TILE_MAX);
    c->least = fminf(c->tile, TILE_SMALL);
    c->x = (float)(columns - 1) / 2;
    c->y = (float)(rows - 1) / 2;
}

bool camera_is(const camera *one, const camera *other)
{
    return one->x == other->x && one->y == other->y && one->tile == other->tile &&
           one->width == other->width && one->height == other->height;
}

void camera_resize(camera *c, int width, int height, int columns, int rows)
{
    if (c->width == width && c->height == height) return;
    camera fitted = *c;
    camera_fit(&fitted, columns, rows);
    bool whole = c->x == fitted.x && c->y == fitted.y && c->tile == fitted.tile;
    c->width = fitted.width = width;
    c->height = fitted.height = height;
    camera_fit(&fitted, columns, rows);
    c->least = fitted.least;
    c->tile = fmaxf(c->tile, c->least);
    if (whole) *c = fitted;
}

void camera_zoom(camera *c, float factor, spot pixel)
{
    spot before = camera_spot(c, pixel);
    c->tile = within(c->tile * factor, c->least, TILE_MAX);
    spot after = camera_spot(c, pixel);
    c->x += before.x - after.x;
    c->y += before.y - after.y;
}

void camera_pan(camera *c, float x, float y, int columns, int rows)
{
    c->x = within(c->x - x / c->tile, 0, (float)(columns - 1));
    c->y = within(c->y - y / c->tile, 0, (float)(rows - 1));
}

spot camera_spot(const camera *c, spot pixel)
{
    return (spot){(pixel.x - (float)c->width / 2) / c->tile + c->x,
                  (pixel.y - (float)c->height / 2) / c->tile + c->y};
}

view camera_view(const camera *c, int columns, int rows)
{
    spot first = camera_spot(c, (spot){0, 0});
    spot last = camera_spot(c, (spot){(float)c->width, (float)c->height});
    return (view){
        .left = (int)within(first.x - 1, 0, (float)(columns - 1)),
        .top = (int)within(first.y - 1, 0, (float)(rows - 1)),
        .right = (int)within(last.x + 2, 0, (float)(columns - 1)),
        .bottom = (int)within(last.y + 2, 0, (float)(rows - 1)),
    };
}
