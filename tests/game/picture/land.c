#include "land.h"

#include "colony.h"
#include "pixel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t BEYOND = 0x181e1aff;

void land_close(land *l)
{
    ground_picture_close(&l->ground);
    free(l->pixels);
    free(l->columns);
    *l = (land){0};
}

// Makes space for as many pixels as the camera has. Returns false if there is no memory.
static bool make_space(land *l, const camera *c)
{
    if (l->width == c->width && l->height == c->height) return true;
    free(l->pixels);
    free(l->columns);
    l->width = l->height = 0;
    l->pixels = (uint32_t *)calloc((size_t)c->width * (size_t)c->height + 1, sizeof *l->pixels);
    l->columns = (int *)calloc((size_t)c->width + 1, sizeof *l->columns);
    if (l->pixels == NULL || l->columns == NULL) return false;
    l->width = c->width;
    l->height = c->height;
    return true;
}

// Returns the tile at the centre of a pixel, along one axis.
static int tile_at(int pixel, float middle, float at, float side)
{
    return (int)floorf(((float)pixel + 0.5f - middle) / side + at + 0.5f);
}

// Fills a row of pixels that shows a row of tiles, or NULL beyond the map.
static void lay_row(const land *l, pixel_order order, uint32_t *row, const uint32_t *tiles)
{
    const uint32_t beyond = pixel_of(order, BEYOND);
    for (int x = 0; x < l->width; x++) {
        bool is_map = tiles != NULL && l->columns[x] >= 0 && l->columns[x] < l->ground.width;
        row[x] = is_map ? tiles[l->columns[x]] : beyond;
    }
    if (l->dark == 0) return;
    for (int x = 0; x < l->width; x++) row[x] = pixel_by_night(order, row[x], l->dark);
}

static const uint32_t *row_of_tiles(const land *l, int y)
{
    if (y < 0 || y >= l->ground.height) return NULL;
    return l->ground.tiles + (size_t)y * (size_t)l->ground.width;
}

// Fills all rows, and returns how many it computed. Rows that show the same row of tiles are equal,
// so only the first is computed and the others are copies.
static uint32_t lay_rows(land *l, pixel_order order)
{
    const camera *c = &l->camera;
    const uint32_t *before = NULL;
    uint32_t laid = 0;
    for (int x = 0; x < l->width; x++) {
        l->columns[x] = tile_at(x, (float)c->width / 2, c->x, c->tile);
    }
    for (int y = 0; y < l->height; y++) {
        uint32_t *row = l->pixels + (size_t)y * (size_t)l->width;
        const uint32_t *tiles = row_of_tiles(l, tile_at(y, (float)c->height / 2, c->y, c->tile));
        if (y > 0 && tiles == before) {
            memcpy(row, row - l->width, (size_t)l->width * sizeof *row);
        } else {
            lay_row(l, order, row, tiles);
            laid++;
        }
        before = tiles;
    }
    return laid;
}

land_work land_update(land *l, pixel_order order, colony_world *w, const camera *c, uint32_t dark)
{
    const colony_ground *size = colony_ground_get(w);
    const view seen = camera_view(c, size->width, size->height);
    land_work work = {.tiles = ground_picture_update(&l->ground, order, w, &seen)};
    bool fits = l->width == c->width && l->height == c->height;
    bool kept = fits && work.tiles == 0 && l->dark == dark && camera_is(&l->camera, c);
    if (kept || !make_space(l, c)) return work;
    l->camera = *c;
    l->dark = dark;
    work.rows = lay_rows(l, order);
    return work;
}
