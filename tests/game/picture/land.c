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

// Returns how many texels a tile has along one axis, as a power of two. Small tiles have few, so
// that the number of texels on the screen, and thus the time of a frame, is limited.
static uint32_t texel_bits(float tile)
{
    if (tile < 5) return 0;
    if (tile < 10) return 1;
    return tile < 18 ? 2 : 3;
}

// Returns the texel at the centre of a pixel, along one axis.
static int texel_at(const land *l, int pixel, int length, float at)
{
    const float tile = ((float)pixel + 0.5f - (float)length / 2) / l->camera.tile + at + 0.5f;
    return (int)floorf(tile * (float)(1 << l->texel_bits));
}

// Fills a row of pixels that shows a row of texels, which may be beyond the map.
static void lay_row(const land *l, pixel_order order, uint32_t *row, int texel)
{
    const uint32_t beyond = pixel_of(order, BEYOND);
    const int width = l->ground.width << l->texel_bits, height = l->ground.height << l->texel_bits;
    for (int x = 0; x < l->width; x++) {
        const int column = l->columns[x];
        if (x > 0 && column == l->columns[x - 1]) {
            row[x] = row[x - 1];
            continue;
        }
        bool is_map = texel >= 0 && texel < height && column >= 0 && column < width;
        row[x] = beyond;
        if (!is_map) continue;
        const uint32_t pixel = ground_picture_texel(&l->ground, column, texel, l->texel_bits);
        row[x] = l->light.hides == 0 ? pixel : light_on(order, pixel, l->light);
    }
}

// Fills all rows, and returns how many it computed. Rows that show the same row of texels are
// equal, so only the first is computed and the others are copies.
static uint32_t lay_rows(land *l, pixel_order order)
{
    const camera *c = &l->camera;
    int before = 0;
    uint32_t laid = 0;
    l->texel_bits = texel_bits(c->tile);
    for (int x = 0; x < l->width; x++) l->columns[x] = texel_at(l, x, c->width, c->x);
    for (int y = 0; y < l->height; y++) {
        uint32_t *row = l->pixels + (size_t)y * (size_t)l->width;
        const int texel = texel_at(l, y, c->height, c->y);
        if (y > 0 && texel == before) {
            memcpy(row, row - l->width, (size_t)l->width * sizeof *row);
        } else {
            lay_row(l, order, row, texel);
            laid++;
        }
        before = texel;
    }
    return laid;
}

land_work land_update(land *l, pixel_order order, colony_world *w, const camera *c, light now)
{
    const colony_ground *size = colony_ground_get(w);
    const view seen = camera_view(c, size->width, size->height);
    land_work work = {.tiles = ground_picture_update(&l->ground, order, w, &seen)};
    bool fits = l->width == c->width && l->height == c->height;
    bool kept = fits && work.tiles == 0 && light_is(l->light, now) && camera_is(&l->camera, c);
    if (kept || !make_space(l, c)) return work;
    l->camera = *c;
    l->light = now;
    work.rows = lay_rows(l, order);
    return work;
}
