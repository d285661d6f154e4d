// Pictures that are kept from frame to frame equal pictures that are painted afresh, and a frame
// paints only what has changed.
//
// program: worlds byte_order
// libs: -lm
#include "../small_world.h"
#include "../world_setup.h"
#include "ground.h"
#include "painting.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 240, HEIGHT = 120, EDGE = 40, TILES = 24 * 12 };

static uint32_t pixels[WIDTH * HEIGHT], afresh[WIDTH * HEIGHT];
static const canvas ON = {pixels, WIDTH, WIDTH, HEIGHT}, AFRESH = {afresh, WIDTH, WIDTH, HEIGHT};

// All of the map, ten pixels a tile.
static camera whole(void)
{
    camera c = {.width = WIDTH, .height = HEIGHT};
    camera_fit(&c, 24, 12);
    return c;
}

static void paint(painting *p, colony_world *world, const camera *c)
{
    painting_paint(p, world, c, COLONY_NONE, &ON);
}

// Returns a house with one resident.
static colony_entity lived_in_house_at(colony_world *world, float x, float y)
{
    colony_entity house = house_at(world, x, y);
    colony_dwelling *dwelling = colony_dwelling_edit(world, house);
    dwelling->residents.items[dwelling->residents.count++] = adult_at(world, 1, 1);
    return house;
}

// ---- how much is painted

static void a_frame_paints_no_ground_that_is_as_it_was(void **state)
{
    const camera c = whole();
    painting p;
    painting_open(&p, PIXEL_RGB);
    paint(&p, *state, &c);
    assert_int_equal(p.work.tiles, TILES);
    assert_int_equal(p.work.rows,
                     12 * 4); // four texels a tile; the other rows of pixels are like them
    for (int frame = 0; frame < 3; frame++) {
        paint(&p, *state, &c);
        assert_int_equal(p.work.tiles, 0);
        assert_int_equal(p.work.rows, 0);
    }
    painting_close(&p);
}

static void one_tile_that_changes_is_painted_alone(void **state)
{
    colony_world *world = *state;
    const camera c = whole();
    painting p;
    painting_open(&p, PIXEL_RGB);
    paint(&p, world, &c);
    const uint32_t grass = pixels[45 * WIDTH + 55], beside = pixels[45 * WIDTH + 65];
    colony_patches_underfoot_iter it = colony_patches_underfoot_begin(world);
    assert_true(colony_patches_underfoot_next(&it));
    it.soil[0].wear[ground_element(5, 4)] = GROUND_ROAD_WEAR;
    paint(&p, world, &c);
    assert_int_equal(p.work.tiles, 1);
    assert_int_not_equal(pixels[45 * WIDTH + 55], grass);
    assert_int_equal(pixels[45 * WIDTH + 65], beside);
    painting_close(&p);
}

static void what_is_not_seen_is_neither_collected_nor_painted(void **state)
{
    colony_world *world = *state;
    adult_at(world, 2, 2);
    storehouse_at(world, 20, 9, 0);
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    camera c = {.x = 2, .y = 2, .tile = 40, .width = WIDTH, .height = HEIGHT};
    painting p;
    painting_open(&p, PIXEL_RGB);
    paint(&p, world, &c);
    assert_int_equal(p.sprites.count, 1);
    c.x = 20;
    c.y = 9;
    paint(&p, world, &c);
    assert_int_equal(p.sprites.count, 1);
    assert_int_equal(p.sprites.all[0].look, COLONY_LOOK_STOREHOUSE);
    painting_close(&p);
}

// ---- what is painted

// Compares a painting that was kept between frames with a new one.
static void compare(painting *kept, colony_world *world, const camera *c)
{
    painting other;
    painting_open(&other, PIXEL_RGB);
    painting_paint(&other, world, c, COLONY_NONE, &AFRESH);
    paint(kept, world, c);
    assert_memory_equal(pixels, afresh, sizeof pixels);
    painting_close(&other);
}

static void what_is_kept_is_what_would_be_painted_afresh(void **state)
{
    (void)state;
    const options wanted = {.width = 72, .height = 40, .villagers = 24};
    colony_world *world = colony_open(&(weft_options){.seed = 5});
    assert_non_null(world);
    assert_true(world_setup(world, &wanted));
    painting p;
    painting_open(&p, PIXEL_RGB);
    camera c = {.width = WIDTH, .height = HEIGHT};
    camera_fit(&c, 72, 40);
    for (int turn = 0; turn < 400; turn++) { // more than a season
        tick(world, 1);
        compare(&p, world, &c);
        compare(&p, world, &c);
        if (turn % 8 == 0) camera_zoom(&c, turn % 16 ? 0.4f : 2.4f, (spot){30, 90});
        if (turn % 8 == 3) camera_pan(&c, turn % 24 ? 31 : -90, turn % 16 ? -17 : 21, 72, 40);
    }
    painting_close(&p);
    colony_close(world);
}

static void ticks_of_one_season_paint_what_feet_have_trodden(void **state)
{
    colony_world *world = *state;
    const camera c = whole();
    painting p;
    painting_open(&p, PIXEL_RGB);
    for (int i = 0; i < 3; i++) adult_at(world, 4.0f * (float)i, 4);
    paint(&p, world, &c);
    uint32_t painted = 0;
    for (int turn = 0; turn < 20; turn++) {
        tick(world, 1);
        paint(&p, world, &c);
        assert_true(p.work.tiles <= 3);
        painted += p.work.tiles;
    }
    assert_true(painted > 0);
    painting_close(&p);
}

static void a_canvas_of_a_page_has_the_bytes_in_another_order(void **state)
{
    const camera c = whole();
    painting p;
    painting_open(&p, PIXEL_RGB);
    paint(&p, *state, &c);
    painting_close(&p);
    painting_open(&p, PIXEL_BGR);
    painting_paint(&p, *state, &c, COLONY_NONE, &AFRESH);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const uint32_t one = pixels[i];
        uint32_t turned = (one & 0xff00ff00u) | (one & 0xffu) << 16 | (one >> 16 & 0xffu);
        assert_int_equal(afresh[i], turned);
    }
    painting_close(&p);
}

static void night_is_darker_and_windows_shine(void **state)
{
    colony_world *world = *state;
    lived_in_house_at(world, 12, 6);
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    const camera c = whole();
    painting p;
    painting_open(&p, PIXEL_RGB);
    paint(&p, world, &c);
    const uint32_t far = pixels[0] & 0xff00u, near = pixels[60 * WIDTH + 110] & 0xff00u;
    colony_calendar_edit(world)->hour = 0;
    paint(&p, world, &c);
    const uint32_t dark = pixels[0] & 0xff00u, lit = pixels[60 * WIDTH + 110] & 0xff00u;
    assert_true(2 * dark < far + 0x2000u);
    assert_true(lit * 1.0 / near > dark * 1.0 / far);
    assert_int_equal(p.work.tiles, 0); // the colours of the tiles are kept
    painting_close(&p);
}

// ---- sprites

// Paints the world in a season, and returns how many pixels of a part have a colour.
static int count_in(colony_world *world, colony_season season, square part, uint32_t rgba)
{
    const camera c = whole();
    painting p;
    painting_open(&p, PIXEL_RGB);
    paint(&p, world, &c);
    colony_calendar_edit(world)->season = season;
    colony_calendar_edit(world)->hour = 12;
    paint(&p, world, &c);
    painting_close(&p);
    int found = 0;
    for (int y = (int)part.y; y < (int)(part.y + part.side); y++) {
        for (int x = (int)part.x; x < (int)(part.x + part.side); x++) {
            found += pixels[y * WIDTH + x] == pixel_of(PIXEL_RGB, rgba);
        }
    }
    return found;
}

static void tree_at(colony_world *world, float x, float y)
{
    colony_tree tree = colony_tree_defaults();
    tree.position = (colony_position){x, y};
    tree.plant.hours_grown = tree.plant.hours_to_ripen;
    colony_tree_spawn(world, &tree);
}

static void snow_lies_on_trees_and_roofs_in_winter(void **state)
{
    colony_world *world = *state;
    const uint32_t snow = 0xf4f7faff;
    const square all[] = {{30, 40, 30}, {70, 40, 30}, {110, 40, 30}, {150, 40, 30}, {190, 40, 30}};
    tree_at(world, 4, 6);
    house_at(world, 8, 6);
    storehouse_at(world, 12, 6, 0);
    bakery_at(world, 16, 6, 0);
    colony_sawmill sawmill = colony_sawmill_defaults();
    sawmill.position = (colony_position){20, 6};
    colony_sawmill_spawn(world, &sawmill);
    tick(world, 1);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(count_in(world, COLONY_SEASON_SUMMER, all[i], snow), 0);
        assert_int_equal(count_in(world, COLONY_SEASON_AUTUMN, all[i], snow), 0);
        assert_true(count_in(world, COLONY_SEASON_WINTER, all[i], snow) > 3);
    }
}

static void leaves_turn_red_in_autumn(void **state)
{
    colony_world *world = *state;
    const square all = {0, 0, HEIGHT};
    const uint32_t red = 0xc4682cff, green = 0x3d7a35ff;
    for (int i = 0; i < 5; i++) tree_at(world, 2.0f + 2.0f * (float)i, 6);
    tick(world, 1);
    assert_int_equal(count_in(world, COLONY_SEASON_SUMMER, all, red), 0);
    assert_true(count_in(world, COLONY_SEASON_SUMMER, all, green) > 40);
    assert_true(count_in(world, COLONY_SEASON_AUTUMN, all, red) > 40);
    assert_int_equal(count_in(world, COLONY_SEASON_AUTUMN, all, green), 0);
    // Pines stay green.
    assert_true(count_in(world, COLONY_SEASON_AUTUMN, all, 0x2f6b4aff) > 20);
}

static void a_child_is_smaller_than_an_adult(void **state)
{
    (void)state;
    const camera c = whole();
    const sprite adult = {.look = COLONY_LOOK_VILLAGER}, child = {.look = COLONY_LOOK_CHILD};
    assert_true(sprite_place(&child, &c).side < 0.75f * sprite_place(&adult, &c).side);
}

// Each kind of goods has a picture of its own, which hides the head of the carrier.
static void a_load_is_painted_over_its_carrier(void **state)
{
    colony_world *world = *state;
    const camera c = whole();
    colony_entity carrier = adult_at(world, 12, 6);
    colony_bundle bundle = colony_bundle_defaults();
    colony_entity load = colony_bundle_spawn(world, &bundle);
    colony_carried_by_attach(world, load, carrier);
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    painting p;
    painting_open(&p, PIXEL_RGB);
    uint8_t before = COLONY_LOOK_BUNDLE;
    for (int goods = 0; goods < COLONY_GOODS_COUNT; goods++) {
        colony_cargo_edit(world, load)->goods = (colony_goods)goods;
        paint(&p, world, &c);
        assert_int_equal(p.sprites.count, 2);
        assert_int_equal(p.sprites.all[1].look, COLONY_LOOK_BUNDLE);
        assert_int_not_equal(p.sprites.all[1].is.picture, before);
        before = p.sprites.all[1].is.picture;
        assert_true(p.sprites.all[1].at.y < p.sprites.all[0].at.y);
        assert_memory_not_equal(pixels, afresh, sizeof pixels);
        memcpy(afresh, pixels, sizeof pixels);
    }
    painting_close(&p);
}

// A dot is too small for windows, so it shines as a whole.
static void houses_shine_from_afar_at_night(void **state)
{
    colony_world *world = *state;
    const camera c = {.x = 12, .y = 6, .tile = 4, .width = WIDTH, .height = HEIGHT};
    const int house = (HEIGHT / 2 - 3) * WIDTH + WIDTH / 2, grass = 60 * WIDTH + WIDTH / 2 + 20;
    lived_in_house_at(world, 12, 6);
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    painting p;
    painting_open(&p, PIXEL_RGB);
    colony_calendar_edit(world)->hour = 0;
    paint(&p, world, &c);
    painting_close(&p);
    const uint32_t red = pixels[house] >> 16 & 0xffu, blue = pixels[house] & 0xffu;
    assert_true(red > 2 * (pixels[grass] >> 16 & 0xffu));
    assert_true(red > blue + 0x30);
}

// ---- ties

// Returns how many pixels a selection changes in a tile, apart from the outline.
static int painted_in(colony_world *world, colony_entity selected, int tile_x, int tile_y)
{
    const camera c = whole();
    painting p;
    painting_open(&p, PIXEL_RGB);
    paint(&p, world, &c);
    painting_paint(&p, world, &c, selected, &AFRESH);
    painting_close(&p);
    int changed = 0;
    for (int i = 0; i < 100; i++) {
        int at = (tile_y * 10 + i / 10) * WIDTH + tile_x * 10 + i % 10;
        changed += pixels[at] != afresh[at];
    }
    return changed;
}

static void the_friends_of_the_selected_have_hearts(void **state)
{
    colony_world *world = *state;
    colony_entity one = adult_at(world, 4, 6), friend = adult_at(world, 14, 6);
    colony_entity stranger = adult_at(world, 20, 2);
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    assert_int_equal(painted_in(world, one, 14, 5), 0);
    colony_friends_set(world, friend, one, (colony_friends){.warmth = 0.1f});
    int cool = painted_in(world, one, 14, 5);
    assert_true(painted_in(world, one, 9, 6) > 0); // the line
    colony_friends_edit(world, one, friend)->warmth = 1;
    assert_true(painted_in(world, one, 14, 5) > cool && cool > 0);
    assert_true(painted_in(world, friend, 4, 5) > 0);
    assert_int_equal(painted_in(world, one, 20, 1), 0);
    assert_int_equal(painted_in(world, stranger, 14, 5), 0);
    assert_int_equal(painted_in(world, COLONY_NONE, 14, 5), 0);
}

static void a_storehouse_is_tied_to_its_workshops(void **state)
{
    colony_world *world = *state;
    colony_hamlet hamlet = colony_hamlet_defaults();
    hamlet.position = (colony_position){12, 6};
    hamlet.bakery[0].position = (colony_position){2, 6};
    hamlet.bakery[1].position = (colony_position){22, 6};
    hamlet.sawmill.position = (colony_position){12, 1};
    colony_hamlet_all all = colony_hamlet_spawn_all(world, &hamlet);
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    assert_true(painted_in(world, all.self, 7, 6) > 0 && painted_in(world, all.self, 17, 6) > 0);
    assert_true(painted_in(world, all.self, 12, 3) > 0);
    assert_true(painted_in(world, all.bakery[0], 7, 6) > 0);
    assert_int_equal(painted_in(world, all.bakery[0], 17, 6), 0);
}

// ---- edges

// Stamps of every size at every place change no pixel outside the canvas.
static void stamps_end_at_the_edges(void **state)
{
    (void)state;
    static uint32_t sheet[SHEET_WIDTH * SHEET_HEIGHT], all[(2 * EDGE + 16) * (2 * EDGE + 16)];
    const int side = 2 * EDGE + 16;
    const canvas on = {all + EDGE * side + EDGE, (size_t)side, 16, 16};
    sprite_pixels(sheet, PIXEL_RGB, COLONY_SEASON_SUMMER);
    for (int i = 0; i < 16 * 32 * 32; i++) {
        const square at = {(float)(i % 32 - 12) - 0.3f, (float)(i / 32 % 32 - 12) + 0.3f,
                           (float)(i / 1024) * 1.7f};
        stamp_dot(&on, at, 0xff112233u);
        stamp_sprite(&on, at, sheet + COLONY_LOOK_SITE * SPRITE_SIDE);
        stamp_light(&on, at, sheet + SHEET_GLOW * SPRITE_SIDE, 200);
        stamp_outline(&on, at, 0xff445566u);
    }
    uint32_t inside = 0;
    for (int i = 0; i < side * side; i++) {
        int x = i % side - EDGE, y = i / side - EDGE;
        if (x >= 0 && y >= 0 && x < 16 && y < 16) {
            inside += all[i] != 0;
        } else {
            assert_int_equal(all[i], 0);
        }
    }
    assert_int_equal(inside, 16 * 16);
}

static void the_smallest_picture_shows_the_whole_map(void **state)
{
    (void)state;
    camera c = {.width = 1152, .height = 720};
    camera_fit(&c, 1024, 1024);
    for (int i = 0; i < 40; i++) camera_zoom(&c, 1.3f, (spot){300, 300});
    for (int i = 0; i < 80; i++) camera_zoom(&c, 0.7f, (spot){300, 300});
    assert_float_equal(c.tile, 720.0f / 1024, 0.001);
    camera_resize(&c, 640, 1024, 1024, 1024);
    camera_zoom(&c, 0.1f, (spot){300, 300});
    assert_float_equal(c.tile, 640.0f / 1024, 0.001);
    camera_fit(&c, 24, 12);
    camera_zoom(&c, 0.001f, (spot){300, 300});
    assert_float_equal(c.tile, 2.0f, 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LAND(a_frame_paints_no_ground_that_is_as_it_was),
        ON_LAND(one_tile_that_changes_is_painted_alone),
        ON_LAND(what_is_not_seen_is_neither_collected_nor_painted),
        cmocka_unit_test(what_is_kept_is_what_would_be_painted_afresh),
        ON_LAND(ticks_of_one_season_paint_what_feet_have_trodden),
        ON_LAND(a_canvas_of_a_page_has_the_bytes_in_another_order),
        ON_LAND(night_is_darker_and_windows_shine),
        ON_LAND(snow_lies_on_trees_and_roofs_in_winter),
        ON_LAND(leaves_turn_red_in_autumn),
        ON_LAND(a_child_is_smaller_than_an_adult),
        ON_LAND(a_load_is_painted_over_its_carrier),
        ON_LAND(houses_shine_from_afar_at_night),
        ON_LAND(the_friends_of_the_selected_have_hearts),
        ON_LAND(a_storehouse_is_tied_to_its_workshops),
        cmocka_unit_test(stamps_end_at_the_edges),
        cmocka_unit_test(the_smallest_picture_shows_the_whole_map),
    };
    return cmocka_run_group_tests_name("painting", tests, NULL, NULL);
}
