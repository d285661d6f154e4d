// The camera at the start, at resizes and while it follows someone.
//
// program: still
// libs: -lm
#include "../small_world.h"
#include "../world_setup.h"
#include "viewer.h"

enum { WIDTH = 480, HEIGHT = 240, COLUMNS = 72, ROWS = 22, FRAMES_MAX = 600 };
static const float A_FRAME = 1.0f / 60;

static uint32_t pixels[WIDTH * HEIGHT];
static const canvas ON = {pixels, WIDTH, WIDTH, HEIGHT};

// Returns whether the camera shows nothing beyond the map.
static bool is_filled(const camera *c, int columns, int rows)
{
    const float across = (float)c->width / c->tile / 2, down = (float)c->height / c->tile / 2;
    return c->x - across > -0.51f && c->y - down > -0.51f &&
           c->x + across < (float)columns - 0.49f && c->y + down < (float)rows - 0.49f;
}

static bool is_visible(const viewer *v, spot at)
{
    const spot pixel = camera_pixel(&v->camera, at);
    return pixel.x >= 0 && pixel.y >= 0 && pixel.x < (float)v->camera.width &&
           pixel.y < (float)v->camera.height;
}

// ---- the start

static void the_start_shows_a_village_and_fills_the_window(void **state)
{
    (void)state;
    static const int SIZES[][2] = {{1280, 720}, {1920, 1080}, {640, 480}, {390, 700}, {320, 200}};
    static const int MAPS[][2] = {{72, 22}, {48, 48}, {256, 200}, {1024, 1024}};
    for (size_t m = 0; m < sizeof MAPS / sizeof *MAPS; m++) {
        const options wanted = {
            .width = (uint64_t)MAPS[m][0], .height = (uint64_t)MAPS[m][1], .villagers = 60};
        colony_world *world = colony_open(&(weft_options){.seed = 3});
        assert_true(world != NULL && world_setup(world, &wanted));
        for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
            viewer v;
            viewer_open(&v, PIXEL_RGB);
            viewer_resize(&v, world, SIZES[i][0], SIZES[i][1], false);
            assert_true(v.camera.tile >= 24);
            assert_true(is_filled(&v.camera, MAPS[m][0], MAPS[m][1]));
            uint32_t storehouses = 0;
            colony_depots_iter it = colony_depots_begin(world);
            while (colony_depots_next(&it)) {
                for (uint32_t k = 0; k < it.count; k++) {
                    storehouses += is_visible(&v, (spot){it.position[k].x, it.position[k].y});
                }
            }
            assert_true(storehouses >= 1);
            viewer_close(&v);
        }
        colony_close(world);
    }
}

static void a_map_without_a_village_is_shown_from_its_middle(void **state)
{
    viewer v;
    viewer_open(&v, PIXEL_RGB);
    viewer_resize(&v, *state, 48, 48, false);
    assert_float_equal(v.camera.x, 11.5f, 0.001);
    assert_float_equal(v.camera.y, 5.5f, 0.001);
    viewer_close(&v);
}

// ---- other sizes

static void a_map_that_fills_the_window_still_fills_a_larger_one(void **state)
{
    (void)state;
    camera c = {.width = 400, .height = 300};
    camera_show(&c, (spot){2, 20}, 24, COLUMNS, ROWS);
    assert_true(is_filled(&c, COLUMNS, ROWS));
    camera_resize(&c, 1600, 900, COLUMNS, ROWS);
    assert_true(is_filled(&c, COLUMNS, ROWS));
    camera_zoom(&c, 0.1f, (spot){0, 0});
    assert_false(is_filled(&c, COLUMNS, ROWS));
    const float tile = c.tile;
    camera_resize(&c, 1700, 1000, COLUMNS, ROWS);
    assert_float_equal(c.tile, tile, 0.001);
}

// The map stays where it is when the panel opens, unless it would show something beyond the map.
static void a_panel_does_not_move_the_map(void **state)
{
    colony_world *world = *state;
    viewer v;
    viewer_open(&v, PIXEL_RGB);
    viewer_resize(&v, world, 400, 200, false);
    camera_show(&v.camera, (spot){12, 6}, 40, 24, 12);
    const spot before = camera_pixel(&v.camera, (spot){10, 5});
    viewer_resize(&v, world, 250, 200, true);
    const spot after = camera_pixel(&v.camera, (spot){10, 5});
    assert_float_equal(after.x, before.x, 0.01);
    assert_float_equal(after.y, before.y, 0.01);
    viewer_resize(&v, world, 400, 200, false);
    const spot closed = camera_pixel(&v.camera, (spot){10, 5});
    assert_float_equal(closed.x, before.x, 0.01);
    viewer_close(&v);
}

static void a_panel_does_not_hide_who_is_selected(void **state)
{
    colony_world *world = *state;
    viewer v;
    viewer_open(&v, PIXEL_RGB);
    v.selected = adult_at(world, 16, 6);
    viewer_resize(&v, world, 400, 200, false);
    camera_show(&v.camera, (spot){12, 6}, 40, 24, 12);
    assert_true(is_visible(&v, (spot){16, 6}));
    viewer_resize(&v, world, 250, 200, true);
    assert_true(is_visible(&v, (spot){17, 6}));
    viewer_close(&v);
}

// ---- following

// Paints frames until the camera stands still, and returns how many.
static int settle(viewer *v, colony_world *world)
{
    for (int frame = 1; frame < FRAMES_MAX; frame++) {
        const camera before = v->camera;
        viewer_paint(v, world, A_FRAME, &ON);
        if (camera_is(&before, &v->camera)) return frame;
    }
    return FRAMES_MAX;
}

// Opens a viewer of the north-west corner.
static viewer near_view(colony_world *world)
{
    viewer v;
    viewer_open(&v, PIXEL_RGB);
    viewer_resize(&v, world, WIDTH, HEIGHT, false);
    camera_show(&v.camera, (spot){0, 0}, 60, 24, 12);
    return v;
}

static void the_camera_follows_smoothly_and_then_stands_still(void **state)
{
    colony_world *world = *state;
    viewer v = near_view(world);
    v.selected = adult_at(world, 15, 7);
    assert_true(viewer_follow(&v));
    const float from = v.camera.x;
    viewer_paint(&v, world, A_FRAME, &ON);
    assert_true(v.camera.x > from && v.camera.x < from + 3); // it does not jump
    assert_in_range(settle(&v, world), 10, FRAMES_MAX - 1);
    assert_float_equal(v.camera.x, 15, 0.0001);
    assert_float_equal(v.camera.y, 7, 0.0001);
    colony_position_edit(world, v.selected)->x = 10;
    settle(&v, world);
    assert_float_equal(v.camera.x, 10, 0.0001);
    viewer_close(&v);
}

static void following_shows_nothing_beyond_the_map(void **state)
{
    colony_world *world = *state;
    viewer v = near_view(world);
    v.selected = adult_at(world, 23, 0);
    assert_true(viewer_follow(&v));
    settle(&v, world);
    assert_true(is_filled(&v.camera, 24, 12));
    assert_true(is_visible(&v, (spot){23, 0}));
    viewer_close(&v);
}

static void a_pan_a_choice_and_the_minimap_end_following(void **state)
{
    colony_world *world = *state;
    viewer v = near_view(world);
    assert_false(viewer_follow(&v)); // none is selected
    const colony_entity one = v.selected = adult_at(world, 15, 7);
    assert_true(viewer_follow(&v));
    settle(&v, world);
    viewer_zoom(&v, 1.2f, (spot){0, 0});
    assert_true(v.follows);
    assert_float_equal(v.camera.x, 15, 0.0001); // it zooms around the followed
    viewer_pan(&v, world, 20, 0);
    assert_false(v.follows);
    assert_true(viewer_follow(&v));
    viewer_move_to(&v, (spot){0, 0});
    assert_false(v.follows);
    assert_true(viewer_follow(&v));
    viewer_select(&v, world, (spot){0, 0});
    assert_false(v.follows);
    v.selected = one;
    assert_true(viewer_follow(&v));
    assert_false(viewer_follow(&v)); // the same key ends it
    viewer_close(&v);
}

static void who_dies_is_neither_followed_nor_selected(void **state)
{
    colony_world *world = *state;
    char handle[VIEWER_HANDLE_SPACE];
    viewer v = near_view(world);
    v.selected = adult_at(world, 15, 7);
    assert_true(viewer_handle(&v, handle));
    assert_non_null(strchr(handle, ':'));
    viewer_follow(&v);
    colony_despawn(world, v.selected);
    const camera before = v.camera;
    viewer_paint(&v, world, A_FRAME, &ON);
    assert_true(camera_is(&before, &v.camera));
    assert_true(colony_is_none(v.selected) && !v.follows);
    assert_false(viewer_handle(&v, handle));
    assert_string_equal(handle, "");
    viewer_close(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_shows_a_village_and_fills_the_window),
        ON_LAND(a_map_without_a_village_is_shown_from_its_middle),
        cmocka_unit_test(a_map_that_fills_the_window_still_fills_a_larger_one),
        ON_LAND(a_panel_does_not_move_the_map),
        ON_LAND(a_panel_does_not_hide_who_is_selected),
        ON_LAND(the_camera_follows_smoothly_and_then_stands_still),
        ON_LAND(following_shows_nothing_beyond_the_map),
        ON_LAND(a_pan_a_choice_and_the_minimap_end_following),
        ON_LAND(who_dies_is_neither_followed_nor_selected),
    };
    return cmocka_run_group_tests_name("viewer", tests, NULL, NULL);
}
