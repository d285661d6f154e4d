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

// Lays a road through all of the map, along a row or a column of tiles.
static void lay_road(colony_world *world, bool upright, int at)
{
    colony_terrain *terrain = soil_of(world)->terrain;
    for (int i = 0; i < (upright ? 12 : 24); i++) {
        size_t tile = upright ? ground_element(at, i) : ground_element(i, at);
        bool water = terrain[tile] == COLONY_TERRAIN_WATER;
        terrain[tile] = water ? COLONY_TERRAIN_BRIDGE : COLONY_TERRAIN_ROAD;
    }
}

// Returns how many pixels of a tile have a colour.
static int count_in(int tile_x, int tile_y, uint32_t rgba)
{
    int found = 0;
    for (int i = 0; i < TILE * TILE; i++) {
        found += pixel_in(tile_x, tile_y, i % TILE, i / TILE) == pixel_of(PIXEL_RGB, rgba);
    }
    return found;
}

static void roads_have_soft_edges_and_tracks(void **state)
{
    colony_world *world = *state;
    paint(world, &AFRESH);
    lay_road(world, false, 4);
    paint(world, &ON);
    int beside = 0;
    for (int x = 0; x < 24; x++) {
        assert_true(changed_in(x, 4) > TILE * TILE * 9 / 10);
        assert_in_range(changed_in(x, 3), 0, TILE * TILE / 3);
        beside += changed_in(x, 3) + changed_in(x, 5);
    }
    assert_true(beside > 24 * TILE / 4);
    assert_int_equal(changed_in(8, 2), 0);
    assert_int_equal(changed_in(8, 6), 0);
    // Two darker tracks along the road, and lighter earth between them.
    int red[TILE] = {0};
    for (int i = 0; i < 24 * TILE * TILE; i++) {
        int y = i / (24 * TILE);
        red[y] += red_of(pixel_in(0, 4, i % (24 * TILE), y));
    }
    assert_true(red[1] < red[TILE / 2] - 24 * TILE * 4 &&
                red[TILE - 2] < red[TILE / 2] - 24 * TILE * 4);
}

static void in_winter_roads_are_snowy_with_tracks(void **state)
{
    colony_world *world = *state;
    lay_road(world, false, 4);
    colony_calendar_edit(world)->season = COLONY_SEASON_WINTER;
    paint(world, &ON);
    int snow = 0, tracks = 0;
    for (int i = 0; i < 24 * TILE * TILE; i++) {
        int red = red_of(pixel_in(0, 4, i % (24 * TILE), i / (24 * TILE)));
        snow += red > 195;
        tracks += red < 175;
    }
    assert_true(snow > 8 * TILE * TILE);
    assert_true(tracks > 4 * TILE * TILE);
}

static void bridges_have_planks_and_rails(void **state)
{
    colony_world *world = *state;
    const uint32_t rails = 0x5c3e26ff, seams = 0x704e30ff;
    colony_soil *soil = soil_of(world);
    for (int upright = 0; upright < 2; upright++) {
        memset(soil->terrain, 0, sizeof soil->terrain);
        for (int i = 0; i < 3 * 24; i++) {
            int along = i % 24, across = 5 + i / 24; // a river of three tiles
            int x = upright ? along : across, y = upright ? across : along;
            if (y < 12) soil->terrain[ground_element(x, y)] = COLONY_TERRAIN_WATER;
        }
        lay_road(world, upright != 0, 6);
        paint(world, &ON);
        assert_true(count_in(6, 6, seams) > TILE);
        assert_true(is_water(upright ? pixel_in(5, 6, 5, 5) : pixel_in(6, 5, 5, 5)));
        assert_true(is_water(upright ? pixel_in(7, 6, 5, 5) : pixel_in(6, 7, 5, 5)));
        for (int i = 0; i < TILE; i++) { // rails at both sides, and none across the road
            for (int side = 0; side < TILE; side += TILE - 1) {
                uint32_t beside = upright ? pixel_in(6, 6, side, i) : pixel_in(6, 6, i, side);
                uint32_t on = upright ? pixel_in(6, 6, 5, i) : pixel_in(6, 6, i, 5);
                assert_int_equal(beside, pixel_of(PIXEL_RGB, rails));
                assert_int_not_equal(on, pixel_of(PIXEL_RGB, rails));
                assert_false(is_water(on));
            }
        }
    }
}

static void the_shadow_of_a_bridge_falls_on_water(void **state)
{
    colony_world *world = *state;
    colony_soil *soil = soil_of(world);
    for (int i = 0; i < 36; i++) {
        soil->terrain[ground_element(5 + i % 3, i / 3)] = COLONY_TERRAIN_WATER;
    }
    lay_road(world, false, 6);
    paint(world, &ON);
    const int shaded = red_of(pixel_in(6, 7, 4, 0)), open = red_of(pixel_in(6, 7, 4, 5));
    assert_true(shaded < open - 10);
    assert_true(is_water(pixel_in(6, 7, 4, 0)));
}

// A river that shifts by a tile in each row of tiles has a shore without steps.
static void rivers_bend_without_corners(void **state)
{
    colony_world *world = *state;
    for (int y = 0; y < 12; y++) {
        for (int x = y + 3; x < y + 6; x++) {
            soil_of(world)->terrain[ground_element(x, y)] = COLONY_TERRAIN_WATER;
        }
    }
    paint(world, &ON);
    int last = 0;
    for (int y = TILE; y < HEIGHT - TILE; y++) {
        int shore = 0;
        while (!is_water(pixels[y * WIDTH + shore])) shore++;
        if (last != 0) assert_in_range(shore - last + 4, 0, 9);
        last = shore;
    }
}

static void ripples_lie_still_on_the_water(void **state)
{
    colony_world *world = *state;
    for (int i = 0; i < 1024; i++) soil_of(world)->terrain[i] = COLONY_TERRAIN_WATER;
    paint(world, &ON);
    int ripples = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) ripples += red_of(pixels[i]) > 52 + 16;
    assert_in_range(ripples, WIDTH * HEIGHT / 100, WIDTH * HEIGHT / 10);
    tick(world, 1);
    paint(world, &AFRESH);
    assert_memory_equal(pixels, afresh, sizeof pixels);
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
        ON_LAND(roads_have_soft_edges_and_tracks),
        ON_LAND(in_winter_roads_are_snowy_with_tracks),
        ON_LAND(bridges_have_planks_and_rails),
        ON_LAND(the_shadow_of_a_bridge_falls_on_water),
        ON_LAND(rivers_bend_without_corners),
        ON_LAND(ripples_lie_still_on_the_water),
        ON_LAND(flowers_grow_where_nobody_treads),
        cmocka_unit_test(tiles_beside_the_picture_are_current),
    };
    return cmocka_run_group_tests_name("ground_picture", tests, NULL, NULL);
}
