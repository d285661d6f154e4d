// Indexes have no items: in a world in which nothing was ever spawned, and in one that lost all
// again. Each kind of question finds nothing, and does no arithmetic on arrays that are not there,
// which the build with the sanitizers of pointers sees in the generated headers too.
#include "land.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_no_point(land_world *w)
{
    land_entity near[4];
    land_by_tile_near_iter tile = land_by_tile_near_begin(w, 1.0f, 2.0f, INFINITY);
    land_by_tile_near_iter tiles = land_by_tile_box_begin(w, -9.0f, -9.0f, 9.0f, 9.0f);
    land_by_depth_near_iter deep = land_by_depth_near_begin(w, 1.0, 2.0, 3.0, 4.0);
    land_by_wind_near_iter wind = land_by_wind_box_begin(w, -INFINITY, 0.0f, INFINITY, 1.0f);
    assert_false(land_by_tile_near_next(&tile));
    assert_false(land_by_tile_box_next(&tiles));
    assert_false(land_by_depth_near_next(&deep));
    assert_false(land_by_wind_box_next(&wind));
    assert_int_equal(land_by_tile_nearest(w, 1.0f, 2.0f, 4, near), 0);
    assert_int_equal(land_by_depth_nearest(w, 1.0, 2.0, 3.0, 4, near), 0);
}

static void expect_no_key(land_world *w)
{
    land_by_name_each_iter name = land_by_name_each_begin(w, "nobody");
    land_by_team_each_iter team = land_by_team_each_begin(w, 1, (land_entity){0}, LAND_RANK_LOW);
    land_by_code_each_iter code = land_by_code_each_begin(w, 9);
    assert_false(land_by_name_each_next(&name));
    assert_false(land_by_team_each_next(&team));
    assert_false(land_by_code_each_next(&code));
    assert_int_equal(land_by_code_count(w, 9), 0);
    assert_true(land_is_none(land_by_name_find(w, "nobody")));
    assert_true(land_is_none(land_by_code_find(w, 9)));
}

// From everything on, from some value on, to some value, and to everything.
static void expect_no_range(land_world *w)
{
    static const double ends[4][2] = {{-INFINITY, NAN}, {1.0, NAN}, {-INFINITY, 2.0}, {1.0, 2.0}};
    for (int i = 0; i < 4; i++) {
        const float from = (float)ends[i][0];
        const float to = (float)ends[i][1];
        land_by_age_range_iter age = land_by_age_range_begin(w, from, to);
        land_by_heat_range_iter heat = land_by_heat_range_begin(w, ends[i][0], ends[i][1]);
        assert_false(land_by_age_range_next(&age));
        assert_false(land_by_heat_range_next(&heat));
    }
    land_by_gust_range_iter gust = land_by_gust_range_begin(w, -5, 5);
    assert_false(land_by_gust_range_next(&gust));
    assert_true(land_is_none(land_by_age_first(w)));
    assert_true(land_is_none(land_by_heat_last(w)));
}

static void expect_nothing(land_world *w)
{
    expect_no_point(w);
    expect_no_key(w);
    expect_no_range(w);
}

// Opens a world, and makes its indexes: each is asked for the first time.
static land_world *open_land(void)
{
    land_world *w = land_open(NULL);
    assert_non_null(w);
    expect_nothing(w);
    return w;
}

static void nothing_is_found_where_nothing_lives(void **state)
{
    (void)state;
    land_world *w = open_land();
    expect_nothing(w); // by indexes that were made
    land_close(w);
}

// All items are gone before an index is asked again. It hears of those who were despawned, and of
// those who came and have no component that it asks for.
static void nothing_is_found_where_all_is_lost(void **state)
{
    (void)state;
    land_world *w = open_land();
    for (int round = 0; round < 2; round++) {
        land_entity e[3];
        for (uint32_t i = 0; i < 3; i++) {
            e[i] = land_walker_spawn(w, NULL);
            land_spot_set(w, e[i], (land_spot){.x = i});
            land_wind_set(w, e[i], (land_wind){.gust = i});
            land_frozen_set(w, e[i], (land_frozen){1});
            land_mark_set(w, e[i], (land_mark){.code = 9, .heat = i});
            land_asleep_set(w, e[i]);
        }
        if (round == 0) assert_int_equal(land_by_code_count(w, 9), 3);
        land_despawn(w, e[0]);
        land_strip(w, e[1]);
        land_spawn(w);
        land_despawn(w, e[2]);
        expect_nothing(w);
    }
    land_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_where_nothing_lives),
        cmocka_unit_test(nothing_is_found_where_all_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
