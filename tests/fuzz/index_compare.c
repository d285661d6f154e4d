// Checks that each index finds the same entities as a scan of all entities.
//
// flags: hot
#include "index_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void compare_grids(run *r)
{
    finding f = {.count = 0};
    keyed wanted[ENTITIES];
    area a = any_area(r);
    land_by_tile_near_iter it =
        a.ball
            ? land_by_tile_near_begin(r->w, (float)a.centre[0], (float)a.centre[1], (float)a.radius)
            : land_by_tile_box_begin(r->w, (float)a.low[0], (float)a.low[1], (float)a.high[0],
                                     (float)a.high[1]);
    while (land_by_tile_near_next(&it)) {
        if (it.place != land_place_get(r->w, it.entity)) fail(r, "another place");
        f.e[f.count++] = it.entity;
    }
    size_t count = look_around(r, place_point, 2, 2.0, &a, wanted);
    expect(r, "by_tile", &f, wanted, count);

    f.count = 0;
    land_by_depth_near_iter deep =
        a.ball ? land_by_depth_near_begin(r->w, a.centre[0], a.centre[1], a.centre[2], a.radius)
               : land_by_depth_box_begin(r->w, a.low[0], a.low[1], a.low[2], a.high[0], a.high[1],
                                         a.high[2]);
    while (land_by_depth_box_next(&deep)) f.e[f.count++] = deep.entity;
    count = look_around(r, spot_point, 3, 1.5, &a, wanted);
    expect(r, "by_depth", &f, wanted, count);

    f.count = 0;
    land_by_wind_box_iter windy =
        a.ball
            ? land_by_wind_near_begin(r->w, (float)a.centre[0], (float)a.centre[1], (float)a.radius)
            : land_by_wind_box_begin(r->w, (float)a.low[0], (float)a.low[1], (float)a.high[0],
                                     (float)a.high[1]);
    while (land_by_wind_near_next(&windy)) f.e[f.count++] = windy.entity;
    count = look_around(r, wind_point, 2, 4.0, &a, wanted);
    expect(r, "by_wind", &f, wanted, count);

    f.count = 0;
    land_by_air_near_iter airy =
        a.ball ? land_by_air_near_begin(r->w, (float)a.centre[0], (float)a.centre[1],
                                        (float)a.centre[2], (float)a.radius)
               : land_by_air_box_begin(r->w, (float)a.low[0], (float)a.low[1], (float)a.low[2],
                                       (float)a.high[0], (float)a.high[1], (float)a.high[2]);
    while (land_by_air_near_next(&airy)) f.e[f.count++] = airy.entity;
    count = look_around(r, air_point, 3, 2.0, &a, wanted);
    expect(r, "by_air", &f, wanted, count);
}

static void compare_nearest(run *r)
{
    finding f = {.count = 0};
    keyed wanted[ENTITIES];
    area a = any_area(r);
    land_entity near[ENTITIES];
    size_t k = dice_once_in(&r->d, 9) ? 2000 : dice_below(&r->d, 12);
    f.count = land_by_tile_nearest(r->w, (float)a.centre[0], (float)a.centre[1], k, near);
    memcpy(f.e, near, f.count * sizeof *near);
    expect(r, "nearest tile", &f, wanted, look_near(r, place_point, 2, a.centre, k, wanted));
    f.count = land_by_depth_nearest(r->w, a.centre[0], a.centre[1], a.centre[2], k, near);
    memcpy(f.e, near, f.count * sizeof *near);
    expect(r, "nearest depth", &f, wanted, look_near(r, spot_point, 3, a.centre, k, wanted));
    f.count = land_by_air_nearest(r->w, (float)a.centre[0], (float)a.centre[1], (float)a.centre[2],
                                  k, near);
    memcpy(f.e, near, f.count * sizeof *near);
    expect(r, "nearest air", &f, wanted, look_near(r, air_point, 3, a.centre, k, wanted));
}

static void expect_one(run *r, const char *what, land_entity e, const keyed *wanted, size_t count)
{
    land_entity first = {0};
    if (count != 0) first = wanted[0].e;
    if (!land_same(e, first) && !(r->short_of_memory && land_is_none(e))) fail(r, what);
}

static void compare_hashes(run *r)
{
    finding f = {.count = 0};
    keyed wanted[ENTITIES];
    key k = any_key(r);
    char name[16] = {0};
    memcpy(name, k.person.name, sizeof k.person.name);
    land_by_name_each_iter it = land_by_name_each_begin(r->w, name);
    while (land_by_name_each_next(&it)) f.e[f.count++] = it.entity;
    size_t count = look_for(r, named, &k, wanted, false);
    expect(r, "by_name", &f, wanted, count);
    expect_one(r, "find by_name", land_by_name_find(r->w, name), wanted, count);
    f.count = land_by_name_count(r->w, name);
    if (f.count != count && !(r->short_of_memory && f.count == 0)) fail(r, "count by_name");
    if (!land_is_none(land_by_name_find(r->w, "far longer than a name is"))) fail(r, "too long");

    f.count = 0;
    const land_person *p = &k.person;
    land_by_team_each_iter team = land_by_team_each_begin(r->w, p->team, p->boss, p->rank);
    while (land_by_team_each_next(&team)) f.e[f.count++] = team.entity;
    count = look_for(r, teamed, &k, wanted, false);
    expect(r, "by_team", &f, wanted, count);
    expect_one(r, "find by_team", land_by_team_find(r->w, p->team, p->boss, p->rank), wanted,
               count);

    f.count = 0;
    land_by_code_each_iter code = land_by_code_each_begin(r->w, k.code);
    while (land_by_code_each_next(&code)) f.e[f.count++] = code.entity;
    count = look_for(r, coded, &k, wanted, false);
    expect(r, "by_code", &f, wanted, count);
}

static void compare_ordered(run *r)
{
    finding f = {.count = 0};
    keyed wanted[ENTITIES];
    key k = any_key(r);
    land_by_age_range_iter it = land_by_age_range_begin(r->w, (float)k.low, (float)k.high);
    while (land_by_age_range_next(&it)) f.e[f.count++] = it.entity;
    size_t count = look_for(r, aged, &k, wanted, false);
    expect(r, "by_age", &f, wanted, count);

    f.count = 0;
    land_by_heat_range_iter heat = land_by_heat_range_begin(r->w, k.low, k.high);
    while (land_by_heat_range_next(&heat)) f.e[f.count++] = heat.entity;
    count = look_for(r, heated, &k, wanted, true);
    expect(r, "by_heat", &f, wanted, count);

    f.count = 0;
    land_by_gust_range_iter gust = land_by_gust_range_begin(r->w, k.gust_low, k.gust_high);
    while (land_by_gust_range_next(&gust)) f.e[f.count++] = gust.entity;
    count = look_for(r, gusty, &k, wanted, false);
    expect(r, "by_gust", &f, wanted, count);

    key all = {.low = -INFINITY, .high = NAN, .gust_low = INT64_MIN, .gust_high = INT64_MAX};
    count = look_for(r, aged, &all, wanted, false);
    qsort(wanted, count, sizeof *wanted, compare_keyed);
    expect_one(r, "youngest", land_by_age_first(r->w), wanted, count);
    expect_one(r, "oldest", land_by_age_last(r->w), wanted + (count ? count - 1 : 0), count);
}

// An index that is asked reads changes, which others have yet to see all the more: the exact hash
// stays.
void compare(run *r)
{
    list_all(r);
    uint32_t what = dice_below(&r->d, 4);
    bool hashed = dice_once_in(&r->d, 8);
    uint64_t hash = hashed ? land_hash_exact(r->w) : 0;
    r->short_of_memory = r->starves && dice_once_in(&r->d, 2);
    if (r->short_of_memory) r->allocations_left = dice_below(&r->d, 4);
    if (what == 0) compare_grids(r);
    if (what == 0) compare_nearest(r);
    if (what == 1) compare_hashes(r);
    if (what == 2) compare_ordered(r);
    if (what == 3) compare_gauges(r);
    r->short_of_memory = false;
    if (hashed && hash != land_hash_exact(r->w)) fail(r, "another hash after asking");
}
