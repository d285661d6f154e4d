// Indexes without items: in a world in which nothing was ever spawned, and in one that lost all
// entities. Each kind of question finds nothing and does no arithmetic on missing arrays. The build
// with pointer sanitizers checks this in generated headers too.
//
// program: worlds
// libs: -lm
// flags: strays
#include "index/area.h"
#include "index/cells.h"
#include "index/point.h"
#include "land.h"
#include "value/numbers.h"

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

// All items are removed before an index is queried again. The index reads that they were despawned,
// and that new entities lack its component.
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

#ifdef NDEBUG
// A walk that continued after a structural change would read places of other items.
static void a_walk_ends_where_rows_move(void **state)
{
    (void)state;
    land_world *w = open_land();
    for (uint32_t i = 0; i < 3; i++) {
        land_spot_set(w, land_spawn(w), (land_spot){.x = 1, .y = 2, .z = 3});
    }
    land_by_depth_near_iter it = land_by_depth_near_begin(w, 1.0, 2.0, 3.0, 4.0);
    assert_true(land_by_depth_near_next(&it));
    land_spawn(w);
    assert_false(land_by_depth_near_next(&it));
    assert_non_null(strstr(land_error(w), "was used after a structural change"));
    land_close(w);
}
#endif

// ------------------------------------------------------------------------------------------------
// Places

// A point has a place if all its coordinates are numbers; a plane has no third one.
static void what_is_no_number_has_no_place(void **state)
{
    (void)state;
    for (uint32_t axis = 0; axis < 3; axis++) {
        double at[3] = {1.0, 2.0, 3.0};
        assert_true(weft_point_is(at, 2) && weft_point_is(at, 3));
        at[axis] = NAN;
        assert_int_equal(weft_point_is(at, 2), axis == 2);
        assert_false(weft_point_is(at, 3));
    }
    land_world *w = open_land();
    land_entity e = land_spawn(w);
    land_spot_set(w, e, (land_spot){.x = 1, .y = 2, .z = 3});
    land_entity near[1];
    assert_int_equal(land_by_depth_nearest(w, 1.0, 2.0, 3.0, 1, near), 1);
    land_by_depth_near_iter none = land_by_depth_near_begin(w, 1.0, 2.0, 3.0, -1.0);
    assert_false(land_by_depth_near_next(&none)); // at no distance is less than 0
    none = land_by_depth_near_begin(w, 1.0, 2.0, 3.0, NAN);
    assert_false(land_by_depth_near_next(&none));
    land_close(w);
}

static void the_least_float_above_a_number(void **state)
{
    (void)state;
    assert_true(weft_float_above(0.5) == 0.5f);
    assert_true(weft_float_above(0.1) == 0.1f);               // which is more than 0.1
    assert_true(weft_float_above(16777217.0) == 16777218.0f); // and 2^24 is less
    assert_true(weft_float_above(-16777217.0) == -16777216.0f);
    assert_true(isnan(weft_float_above(NAN)));
}

// A cell is found in the box of the cells, and nowhere else, along each axis.
static void cells_beyond_the_box_have_no_offset(void **state)
{
    static const int32_t low[3] = {-4, 10, 100};
    static const int32_t size[3] = {3, 2, 5};
    (void)state;
    for (uint32_t axis = 0; axis < 3; axis++) {
        int32_t cell[3] = {-4, 10, 100};
        assert_int_equal(weft_cells_offset(low, size, cell), 0);
        cell[axis] += size[axis] - 1;
        assert_true(weft_cells_offset(low, size, cell) != SIZE_MAX);
        cell[axis]++;
        assert_true(weft_cells_offset(low, size, cell) == SIZE_MAX);
        cell[axis] = low[axis] - 1;
        assert_true(weft_cells_offset(low, size, cell) == SIZE_MAX);
    }
}

// Reads a number at the end of memory, so that sanitizers detect a read of too many bytes.
static void expect_number(weft_type type, double number)
{
    const weft_number_kind kind = weft_kind_of(type);
    const uint32_t bytes = weft_scalars[type].bytes;
    weft_number stored = {.u64 = 0};
    void *alone = malloc(bytes);
    assert_non_null(alone);
    if (kind == WEFT_FLOAT)
        stored.f64 = number;
    else
        stored.i64 = (int64_t)number;
    weft_number_store(kind, alone, bytes, stored);
    assert_true(weft_point_number(type, alone) == number);
    free(alone);
}

static void a_number_has_as_many_bytes_as_its_type(void **state)
{
    static const struct {
        weft_type type;
        double least, most;
    } types[] = {
        {WEFT_TYPE_U8, 0.0, UINT8_MAX},        {WEFT_TYPE_U16, 0.0, UINT16_MAX},
        {WEFT_TYPE_U32, 0.0, UINT32_MAX},      {WEFT_TYPE_I8, INT8_MIN, INT8_MAX},
        {WEFT_TYPE_I16, INT16_MIN, INT16_MAX}, {WEFT_TYPE_I32, INT32_MIN, INT32_MAX},
        {WEFT_TYPE_F32, -0x1p100, 0x1.8p-20},  {WEFT_TYPE_F64, -0x1p1000, 0x1.00001p-20},
    };
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        expect_number(types[i].type, types[i].least);
        expect_number(types[i].type, types[i].most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_where_nothing_lives),
        cmocka_unit_test(nothing_is_found_where_all_is_lost),
#ifdef NDEBUG
        cmocka_unit_test(a_walk_ends_where_rows_move),
#endif
        cmocka_unit_test(what_is_no_number_has_no_place),
        cmocka_unit_test(a_number_has_as_many_bytes_as_its_type),
        cmocka_unit_test(the_least_float_above_a_number),
        cmocka_unit_test(cells_beyond_the_box_have_no_offset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
