// A pixel of the minimap may show many tiles. It is water if any of them is water, so that rivers
// are not interrupted, and shows the most worn of them. Things are dots over the ground.
#include "minimap.h"

#include "colony.h"

#include <math.h>
#include <stdlib.h>

enum {
    MARGIN = 10,         // pixels from the edges of the picture
    FRAME = 2,           // pixels around the minimap
    SIDE_SHARE = 3,      // it is at most a third as wide and high as the picture
    STEP_FROM_TILES = 5, // a pixel: not every tile is examined from this size on
    STEP_TILES = 2,      // between two examined tiles: a river is at least this wide
};
static const float AGE_MAX_SECONDS = 1.0f;
static const float PLANTS_FROM_SCALE = 0.5f; // pixels a tile, below which plants would hide all
static const uint32_t EDGE = 0x14161eff, SEEN = 0xfff078ff, ROAD = 0xdcc494ff;

// A dot of a look. Looks without a colour are not painted.
typedef struct mark {
    uint32_t colour;
    int side; // least, in pixels
    bool plant;
} mark;

static const mark MARKS[COLONY_LOOK_COUNT] = {
    [COLONY_LOOK_SLEEPER] = {0xf6e6ffff, 2, false},
    [COLONY_LOOK_SPROUT] = {0xb8b85aff, 1, true},
    [COLONY_LOOK_GRAIN] = {0xe2c04eff, 1, true},
    [COLONY_LOOK_SAPLING] = {0x4c7a3cff, 1, true},
    [COLONY_LOOK_TREE] = {0x34602fff, 1, true},
    [COLONY_LOOK_CHILD] = {0xffffffff, 2, false},
    [COLONY_LOOK_VILLAGER] = {0xffffffff, 2, false},
    [COLONY_LOOK_SITE] = {0xd8a868ff, 3, false},
    [COLONY_LOOK_HOUSE] = {0xb4463cff, 3, false},
    [COLONY_LOOK_SAWMILL] = {0x8a5a34ff, 3, false},
    [COLONY_LOOK_BAKERY] = {0xe08a3cff, 3, false},
    [COLONY_LOOK_STOREHOUSE] = {0xf0d24aff, 4, false},
};

void minimap_close(minimap *m)
{
    free(m->pixels);
    free(m->looks);
    *m = (minimap){0};
}

// ------------------------------------------------------------------------------------------------
// Painting the map

// Returns the size in pixels of a side of `tiles` tiles.
static int pixels_of(int tiles, float scale)
{
    int pixels = (int)((float)tiles * scale + 0.5f);
    return pixels < 1 ? 1 : pixels;
}

// Follows the size of the map and of the picture. Returns whether the minimap must be painted anew.
static bool follow_size(minimap *m, const colony_ground *size, const camera *c)
{
    float side = (float)(c->width < c->height ? c->width : c->height) / SIDE_SHARE;
    if (side > MINIMAP_SIDE_MAX) side = MINIMAP_SIDE_MAX;
    float scale = side / (float)(size->width > size->height ? size->width : size->height);
    int width = pixels_of(size->width, scale), height = pixels_of(size->height, scale);
    if (m->width == width && m->height == height && m->columns == size->width &&
        m->rows == size->height) {
        return false;
    }
    minimap_close(m);
    size_t count = (size_t)width * (size_t)height;
    m->pixels = (uint32_t *)calloc(count, sizeof *m->pixels);
    m->looks = (uint8_t *)calloc(count, sizeof *m->looks);
    if (m->pixels == NULL || m->looks == NULL) {
        minimap_close(m);
        return false;
    }
    m->width = width;
    m->height = height;
    m->columns = size->width;
    m->rows = size->height;
    return true;
}

// The tiles from `first` to before `last` that a pixel shows along one axis, at least one.
typedef struct span {
    int first, last;
} span;

static span span_of(int pixel, int pixels, int tiles)
{
    int first = pixel * tiles / pixels, last = (pixel + 1) * tiles / pixels;
    return (span){first, last > first ? last : first + 1};
}

// Returns how worn a tile on land looks. Other terrains than grass are made to be walked on.
static uint8_t wear_of(const ground *map, int x, int y)
{
    const colony_soil *patch = &map->patches[ground_patch(map->width, x, y)];
    bool grass = patch->terrain[ground_element(x, y)] == COLONY_TERRAIN_GRASS;
    return grass ? ground_wear(map, x, y) : GROUND_ROAD_WEAR;
}

static uint32_t ground_colour(const ground *map, const ground_picture *colours, pixel_order order,
                              span across, span down)
{
    const int step = across.last - across.first < STEP_FROM_TILES ? 1 : STEP_TILES;
    uint8_t wear = 0;
    for (int y = down.first; y < down.last; y += step) {
        for (int x = across.first; x < across.last; x += step) {
            if (ground_is_water(map, x, y)) return colours->water[255];
            uint8_t here = wear_of(map, x, y);
            if (here > wear) wear = here;
        }
    }
    return wear >= GROUND_ROAD_WEAR ? pixel_of(order, ROAD) : colours->grass[wear];
}

static void paint_ground(minimap *m, pixel_order order, colony_world *w,
                         const ground_picture *colours)
{
    ground map = ground_of(colony_ground_get(w), colony_patches_begin(w));
    for (int y = 0; y < m->height; y++) {
        span down = span_of(y, m->height, m->rows);
        for (int x = 0; x < m->width; x++) {
            span across = span_of(x, m->width, m->columns);
            size_t at = (size_t)y * (size_t)m->width + (size_t)x;
            m->pixels[at] = ground_colour(&map, colours, order, across, down);
            m->looks[at] = COLONY_LOOK_GROUND;
        }
    }
}

// Paints a thing unless a thing with a later look is already there.
static void paint_mark(minimap *m, pixel_order order, const colony_position *at, colony_look look)
{
    const mark *one = &MARKS[look];
    const float scale = (float)m->width / (float)m->columns;
    if (one->colour == 0 || (one->plant && scale < PLANTS_FROM_SCALE)) return;
    const int side = one->side > (int)scale ? one->side : (int)scale;
    const int left = (int)((at->x + 0.5f) * scale) - side / 2;
    const int top = (int)((at->y + 0.5f) * scale) - side / 2;
    for (int y = top < 0 ? 0 : top; y < top + side && y < m->height; y++) {
        for (int x = left < 0 ? 0 : left; x < left + side && x < m->width; x++) {
            size_t pixel = (size_t)y * (size_t)m->width + (size_t)x;
            if (m->looks[pixel] > look) continue;
            m->looks[pixel] = (uint8_t)look;
            m->pixels[pixel] = pixel_of(order, one->colour);
        }
    }
}

static void paint_marks(minimap *m, pixel_order order, colony_world *w)
{
    colony_sights_iter it = colony_sights_begin(w);
    while (colony_sights_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            paint_mark(m, order, &it.position[i], it.drawn[i].look);
        }
    }
}

bool minimap_update(minimap *m, pixel_order order, colony_world *w, const ground_picture *colours,
                    const camera *c, float seconds)
{
    bool resized = follow_size(m, colony_ground_get(w), c);
    m->age += seconds;
    if (m->pixels == NULL || (!resized && m->age < AGE_MAX_SECONDS)) return false;
    m->age = 0;
    paint_ground(m, order, w, colours);
    paint_marks(m, order, w);
    return true;
}

// ------------------------------------------------------------------------------------------------
// The corner of the picture

bool minimap_is_shown(const minimap *m, const camera *c)
{
    return m->pixels != NULL && !camera_sees_all(c, m->columns, m->rows);
}

// Returns the pixel of the picture at the left upper corner of the minimap.
static spot corner_of(const minimap *m, const camera *c)
{
    return (spot){(float)(c->width - MARGIN - m->width), (float)(c->height - MARGIN - m->height)};
}

static void paint_pixels(const minimap *m, spot corner, const canvas *on)
{
    const int left = (int)corner.x, top = (int)corner.y;
    for (int y = 0; y < m->height; y++) {
        for (int x = 0; x < m->width; x++) {
            const int to_x = left + x, to_y = top + y;
            if (to_x < 0 || to_y < 0 || to_x >= on->width || to_y >= on->height) continue;
            on->pixels[(size_t)to_y * on->stride + (size_t)to_x] =
                m->pixels[(size_t)y * (size_t)m->width + (size_t)x];
        }
    }
}

// Paints a rectangle's four sides, a pixel wide.
static void paint_sides(const canvas *on, spot first, spot last, uint32_t pixel)
{
    for (float x = first.x; x <= last.x; x++) {
        stamp_dot(on, (square){x, first.y, 1}, pixel);
        stamp_dot(on, (square){x, last.y, 1}, pixel);
    }
    for (float y = first.y; y <= last.y; y++) {
        stamp_dot(on, (square){first.x, y, 1}, pixel);
        stamp_dot(on, (square){last.x, y, 1}, pixel);
    }
}

static float between(float value, float least, float most)
{
    return floorf(fminf(fmaxf(value, least), most));
}

// Returns the pixel of the picture that shows a spot in the minimap.
static spot pixel_in(const minimap *m, spot corner, spot at)
{
    float x = (at.x + 0.5f) * (float)m->width / (float)m->columns;
    float y = (at.y + 0.5f) * (float)m->height / (float)m->rows;
    return (spot){corner.x + between(x, 0, (float)m->width - 1),
                  corner.y + between(y, 0, (float)m->height - 1)};
}

void minimap_paint(const minimap *m, pixel_order order, const camera *c, const canvas *on)
{
    if (!minimap_is_shown(m, c)) return;
    const spot corner = corner_of(m, c);
    for (int i = 1; i <= FRAME; i++) {
        const float by = (float)i;
        paint_sides(
            on, (spot){corner.x - by, corner.y - by},
            (spot){corner.x + (float)m->width - 1 + by, corner.y + (float)m->height - 1 + by},
            pixel_of(order, EDGE));
    }
    paint_pixels(m, corner, on);
    paint_sides(on, pixel_in(m, corner, camera_spot(c, (spot){0, 0})),
                pixel_in(m, corner, camera_spot(c, (spot){(float)c->width, (float)c->height})),
                pixel_of(order, SEEN));
}

bool minimap_covers(const minimap *m, const camera *c, spot pixel)
{
    const spot corner = corner_of(m, c);
    return minimap_is_shown(m, c) && pixel.x >= corner.x - FRAME && pixel.y >= corner.y - FRAME &&
           pixel.x < corner.x + (float)m->width + FRAME &&
           pixel.y < corner.y + (float)m->height + FRAME;
}

spot minimap_spot(const minimap *m, const camera *c, spot pixel)
{
    const spot corner = corner_of(m, c);
    float x = (pixel.x - corner.x) * (float)m->columns / (float)m->width - 0.5f;
    float y = (pixel.y - corner.y) * (float)m->rows / (float)m->height - 0.5f;
    return (spot){fminf(fmaxf(x, 0), (float)(m->columns - 1)),
                  fminf(fmaxf(y, 0), (float)(m->rows - 1))};
}
