// The ground changes gradually from tile to tile: shores are round, and paths have soft edges.
//
// program: worlds byte_order
// libs: -lm
#include "../small_world.h"
#include "../world_setup.h"
#include "ground.h"
#include "painting.h"

#include <stdlib.h>
#include <string.h>

enum { TILE = 10, WIDTH = 240, HEIGHT = 120 };

static uint32_t pixels[WIDTH * HEIGHT], afresh[WIDTH * HEIGHT];
static const canvas ON = {pixels, WIDTH, WIDTH, HEIGHT}, AFRESH = {afresh, WIDTH, WIDTH, HEIGHT};

// Paints all of the map, ten pixels a tile, as a new painting.
static void paint(colony_world *world, const canvas *on)
{
    camera c = {.width = WIDTH, .height = HEIGHT};
    camera_fit(&c, 24, 12);
    painting p;
    painting_open(&p, PIXEL_RGB);
    painting_paint(&p, world, &c, COLONY_NONE, on);
    painting_close(&p);
}

// Returns the pixel of the last picture at a place inside a tile.
static uint32_t pixel_in(int tile_x, int tile_y, int x, int y)
{
    return pixels[(tile_y * TILE + y) * WIDTH + tile_x * TILE + x];
}

static int blue_of(uint32_t pixel)
{
    return (int)(pixel & 0xffu);
}

static int red_of(uint32_t pixel)
{
    return (int)(pixel >> 16 & 0xffu);
}

static bool is_water(uint32_t pixel)
{
    return blue_of(pixel) > red_of(pixel) + 40;
}

static void add_pond(colony_world *world)
{
    colony_soil *soil = soil_of(world);
    for (int y = 4; y < 8; y++) {
        for (int x = 5; x < 9; x++) soil->terrain[ground_element(x, y)] = COLONY_TERRAIN_WATER;
    }
}

static void shores_are_round_and_have_banks(void **state)
{
    colony_world *world = *state;
    add_pond(world);
    paint(world, &ON);
    assert_true(is_water(pixel_in(6, 5, 5, 5)));
    assert_true(is_water(pixel_in(5, 5, 5, 5)));
    assert_false(is_water(pixel_in(5, 4, 0, 0))); // the corner of the pond
    assert_false(is_water(pixel_in(8, 7, 9, 9)));
    assert_false(is_water(pixel_in(4, 5, 5, 5)));
    // Shallow water is lighter than deep water, and sand is redder than grass.
    assert_true(red_of(pixel_in(5, 5, 1, 5)) > red_of(pixel_in(6, 5, 5, 5)) + 10);
    int sand = 0;
    for (int x = 0; x < TILE; x++) sand += red_of(pixel_in(4, 5, x, 5)) > 150;
    assert_true(sand > 0 && sand < TILE / 2);
}

static void ice_lies_at_shores_in_winter(void **state)
{
    colony_world *world = *state;
    add_pond(world);
    paint(world, &ON);
    const uint32_t shore = pixel_in(5, 5, 1, 5), middle = pixel_in(6, 5, 9, 9);
    colony_calendar_edit(world)->season = COLONY_SEASON_WINTER;
    paint(world, &ON);
    assert_true(red_of(pixel_in(5, 5, 1, 5)) > red_of(shore) + 50);
    assert_int_equal(pixel_in(6, 5, 9, 9), middle);
}

static int changed_in(int tile_x, int tile_y)
{
    int changed = 0;
    for (int i = 0; i < TILE * TILE; i++) {
        int at = (tile_y * TILE + i / TILE) * WIDTH + tile_x * TILE + i % TILE;
        changed += pixels[at] != afresh[at];
    }
    return changed;
}

static void paths_fade_into_the_tiles_beside_them(void **state)
{
    colony_world *world = *state;
    paint(world, &AFRESH);
    for (int x = 5; x < 12; x++) soil_of(world)->wear[ground_element(x, 4)] = GROUND_ROAD_WEAR;
    paint(world, &ON);
    for (int x = 5; x < 12; x++) {
        assert_true(changed_in(x, 4) > TILE * TILE * 9 / 10);
        assert_in_range(changed_in(x, 3), TILE * TILE / 5, TILE * TILE * 7 / 10);
        assert_in_range(changed_in(x, 5), TILE * TILE / 5, TILE * TILE * 7 / 10);
    }
    assert_int_equal(changed_in(8, 2), 0);
    assert_int_equal(changed_in(8, 6), 0);
}

static void roads_look_worn_and_bridges_wooden(void **state)
{
    colony_world *world = *state;
    colony_soil *soil = soil_of(world);
    for (int x = 0; x < 24; x++) soil->wear[ground_element(x, 4)] = UINT8_MAX;
    for (int y = 0; y < 12; y++) soil->terrain[ground_element(9, y)] = COLONY_TERRAIN_WATER;
    soil->terrain[ground_element(9, 4)] = COLONY_TERRAIN_BRIDGE;
    paint(world, &AFRESH);
    for (int x = 0; x < 24; x++) {
        soil->wear[ground_element(x, 4)] = 0;
        if (x != 9) soil->terrain[ground_element(x, 4)] = COLONY_TERRAIN_ROAD;
    }
    paint(world, &ON);
    assert_memory_equal(pixels, afresh, sizeof pixels);
    for (int y = 0; y < TILE; y++) {
        for (int x = 0; x < TILE; x++) assert_false(is_water(pixel_in(9, 4, x, y)));
    }
    assert_true(is_water(pixel_in(9, 3, 5, 5)) && is_water(pixel_in(9, 5, 5, 5)));
    assert_true(red_of(pixel_in(9, 4, 5, 5)) > blue_of(pixel_in(9, 4, 5, 5)) + 40);
}

static void flowers_grow_where_nobody_treads(void **state)
{
    colony_world *world = *state;
    const uint32_t flower = pixel_of(PIXEL_RGB, 0xf4d8e8ff);
    int flowers[2] = {0};
    for (int trodden = 0; trodden < 2; trodden++) {
        paint(world, &ON);
        for (int i = 0; i < WIDTH * HEIGHT; i++) flowers[trodden] += pixels[i] == flower;
        memset(soil_of(world)->wear, GROUND_PATH_WEAR, sizeof soil_of(world)->wear);
    }
    assert_in_range(flowers[0], 10, WIDTH * HEIGHT / 50);
    assert_int_equal(flowers[1], 0);
}

// A tile outside the picture changes the colours of its neighbours in the picture.
static void tiles_beside_the_picture_are_current(void **state)
{
    (void)state;
    const options wanted = {.width = 72, .height = 40, .villagers = 1};
    colony_world *world = colony_open(&(weft_options){.seed = 5});
    assert_non_null(world);
    assert_true(world_setup(world, &wanted));
    painting p, other;
    painting_open(&p, PIXEL_RGB);
    camera c = {.x = 31, .y = 16, .tile = 20, .width = WIDTH, .height = HEIGHT};
    painting_paint(&p, world, &c, COLONY_NONE, &ON);
    c.x = 37.6f; // the left edge is 0.1 tiles east of the boundary of two patches
    painting_paint(&p, world, &c, COLONY_NONE, &ON);
    memset(soil_of(world)->wear, GROUND_ROAD_WEAR, sizeof soil_of(world)->wear);
    painting_paint(&p, world, &c, COLONY_NONE, &ON);
    c.x += 1.0f / 1024; // is painted again
    painting_paint(&p, world, &c, COLONY_NONE, &ON);
    painting_open(&other, PIXEL_RGB);
    painting_paint(&other, world, &c, COLONY_NONE, &AFRESH);
    assert_memory_equal(pixels, afresh, sizeof pixels);
    assert_true(red_of(pixels[60 * WIDTH]) > red_of(pixels[60 * WIDTH + 30]));
    painting_close(&other);
    painting_close(&p);
    colony_close(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LAND(shores_are_round_and_have_banks),
        ON_LAND(ice_lies_at_shores_in_winter),
        ON_LAND(paths_fade_into_the_tiles_beside_them),
        ON_LAND(roads_look_worn_and_bridges_wooden),
        ON_LAND(flowers_grow_where_nobody_treads),
        cmocka_unit_test(tiles_beside_the_picture_are_current),
    };
    return cmocka_run_group_tests_name("ground_picture", tests, NULL, NULL);
}
