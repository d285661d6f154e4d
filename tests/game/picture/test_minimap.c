// The minimap shows ground, things, people and the visible part of maps of all sizes, and is
// painted at most once a second.
//
// program: still
// libs: -lm
#include "../small_world.h"
#include "../world_setup.h"
#include "ground.h"
#include "minimap.h"
#include "painting.h"

#include <string.h>

enum { WIDTH = 600, HEIGHT = 480 };
static const uint32_t SEEN = 0xfff078ff, ROAD = 0xdcc494ff;

static uint32_t pixels[WIDTH * HEIGHT], before[WIDTH * HEIGHT];
static const canvas ON = {pixels, WIDTH, WIDTH, HEIGHT};

// A camera near the north-west corner, which sees a part of the map.
static camera near(void)
{
    return (camera){.x = 4, .y = 3, .tile = 60, .width = WIDTH, .height = HEIGHT};
}

// Returns the colours of the current season.
static ground_picture colours_of(colony_world *world)
{
    const view all = {0, 0, 0, 0};
    ground_picture colours = {0};
    ground_picture_update(&colours, PIXEL_RGB, world, &all);
    return colours;
}

static minimap painted(colony_world *world, const camera *c)
{
    minimap m = {0};
    ground_picture colours = colours_of(world);
    assert_true(minimap_update(&m, PIXEL_RGB, world, &colours, c, 0));
    ground_picture_close(&colours);
    return m;
}

// Counts the pixels of a colour in the minimap alone.
static int count(const minimap *m, uint32_t pixel)
{
    int found = 0;
    for (int i = 0; i < m->width * m->height; i++) found += m->pixels[i] == pixel;
    return found;
}

static uint32_t at_tile(const minimap *m, int x, int y)
{
    const int column = (2 * x + 1) * m->width / (2 * m->columns);
    const int row = (2 * y + 1) * m->height / (2 * m->rows);
    return m->pixels[row * m->width + column];
}

// ---- contents

static void it_shows_the_ground(void **state)
{
    colony_world *world = *state;
    const camera c = near();
    colony_soil *soil = soil_of(world);
    soil->terrain[ground_element(20, 10)] = COLONY_TERRAIN_WATER;
    soil->wear[ground_element(10, 5)] = GROUND_ROAD_WEAR;
    soil->wear[ground_element(14, 5)] = GROUND_PATH_WEAR;
    minimap m = painted(world, &c);
    ground_picture colours = colours_of(world);
    assert_int_equal(m.width, 160);
    assert_int_equal(m.height, 80);
    assert_int_equal(at_tile(&m, 0, 0), colours.grass[0]);
    assert_int_equal(at_tile(&m, 20, 10), colours.water[255]);
    assert_int_equal(at_tile(&m, 10, 5), pixel_of(PIXEL_RGB, ROAD));
    assert_int_equal(at_tile(&m, 14, 5), colours.grass[GROUND_PATH_WEAR]);
    assert_int_equal(at_tile(&m, 11, 5), colours.grass[0]);
    ground_picture_close(&colours);
    minimap_close(&m);
}

static void it_shows_houses_and_people(void **state)
{
    colony_world *world = *state;
    const camera c = near();
    minimap empty = painted(world, &c);
    const uint32_t grass = at_tile(&empty, 12, 6);
    minimap_close(&empty);
    house_at(world, 12, 6);
    adult_at(world, 18, 6);
    adult_at(world, 23, 11); // at the edge
    storehouse_at(world, 0, 0, 0);
    adult_at(world, 6, 2);
    house_at(world, 6, 2); // hides who is in it, in whatever order they were spawned
    house_at(world, 9, 2);
    adult_at(world, 9, 2);
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    minimap m = painted(world, &c);
    const uint32_t house = at_tile(&m, 12, 6), person = at_tile(&m, 18, 6);
    assert_int_not_equal(house, grass);
    assert_int_not_equal(person, grass);
    assert_int_not_equal(person, house);
    assert_int_equal(at_tile(&m, 23, 11), person);
    assert_int_not_equal(at_tile(&m, 0, 0), grass);
    assert_int_equal(at_tile(&m, 6, 6), grass);
    assert_int_equal(at_tile(&m, 6, 2), house);
    assert_int_equal(at_tile(&m, 9, 2), house);
    assert_true(count(&m, person) < 100);
    minimap_close(&m);
}

// A river of two tiles must not be lost between the pixels of a large map.
static void a_river_through_a_large_map_is_not_interrupted(void **state)
{
    (void)state;
    const options wanted = {.width = 1024, .height = 1024, .villagers = 40};
    colony_world *world = colony_open(&(weft_options){.seed = 5});
    assert_true(world != NULL && world_setup(world, &wanted));
    const camera c = near();
    minimap m = painted(world, &c);
    ground_picture colours = colours_of(world);
    assert_int_equal(m.width, 160);
    assert_int_equal(m.height, 160);
    for (int y = 0; y < m.height; y++) {
        int wet = 0;
        for (int x = 0; x < m.width; x++) wet += m.pixels[y * m.width + x] == colours.water[255];
        assert_in_range(wet, 1, 20);
    }
    ground_picture_close(&colours);
    minimap_close(&m);
    colony_close(world);
}

// A dot may be larger than its tile, but it never continues at the other side of the map.
static void dots_end_at_the_edges(void **state)
{
    (void)state;
    const options wanted = {.width = 1024, .height = 1024, .villagers = 1};
    colony_world *world = colony_open(&(weft_options){.seed = 5});
    assert_true(world != NULL && world_setup(world, &wanted));
    storehouse_at(world, 1023, 300, 0);
    storehouse_at(world, 1023, 1023, 0);
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    const camera c = near();
    minimap m = painted(world, &c);
    const uint32_t storehouse = at_tile(&m, 1023, 1023);
    assert_int_equal(at_tile(&m, 1023, 300), storehouse);
    for (int y = 0; y < m.height; y++) assert_int_not_equal(m.pixels[y * m.width], storehouse);
    minimap_close(&m);
    colony_close(world);
}

// A road of one tile is not interrupted on a map with several tiles a pixel.
static void a_road_through_a_map_is_not_interrupted(void **state)
{
    (void)state;
    const options wanted = {.width = 512, .height = 512, .villagers = 1};
    colony_world *world = colony_open(&(weft_options){.seed = 5});
    assert_true(world != NULL && world_setup(world, &wanted));
    colony_patches_underfoot_iter it = colony_patches_underfoot_begin(world);
    assert_true(colony_patches_underfoot_next(&it));
    for (int y = 0; y < 512; y++) {
        it.soil[ground_patch(512, 404, y)].wear[ground_element(404, y)] = GROUND_ROAD_WEAR;
    }
    const camera c = near();
    minimap m = painted(world, &c);
    for (int y = 0; y < 512; y += 3) {
        assert_int_equal(at_tile(&m, 404, y), pixel_of(PIXEL_RGB, ROAD));
    }
    minimap_close(&m);
    colony_close(world);
}

// ---- work

static void it_is_painted_once_a_second(void **state)
{
    colony_world *world = *state;
    camera c = near();
    ground_picture colours = colours_of(world);
    minimap m = {0};
    assert_true(minimap_update(&m, PIXEL_RGB, world, &colours, &c, 0));
    int times = 0;
    for (int frame = 0; frame < 8 * 5; frame++) {
        tick(world, 1);
        times += minimap_update(&m, PIXEL_RGB, world, &colours, &c, 1.0f / 8);
    }
    assert_int_equal(times, 5);
    c.x = 9; // a camera that moves paints nothing
    assert_false(minimap_update(&m, PIXEL_RGB, world, &colours, &c, 0.5f));
    c.width = 200; // a smaller window has a smaller minimap
    assert_true(minimap_update(&m, PIXEL_RGB, world, &colours, &c, 0));
    assert_in_range(m.width, 40, 70);
    ground_picture_close(&colours);
    minimap_close(&m);
}

// ---- the corner

static void it_stands_in_a_corner_with_an_outline_of_the_view(void **state)
{
    colony_world *world = *state;
    const camera c = near();
    minimap m = painted(world, &c);
    memset(before, 7, sizeof before);
    memcpy(pixels, before, sizeof pixels);
    minimap_paint(&m, PIXEL_RGB, &c, &ON);
    int left = WIDTH, top = HEIGHT, right = 0, bottom = 0, outline = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        if (pixels[i] == before[i]) continue;
        const int x = i % WIDTH, y = i / WIDTH;
        left = x < left ? x : left;
        top = y < top ? y : top;
        right = x > right ? x : right;
        bottom = y > bottom ? y : bottom;
        outline += pixels[i] == pixel_of(PIXEL_RGB, SEEN);
    }
    assert_in_range(right - left, 160, 166);
    assert_in_range(bottom - top, 80, 86);
    assert_in_range(WIDTH - right, 5, 12);
    assert_in_range(HEIGHT - bottom, 5, 12);
    // The view has 10 x 8 of 24 x 12 tiles, but a part of it is beyond the map.
    assert_in_range(outline, 2 * (50 + 40), 2 * (70 + 56));
    minimap_close(&m);
}

static void it_is_hidden_if_all_of_the_map_is_visible(void **state)
{
    colony_world *world = *state;
    camera c = near();
    minimap m = painted(world, &c);
    const spot inside = {WIDTH - 40, HEIGHT - 40};
    assert_true(minimap_is_shown(&m, &c) && minimap_covers(&m, &c, inside));
    camera_fit(&c, 24, 12);
    assert_false(minimap_is_shown(&m, &c) || minimap_covers(&m, &c, inside));
    memcpy(pixels, before, sizeof pixels);
    minimap_paint(&m, PIXEL_RGB, &c, &ON);
    assert_memory_equal(pixels, before, sizeof pixels);
    camera_zoom(&c, 1.1f, (spot){0, 0});
    assert_true(minimap_is_shown(&m, &c));
    minimap_close(&m);
}

static void a_pixel_of_it_is_a_spot_of_the_map(void **state)
{
    colony_world *world = *state;
    const camera c = near();
    minimap m = painted(world, &c);
    const float left = (float)(WIDTH - 10 - m.width), top = (float)(HEIGHT - 10 - m.height);
    spot middle = minimap_spot(&m, &c, (spot){left + 80, top + 40});
    assert_float_equal(middle.x, 11.5f, 0.01);
    assert_float_equal(middle.y, 5.5f, 0.01);
    spot outside = minimap_spot(&m, &c, (spot){-500, 5000});
    assert_float_equal(outside.x, 0, 0.01);
    assert_float_equal(outside.y, 11, 0.01);
    assert_true(minimap_covers(&m, &c, (spot){left + 1, top + 1}));
    assert_false(minimap_covers(&m, &c, (spot){left - 9, top + 1}));
    assert_false(minimap_covers(&m, &c, (spot){left + 1, top - 9}));
    minimap_close(&m);
}

// A picture that is smaller than the minimap cuts it off.
static void it_paints_nothing_outside_the_picture(void **state)
{
    colony_world *world = *state;
    static uint32_t all[64 * 64];
    camera c = near();
    minimap m = painted(world, &c);
    const canvas small = {all + 16 * 64 + 16, 64, 32, 32};
    c.width = c.height = 32;
    memset(all, 0, sizeof all);
    minimap_paint(&m, PIXEL_RGB, &c, &small);
    for (int i = 0; i < 64 * 64; i++) {
        const bool inside = i % 64 >= 16 && i % 64 < 48 && i / 64 >= 16 && i / 64 < 48;
        if (!inside) assert_int_equal(all[i], 0);
    }
    minimap_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LAND(it_shows_the_ground),
        ON_LAND(it_shows_houses_and_people),
        cmocka_unit_test(a_river_through_a_large_map_is_not_interrupted),
        cmocka_unit_test(dots_end_at_the_edges),
        cmocka_unit_test(a_road_through_a_map_is_not_interrupted),
        ON_LAND(it_is_painted_once_a_second),
        ON_LAND(it_stands_in_a_corner_with_an_outline_of_the_view),
        ON_LAND(it_is_hidden_if_all_of_the_map_is_visible),
        ON_LAND(a_pixel_of_it_is_a_spot_of_the_map),
        ON_LAND(it_paints_nothing_outside_the_picture),
    };
    return cmocka_run_group_tests_name("minimap", tests, NULL, NULL);
}
