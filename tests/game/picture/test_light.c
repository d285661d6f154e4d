// The light of the hour: warm at dawn and dusk, dark at night, and in few steps.
//
// program: worlds byte_order
// libs: -lm
#include "../small_world.h"
#include "light.h"
#include "painting.h"

#include <stdlib.h>

enum { WIDTH = 96, HEIGHT = 48, TICKS_A_DAY = 96, STEPS_MAX = 20 };

static uint32_t pixels[WIDTH * HEIGHT];
static const canvas ON = {pixels, WIDTH, WIDTH, HEIGHT};

static const uint32_t GREY = 0xff808080u;

static int red_of(uint32_t pixel)
{
    return (int)(pixel >> 16 & 0xffu);
}

static int blue_of(uint32_t pixel)
{
    return (int)(pixel & 0xffu);
}

static uint32_t grey_at(float hour)
{
    return light_on(PIXEL_RGB, GREY, light_at(hour));
}

static void dawn_and_dusk_are_warmer_than_noon(void **state)
{
    (void)state;
    const float warm[] = {5.5f, 6.5f, 18.5f, 19.5f};
    assert_int_equal(grey_at(12), GREY);
    assert_int_equal(grey_at(8), GREY);
    for (int i = 0; i < 4; i++) {
        assert_true(red_of(grey_at(warm[i])) > blue_of(grey_at(warm[i])) + 15);
    }
    assert_true(red_of(grey_at(0)) < 0x40 && blue_of(grey_at(0)) > red_of(grey_at(0)) + 15);
    assert_int_equal(grey_at(0), grey_at(23.9f));
}

static void lamps_burn_at_night(void **state)
{
    (void)state;
    assert_int_equal(light_at(12).lamps, 0);
    assert_int_equal(light_at(8).lamps, 0);
    assert_int_equal(light_at(0).lamps, 256);
    assert_int_equal(light_at(21).lamps, 256);
    assert_in_range(light_at(19).lamps, 1, 255);
}

static void the_light_changes_gradually_and_in_few_steps(void **state)
{
    (void)state;
    light last = light_at(0);
    int steps = 0;
    for (int tick = 1; tick < TICKS_A_DAY; tick++) {
        const light now = light_at((float)tick / 4);
        const uint32_t from = light_on(PIXEL_RGB, GREY, last), to = light_on(PIXEL_RGB, GREY, now);
        for (int shift = 0; shift < 24; shift += 8) {
            assert_true(abs((int)(from >> shift & 0xffu) - (int)(to >> shift & 0xffu)) <= 40);
        }
        steps += !light_is(now, last);
        last = now;
    }
    assert_in_range(steps, 12, STEPS_MAX);
    assert_true(light_is(last, light_at(0)));
    assert_false(light_is((light){.hides = 1}, (light){.hides = 2}));
    assert_false(light_is((light){.lamps = 1}, (light){.lamps = 2}));
}

// The pixels of the page have another order, and the tint has too.
static void the_tint_has_the_order_of_the_pixels(void **state)
{
    (void)state;
    const light dusk = light_at(19.5f);
    const uint32_t one = light_on(PIXEL_RGB, GREY, dusk), other = light_on(PIXEL_BGR, GREY, dusk);
    assert_int_equal(red_of(one), blue_of(other));
    assert_int_equal(blue_of(one), red_of(other));
    assert_int_equal(light_on(PIXEL_RGB, 0x30808080u, dusk) >> 24, 0x30);
}

static void land_and_sprites_are_in_one_light(void **state)
{
    colony_world *world = *state;
    const camera c = {.x = 12, .y = 6, .tile = 8, .width = WIDTH, .height = HEIGHT};
    const int grass = 4 * WIDTH + 4, house = 20 * WIDTH + 48;
    house_at(world, 12, 6);
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    painting p;
    painting_open(&p, PIXEL_RGB);
    colony_calendar_edit(world)->hour = 12;
    painting_paint(&p, world, &c, COLONY_NONE, &ON);
    const uint32_t grass_at_noon = pixels[grass], house_at_noon = pixels[house];
    colony_calendar_edit(world)->hour = 19.5f;
    painting_paint(&p, world, &c, COLONY_NONE, &ON);
    assert_int_equal(pixels[grass], light_on(PIXEL_RGB, grass_at_noon, light_at(19.5f)));
    assert_int_equal(pixels[house], light_on(PIXEL_RGB, house_at_noon, light_at(19.5f)));
    painting_close(&p);
}

// A still picture is painted again only if the light changes.
static void a_day_paints_the_land_a_few_times(void **state)
{
    colony_world *world = *state;
    const camera c = {.x = 12, .y = 6, .tile = 4, .width = WIDTH, .height = HEIGHT};
    painting p;
    painting_open(&p, PIXEL_RGB);
    painting_paint(&p, world, &c, COLONY_NONE, &ON);
    int painted = 0;
    for (int i = 0; i < TICKS_A_DAY; i++) {
        tick(world, 1);
        painting_paint(&p, world, &c, COLONY_NONE, &ON);
        painted += p.work.rows != 0;
        assert_int_equal(p.work.tiles, 0);
    }
    assert_in_range(painted, 12, STEPS_MAX);
    painting_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dawn_and_dusk_are_warmer_than_noon),
        cmocka_unit_test(lamps_burn_at_night),
        cmocka_unit_test(the_light_changes_gradually_and_in_few_steps),
        cmocka_unit_test(the_tint_has_the_order_of_the_pixels),
        ON_LAND(land_and_sprites_are_in_one_light),
        ON_LAND(a_day_paints_the_land_a_few_times),
    };
    return cmocka_run_group_tests_name("light", tests, NULL, NULL);
}
