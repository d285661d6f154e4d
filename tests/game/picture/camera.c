// A camera is stored as one spot and one scale, from which everything else is computed.
#include "camera.h"

#include <math.h>

static const float TILE_SMALL = 2.0f, TILE_MAX = 96.0f; // pixels
static const float EDGE_TILES = 2.0f;                   // around a revealed spot
static const float FOLLOW_PER_SECOND = 6.0f;            // of the remaining distance
static const float NEAR_PIXELS = 0.25f, FILL_PIXELS = 0.5f;

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

// Returns the smallest tile with which a map fills the window.
static float filling_tile(const camera *c, int columns, int rows)
{
    float across = (float)c->width / (float)columns, down = (float)c->height / (float)rows;
    return fminf(fmaxf(across, down), TILE_MAX);
}

// Moves one coordinate of the centre so that nothing beyond the map is visible, if the map is large
// enough.
static float centre_within(float at, float visible_tiles, int tiles)
{
    float least = visible_tiles / 2 - 0.5f, most = (float)tiles - 0.5f - visible_tiles / 2;
    return least < most ? within(at, least, most) : (float)(tiles - 1) / 2;
}

void camera_centre(camera *c, spot at, int columns, int rows)
{
    c->x = centre_within(at.x, (float)c->width / c->tile, columns);
    c->y = centre_within(at.y, (float)c->height / c->tile, rows);
}

static void fill(camera *c, int columns, int rows)
{
    c->tile = fmaxf(c->tile, filling_tile(c, columns, rows));
    camera_centre(c, (spot){c->x, c->y}, columns, rows);
}

// Returns whether nothing beyond the map is visible.
static bool is_filled(const camera *c, int columns, int rows)
{
    spot first = camera_pixel(c, (spot){-0.5f, -0.5f});
    spot last = camera_pixel(c, (spot){(float)columns - 0.5f, (float)rows - 0.5f});
    return first.x < FILL_PIXELS && first.y < FILL_PIXELS &&
           last.x > (float)c->width - FILL_PIXELS && last.y > (float)c->height - FILL_PIXELS;
}

bool camera_sees_all(const camera *c, int columns, int rows)
{
    spot first = camera_pixel(c, (spot){-0.5f, -0.5f});
    spot last = camera_pixel(c, (spot){(float)columns - 0.5f, (float)rows - 0.5f});
    return first.x > -FILL_PIXELS && first.y > -FILL_PIXELS &&
           last.x < (float)c->width + FILL_PIXELS && last.y < (float)c->height + FILL_PIXELS;
}

void camera_show(camera *c, spot at, float tile, int columns, int rows)
{
    camera_fit(c, columns, rows); // for `least`
    c->tile = within(tile, c->least, TILE_MAX);
    c->x = at.x;
    c->y = at.y;
    fill(c, columns, rows);
}

void camera_resize(camera *c, int width, int height, int columns, int rows)
{
    if (c->width == width && c->height == height) return;
    camera fitted = *c;
    camera_fit(&fitted, columns, rows);
    bool whole = c->x == fitted.x && c->y == fitted.y && c->tile == fitted.tile;
    bool filled = is_filled(c, columns, rows);
    c->width = fitted.width = width;
    c->height = fitted.height = height;
    camera_fit(&fitted, columns, rows);
    c->least = fitted.least;
    c->tile = fmaxf(c->tile, c->least);
    if (filled) {
        fill(c, columns, rows);
    } else if (whole) {
        *c = fitted;
    }
}

void camera_resize_at_corner(camera *c, int width, int height, int columns, int rows)
{
    if (c->width == width && c->height == height) return;
    spot corner = camera_spot(c, (spot){0, 0});
    bool filled = is_filled(c, columns, rows);
    camera_resize(c, width, height, columns, rows);
    c->x = corner.x + (float)width / 2 / c->tile;
    c->y = corner.y + (float)height / 2 / c->tile;
    if (filled) fill(c, columns, rows);
}

// Returns the coordinate of a centre from which another one is visible.
static float revealing(float centre, float at, float visible_tiles)
{
    float most = fmaxf(visible_tiles / 2 - EDGE_TILES, 0);
    return within(centre, at - most, at + most);
}

void camera_reveal(camera *c, spot at)
{
    c->x = revealing(c->x, at.x, (float)c->width / c->tile);
    c->y = revealing(c->y, at.y, (float)c->height / c->tile);
}

void camera_follow(camera *c, spot at, float seconds, int columns, int rows)
{
    camera there = *c;
    camera_centre(&there, at, columns, rows);
    float x = there.x - c->x, y = there.y - c->y;
    float share = 1 - expf(-FOLLOW_PER_SECOND * seconds);
    bool near = fmaxf(fabsf(x), fabsf(y)) * c->tile * (1 - share) < NEAR_PIXELS;
    c->x = near ? there.x : c->x + share * x;
    c->y = near ? there.y : c->y + share * y;
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
