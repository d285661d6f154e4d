// Random operations on a world with indexes, which find what a look at every entity finds: millions
// of them with an argument, which is how many, and one more, which is the seed.
#include "land.h"

#include "dice.h"
#include "weft_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SLOW_MACHINE
#endif
#endif

#if defined(WEFT_HARD) || defined(SLOW_MACHINE)
#define OPERATIONS 3000u
#else
#define OPERATIONS 40000u
#endif

#define ENTITIES 1024u // indices that there can be
#define INDEX(e) ((e).bits & (ENTITIES - 1u))

typedef struct run {
    dice d;
    land_world *w;
    uint32_t population;       // how many entities it tends to
    land_entity all[ENTITIES]; // those alive, by index, as list_all found them
    uint32_t all_count;
    uint64_t compared;
    uint64_t found;
    bool shared;               // systems run in parallel, and do what is good for all of them
    atomic_uint_least64_t sum; // of what these find
} run;

// Holds what a call found.
typedef struct finding {
    land_entity e[ENTITIES];
    size_t count;
} finding;

typedef struct keyed {
    double first; // by which findings are sorted, then by the next
    double second;
    double third;
    land_entity e;
} keyed;

static void fail(const run *r, const char *what)
{
    printf("%s after %" PRIu64 " comparisons\n0 passed, 1 failed\n", what, r->compared);
    exit(1);
}

static int compare_handles(const void *a, const void *b)
{
    uint32_t left = INDEX(*(const land_entity *)a);
    uint32_t right = INDEX(*(const land_entity *)b);
    return left < right ? -1 : left > right;
}

static void list_all(run *r)
{
    land_everyone_iter it = land_everyone_begin(r->w);
    r->all_count = 0;
    while (land_everyone_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) r->all[r->all_count++] = it.entities[i];
    }
    qsort(r->all, r->all_count, sizeof *r->all, compare_handles);
}

static int compare_keyed(const void *a, const void *b)
{
    const keyed *left = (const keyed *)a;
    const keyed *right = (const keyed *)b;
    if (left->first != right->first) return left->first < right->first ? -1 : 1;
    if (left->second != right->second) return left->second < right->second ? -1 : 1;
    if (left->third != right->third) return left->third < right->third ? -1 : 1;
    return compare_handles(&left->e, &right->e);
}

static void expect(run *r, const char *what, const finding *found, keyed *wanted, size_t count)
{
    qsort(wanted, count, sizeof *wanted, compare_keyed);
    bool same = found->count == count;
    for (size_t i = 0; same && i < count; i++) same = land_same(found->e[i], wanted[i].e);
    r->compared++;
    r->found += count;
    if (!same) {
        printf("%zu instead of %zu\n", found->count, count);
        for (size_t i = 0; i < count || i < found->count; i++) {
            printf("  %d %d\n", i < found->count ? (int)INDEX(found->e[i]) : -1,
                   i < count ? (int)INDEX(wanted[i].e) : -1);
        }
        fail(r, what);
    }
}

// ------------------------------------------------------------------------------------------------
// Values

static double any_number(dice *d)
{
    static const double odd[] = {0.0, -0.0,     0x1p100,   -0x1p100,
                                 3e9, INFINITY, -INFINITY, NAN}; // floats
    if (dice_once_in(d, 40)) return odd[dice_below(d, 8)];
    double spread = dice_once_in(d, 50) ? 1000.0 : 16.0;
    return (double)dice_below(d, 256) / 256.0 * spread - spread / 2.0 + 0.25 * dice_below(d, 4);
}

static land_place any_place(dice *d)
{
    return (land_place){(float)any_number(d), (float)any_number(d)};
}

static land_spot any_spot(dice *d)
{
    land_spot s = land_spot_defaults();
    s.x = any_number(d);
    s.y = (float)any_number(d);
    s.z = (int16_t)((int)dice_below(d, 9) - 4);
    return s;
}

static land_person any_person(run *r)
{
    dice *d = &r->d;
    land_person p = land_person_defaults();
    static const char names[][12] = {"a", "Islin", "Islinda", "eleven byte"};
    memcpy(p.name, names[dice_below(d, 4)], sizeof p.name);
    if (dice_once_in(d, 2)) p.name[0] = (char)('a' + dice_below(d, 20));
    p.team = (uint16_t)dice_below(d, 3);
    if (dice_once_in(d, 2) && r->all_count != 0) p.boss = r->all[dice_below(d, 2) % r->all_count];
    p.age = dice_once_in(d, 2) ? (float)dice_below(d, 12) : (float)any_number(d);
    p.rank = (land_rank)dice_below(d, 3);
    return p;
}

static land_wind any_wind(dice *d)
{
    land_wind wind = {(float)any_number(d), (float)any_number(d), 0};
    wind.gust = dice_once_in(d, 4) ? INT64_MIN + (int64_t)dice_below(d, 3)
                                   : (int64_t)dice_below(d, 40) - 20;
    return wind;
}

static land_mark any_mark(dice *d)
{
    return (land_mark){dice_below(d, 30), any_number(d)};
}

// ------------------------------------------------------------------------------------------------
// A look at everything

static int32_t cell_of(double x, double cell, double limit)
{
    double c = floor(x * (1.0 / cell));
    if (c < -limit) c = -limit;
    if (c > limit - 1) c = limit - 1;
    return (int32_t)c;
}

typedef struct area {
    bool ball;
    double centre[3];
    double radius;
    double low[3];
    double high[3];
} area;

static bool inside(const area *a, const double *at, uint32_t dimensions)
{
    double distance = 0.0;
    bool in_box = true;
    for (uint32_t i = 0; i < dimensions; i++) {
        double d = at[i] - a->centre[i];
        distance += d * d;
        in_box = in_box && at[i] >= a->low[i] && at[i] <= a->high[i];
    }
    return a->ball ? distance <= a->radius * a->radius : in_box;
}

static area any_area(run *r)
{
    area a = {.ball = dice_once_in(&r->d, 2)};
    for (int i = 0; i < 3; i++) {
        a.centre[i] = (double)(float)any_number(&r->d);
        a.low[i] = (double)(float)any_number(&r->d);
        a.high[i] = a.low[i] + (dice_once_in(&r->d, 9) ? INFINITY : (double)dice_below(&r->d, 8));
    }
    a.radius = dice_once_in(&r->d, 20) ? INFINITY : (double)(float)dice_below(&r->d, 9);
    return a;
}

static bool place_point(const run *r, land_entity e, double *at)
{
    const land_place *p = land_place_get(r->w, e);
    if (!p) return false;
    at[0] = (double)p->x;
    at[1] = (double)p->y;
    at[2] = 0.0;
    return true;
}

static bool spot_point(const run *r, land_entity e, double *at)
{
    const land_spot *p = land_spot_get(r->w, e);
    if (!p || land_asleep_has(r->w, e) || land_frozen_has(r->w, e)) return false;
    at[0] = p->x;
    at[1] = (double)p->y;
    at[2] = p->z;
    return true;
}

static bool wind_point(const run *r, land_entity e, double *at)
{
    land_wind_const_columns p = land_wind_get(r->w, e);
    if (!p.u || !(land_frozen_has(r->w, e) || land_mark_has(r->w, e))) return false;
    at[0] = (double)*p.v;
    at[1] = (double)*p.u;
    at[2] = 0.0;
    return true;
}

typedef bool point_of(const run *r, land_entity e, double *at);

// Finds what lies in an area, in the order of cells.
static size_t look_around(const run *r, point_of *point, uint32_t dimensions, double cell,
                          const area *a, keyed *wanted)
{
    double limit = dimensions == 3 ? 1048576.0 : 1073741824.0;
    size_t count = 0;
    for (uint32_t i = 0; i < r->all_count; i++) {
        double at[3];
        if (!point(r, r->all[i], at) || !inside(a, at, dimensions)) continue;
        if (at[0] != at[0] || at[1] != at[1] || at[2] != at[2]) continue;
        wanted[count].first = dimensions == 3 ? cell_of(at[2], cell, limit) : 0;
        wanted[count].second = cell_of(at[1], cell, limit);
        wanted[count].third = cell_of(at[0], cell, limit);
        wanted[count++].e = r->all[i];
    }
    return count;
}

// Finds the nearest.
static size_t look_near(const run *r, point_of *point, uint32_t dimensions, const double *centre,
                        size_t k, keyed *wanted)
{
    size_t count = 0;
    for (uint32_t i = 0; i < r->all_count; i++) {
        double at[3];
        double distance = 0.0;
        if (!point(r, r->all[i], at)) continue;
        for (uint32_t axis = 0; axis < dimensions; axis++) {
            distance += (at[axis] - centre[axis]) * (at[axis] - centre[axis]);
        }
        if (distance != distance) continue;
        wanted[count++] = (keyed){distance, 0.0, 0.0, r->all[i]};
    }
    qsort(wanted, count, sizeof *wanted, compare_keyed);
    return count < k ? count : k;
}

typedef struct key {
    land_person person;
    uint32_t code;
    double low;
    double high;
    int64_t gust_low;
    int64_t gust_high;
} key;

typedef bool has_key(const run *r, land_entity e, const key *k, double *order);

static bool named(const run *r, land_entity e, const key *k, double *order)
{
    const land_person *p = land_person_get(r->w, e);
    (void)order;
    return p && !land_ghost_has(r->w, e) && strncmp(p->name, k->person.name, sizeof p->name) == 0;
}

static bool teamed(const run *r, land_entity e, const key *k, double *order)
{
    const land_person *p = land_person_get(r->w, e);
    (void)order;
    return p && land_place_get(r->w, e) && p->team == k->person.team &&
           land_same(p->boss, k->person.boss) && p->rank == k->person.rank;
}

static bool coded(const run *r, land_entity e, const key *k, double *order)
{
    const land_mark *m = land_mark_get(r->w, e);
    (void)order;
    return m && m->code == k->code;
}

static bool ordered(double value, const key *k, double *order)
{
    double v = value == value ? value : INFINITY;
    *order = v;
    bool above = k->low == k->low ? !(value < k->low) : value != value;
    bool below = k->high == k->high ? value <= k->high : true;
    return above && below;
}

static bool aged(const run *r, land_entity e, const key *k, double *order)
{
    const land_person *p = land_person_get(r->w, e);
    return p && land_asleep_has(r->w, e) != !land_is_none(land_under_parent(r->w, e)) &&
           ordered((double)p->age, k, order);
}

static bool heated(const run *r, land_entity e, const key *k, double *order)
{
    const land_mark *m = land_mark_get(r->w, e);
    return m && ordered(m->heat, k, order);
}

static bool gusty(const run *r, land_entity e, const key *k, double *order)
{
    land_wind_const_columns p = land_wind_get(r->w, e);
    if (!p.u || *p.gust < k->gust_low || *p.gust > k->gust_high) return false;
    *order = *p.gust < -1000 ? -2000.0 + (double)(*p.gust - INT64_MIN) : (double)*p.gust;
    return true;
}

// NaN comes behind infinity.
static size_t look_for(const run *r, has_key *has, const key *k, keyed *wanted, bool heat)
{
    size_t count = 0;
    for (uint32_t i = 0; i < r->all_count; i++) {
        double order = 0.0;
        if (!has(r, r->all[i], k, &order)) continue;
        const land_person *p = land_person_get(r->w, r->all[i]);
        const land_mark *m = land_mark_get(r->w, r->all[i]);
        double value = heat ? (m ? m->heat : 0.0) : p ? (double)p->age : 0.0;
        bool none = (has == aged || has == heated) && value != value;
        wanted[count++] = (keyed){order, none, 0.0, r->all[i]};
    }
    return count;
}

static key any_key(run *r)
{
    key k = {.person = any_person(r), .code = dice_below(&r->d, 30)};
    k.low = dice_once_in(&r->d, 9) ? any_number(&r->d) : (double)dice_below(&r->d, 12) - 4.0;
    k.high = dice_once_in(&r->d, 9) ? any_number(&r->d) : k.low + (double)dice_below(&r->d, 8);
    k.low = (double)(float)k.low;
    k.high = (double)(float)k.high;
    k.gust_low = dice_once_in(&r->d, 2) ? INT64_MIN : (int64_t)dice_below(&r->d, 40) - 20;
    k.gust_high = k.gust_low + (int64_t)dice_below(&r->d, 10);
    return k;
}

// ------------------------------------------------------------------------------------------------
// Comparing what the game finds

static void compare_grids(run *r)
{
    finding f = {.count = 0};
    keyed wanted[ENTITIES];
    area a = any_area(r);
    land_entity near[ENTITIES];
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

    size_t k = dice_once_in(&r->d, 9) ? 2000 : dice_below(&r->d, 12);
    f.count = land_by_tile_nearest(r->w, (float)a.centre[0], (float)a.centre[1], k, near);
    memcpy(f.e, near, f.count * sizeof *near);
    expect(r, "nearest tile", &f, wanted, look_near(r, place_point, 2, a.centre, k, wanted));
    f.count = land_by_depth_nearest(r->w, a.centre[0], a.centre[1], a.centre[2], k, near);
    memcpy(f.e, near, f.count * sizeof *near);
    expect(r, "nearest depth", &f, wanted, look_near(r, spot_point, 3, a.centre, k, wanted));
}

static void expect_one(run *r, const char *what, land_entity e, const keyed *wanted, size_t count)
{
    land_entity first = {0};
    if (count != 0) first = wanted[0].e;
    if (!land_same(e, first)) fail(r, what);
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
    if (land_by_name_count(r->w, name) != count) fail(r, "count by_name");
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
static void compare(run *r)
{
    list_all(r);
    uint32_t what = dice_below(&r->d, 3);
    bool hashed = dice_once_in(&r->d, 8);
    uint64_t hash = hashed ? land_hash_exact(r->w) : 0;
    if (what == 0) compare_grids(r);
    if (what == 1) compare_hashes(r);
    if (what == 2) compare_ordered(r);
    if (hashed && hash != land_hash_exact(r->w)) fail(r, "another hash after asking");
}

// ------------------------------------------------------------------------------------------------
// Systems

void land_move(const land_move_ctx *ctx, uint32_t count, land_place *WEFT_RESTRICT place)
{
    run *r = (run *)ctx->user;
    for (uint32_t i = 0; r->shared && i < count; i++) {
        if ((ctx->entities[i].bits + ctx->tick) % 5 == 0) place[i].x += place[i].x < 9 ? 1.5f : -9;
    }
    if (r->shared) return;
    for (uint32_t i = 0; i < count; i++) {
        if (dice_once_in(&r->d, 3)) place[i] = any_place(&r->d);
    }
}

void land_sink(const land_sink_ctx *ctx, uint32_t count, weft_rows rows,
               land_spot *WEFT_RESTRICT spot)
{
    run *r = (run *)ctx->user;
    (void)count;
    for (uint32_t i; weft_next(&rows, &i);) spot[i] = any_spot(&r->d);
}

void land_warm(const land_warm_ctx *ctx, uint32_t count, const uint32_t *WEFT_RESTRICT rows,
               land_mark *const *mark)
{
    run *r = (run *)ctx->user;
    (void)rows;
    for (uint32_t k = 0; k < count; k++) {
        if (dice_once_in(&r->d, 2)) *mark[k] = any_mark(&r->d);
    }
}

// All that it finds stays as it was at the begin of its turn, whatever it writes meanwhile.
void land_doze(const land_doze_ctx *ctx, uint32_t count, land_person *person)
{
    run *r = (run *)ctx->user;
    land_entity found[ENTITIES];
    size_t n = 0;
    char name[16] = {0};
    if (r->shared) return;
    memcpy(name, person[0].name, sizeof person[0].name);
    size_t named_so = land_doze_by_name_count(ctx, name);
    land_entity first = land_doze_by_age_first(ctx);
    land_by_name_each_iter it = land_doze_by_name_each_begin(ctx, name);
    while (land_by_name_each_next(&it)) found[n++] = it.entity;
    if (n != named_so) fail(r, "a count in a system");
    for (uint32_t i = 0; i < count; i++) {
        if (dice_once_in(&r->d, 2)) person[i] = any_person(r);
        if (dice_once_in(&r->d, 2)) land_doze_asleep_put(ctx, i, dice_once_in(&r->d, 2));
    }
    it = land_doze_by_name_each_begin(ctx, name);
    for (size_t i = 0; i < n; i++) {
        if (!land_by_name_each_next(&it) || !land_same(it.entity, found[i])) {
            fail(r, "a system sees what it wrote");
        }
    }
    if (land_by_name_each_next(&it)) fail(r, "a system sees more");
    if (!land_same(first, land_doze_by_age_first(ctx))) fail(r, "another first");
}

void land_blow(const land_blow_ctx *ctx, uint32_t count, land_wind_columns wind)
{
    run *r = (run *)ctx->user;
    for (uint32_t i = 0; i < count; i++) {
        if (!dice_once_in(&r->d, 3)) continue;
        land_wind value = any_wind(&r->d);
        wind.u[i] = value.u;
        wind.v[i] = value.v;
        wind.gust[i] = value.gust;
        land_blow_wind_touch(ctx, i);
    }
}

void land_seek(const land_seek_ctx *ctx, uint32_t count, const land_place *WEFT_RESTRICT place)
{
    run *r = (run *)ctx->user;
    keyed wanted[ENTITIES];
    for (uint32_t i = 0; r->shared && i < count; i++) {
        land_by_tile_near_iter it = land_seek_by_tile_near_begin(ctx, place[i].x, place[i].y, 2.5f);
        uint64_t sum = 0;
        while (land_by_tile_near_next(&it)) sum = sum * 31 + it.entity.bits;
        atomic_fetch_add(&r->sum, sum);
    }
    if (r->shared) return;
    for (uint32_t i = 0; i < count; i += 7) {
        finding f = {.count = 0};
        area a = {.ball = true, .radius = 3.0};
        a.centre[0] = (double)place[i].x;
        a.centre[1] = (double)place[i].y;
        land_by_tile_near_iter it = land_seek_by_tile_near_begin(ctx, place[i].x, place[i].y, 3.0f);
        while (land_by_tile_near_next(&it)) f.e[f.count++] = it.entity;
        expect(r, "by_tile in a system", &f, wanted,
               look_around(r, place_point, 2, 2.0, &a, wanted));
    }
    key k = any_key(r);
    finding f = {.count = 0};
    land_by_heat_range_iter heat = land_seek_by_heat_range_begin(ctx, k.low, k.high);
    while (land_by_heat_range_next(&heat)) f.e[f.count++] = heat.entity;
    expect(r, "by_heat in a system", &f, wanted, look_for(r, heated, &k, wanted, true));
    size_t coded_so = look_for(r, coded, &k, wanted, false);
    if (land_seek_by_code_count(ctx, k.code) != coded_so) fail(r, "by_code in a system");
    land_entity near[4];
    f.count = land_seek_by_depth_nearest(ctx, 0.0, 1.0, 2.0, 4, near);
    memcpy(f.e, near, f.count * sizeof *near);
    const double centre[] = {0.0, 1.0, 2.0};
    expect(r, "by_depth in a system", &f, wanted, look_near(r, spot_point, 3, centre, 4, wanted));
}

void land_peek(const land_peek_ctx *ctx, uint32_t count)
{
    run *r = (run *)ctx->user;
    (void)count;
    land_entity near[16];
    size_t found = land_peek_by_tile_nearest(ctx, 1.0f, 2.0f, 16, near);
    for (size_t i = 0; r->shared && i < found; i++) atomic_fetch_add(&r->sum, near[i].bits * i);
    land_by_heat_range_iter it = land_peek_by_heat_range_begin(ctx, -1.0, 9.0);
    uint64_t sum = 0;
    while (land_by_heat_range_next(&it)) sum = sum * 31 + it.entity.bits;
    if (r->shared) atomic_fetch_add(&r->sum, sum);
}

void land_notice(const land_notice_ctx *ctx, uint32_t count, const land_place *WEFT_RESTRICT place)
{
    (void)ctx;
    (void)count;
    (void)place;
}

void land_meddle(const land_meddle_ctx *ctx, uint32_t count)
{
    run *r = (run *)ctx->user;
    (void)count;
    land_by_tile_box_iter it = land_meddle_by_tile_box_begin(ctx, -4.0f, -4.0f, 4.0f, 4.0f);
    while (land_by_tile_box_next(&it)) {
        uint32_t what = dice_below(&r->d, 12);
        if (what == 0) land_cmd_despawn(ctx->cmd, it.entity);
        if (what == 1) land_cmd_place_set(ctx->cmd, it.entity, any_place(&r->d));
        if (what == 2) land_cmd_frozen_set(ctx->cmd, it.entity, (land_frozen){1});
        if (what == 3) land_cmd_place_remove(ctx->cmd, it.entity);
    }
    land_entity last = land_meddle_by_gust_last(ctx);
    if (!land_is_none(last)) land_cmd_wind_set(ctx->cmd, last, any_wind(&r->d));
}

// ------------------------------------------------------------------------------------------------
// Operations

static void change_values(run *r, land_entity e)
{
    switch (dice_below(&r->d, 5)) {
    case 0:
        land_place_set(r->w, e, any_place(&r->d));
        return;
    case 1:
        land_spot_set(r->w, e, any_spot(&r->d));
        return;
    case 2:
        land_person_set(r->w, e, any_person(r));
        return;
    case 3:
        land_wind_set(r->w, e, any_wind(&r->d));
        return;
    default:
        land_mark_set(r->w, e, any_mark(&r->d));
        return;
    }
}

static void edit_values(run *r, land_entity e)
{
    land_place *place = land_place_edit(r->w, e);
    land_mark *mark = land_mark_edit(r->w, e);
    land_wind_columns wind = land_wind_edit(r->w, e);
    if (place && dice_once_in(&r->d, 2)) *place = any_place(&r->d);
    if (mark && dice_once_in(&r->d, 2)) mark->heat = any_number(&r->d);
    if (wind.u && dice_once_in(&r->d, 2)) *wind.u = (float)any_number(&r->d);
}

static void take_away(run *r, land_entity e)
{
    switch (dice_below(&r->d, 8)) {
    case 0:
        land_place_remove(r->w, e);
        return;
    case 1:
        land_spot_remove(r->w, e);
        return;
    case 2:
        land_person_remove(r->w, e);
        return;
    case 3:
        land_mark_remove(r->w, e);
        return;
    case 4:
        land_frozen_remove(r->w, e);
        return;
    case 5:
        land_wind_remove(r->w, e);
        return;
    case 6:
        land_strip(r->w, e);
        return;
    default:
        land_despawn(r->w, e);
        return;
    }
}

static void change_tags(run *r, land_entity e)
{
    switch (dice_below(&r->d, 6)) {
    case 0:
        land_asleep_set(r->w, e);
        return;
    case 1:
        land_asleep_remove(r->w, e);
        return;
    case 2:
        land_ghost_set(r->w, e);
        return;
    case 3:
        land_ghost_remove(r->w, e);
        return;
    case 4:
        land_frozen_set(r->w, e, (land_frozen){2});
        return;
    default:
        if (dice_once_in(&r->d, 2)) {
            land_under_detach(r->w, e);
        } else {
            land_under_attach(r->w, e, r->all[dice_below(&r->d, r->all_count)]);
        }
        return;
    }
}

static void merge(run *r)
{
    land_world *part = land_fragment_open(NULL);
    if (!part) fail(r, "no memory");
    for (uint32_t turn = 0; turn < 2; turn++) {
        for (uint32_t i = dice_below(&r->d, 20); i != 0; i--) {
            land_entity e = land_walker_spawn(part, NULL);
            land_place_set(part, e, any_place(&r->d));
            if (dice_once_in(&r->d, 2)) land_mark_set(part, e, any_mark(&r->d));
        }
        land_by_tile_near_iter it = land_by_tile_near_begin(part, 0.0f, 0.0f, INFINITY);
        size_t count = 0;
        while (land_by_tile_near_next(&it)) count += land_alive(part, it.entity);
        (void)count;
        if (land_stats(r->w).entities > 700) break;
        if (land_fragment_merge(r->w, part, NULL, 0) != WEFT_OK) fail(r, "no merge");
        if (land_by_tile_nearest(part, 0.0f, 0.0f, 1, r->all) != 0) fail(r, "not empty");
    }
    land_close(part);
    list_all(r);
}

static void save_and_load(run *r)
{
    void *bytes;
    size_t count;
    if (land_save_memory(r->w, &bytes, &count) != WEFT_OK) fail(r, "no save");
    uint64_t hash = land_hash_exact(r->w);
    if (dice_once_in(&r->d, 2)) land_place_clear(r->w);
    if (land_load_memory(r->w, bytes, count) != WEFT_OK) fail(r, land_error(r->w));
    if (hash != land_hash_exact(r->w)) fail(r, "another hash after a load");
    free(bytes);
}

typedef struct text {
    char *bytes;
    size_t count;
} text;

static weft_status append(void *user, const char *piece, size_t bytes)
{
    text *t = (text *)user;
    char *longer = (char *)realloc(t->bytes, t->count + bytes);
    if (!longer) return WEFT_NO_MEMORY;
    memcpy(longer + t->count, piece, bytes);
    t->bytes = longer;
    t->count += bytes;
    return WEFT_OK;
}

// Reads the world back from its text, by which entities get other handles.
static void write_and_read(run *r)
{
    text t = {NULL, 0};
    weft_world *base = land_world_base(r->w);
    if (weft_json_world_write(base, append, &t) != WEFT_OK) fail(r, "no text");
    land_reset(r->w);
    if (weft_json_world_read(base, t.bytes, t.count) != WEFT_OK) fail(r, land_error(r->w));
    free(t.bytes);
    list_all(r);
}

static void change_much(run *r)
{
    land_person all;
    switch (dice_below(&r->d, 14)) {
    case 0:
        land_place_clear(r->w);
        return;
    case 13:
        write_and_read(r);
        return;
    case 10:
        land_folk_asleep_set_all(r->w);
        return;
    case 11:
        land_folk_asleep_remove_all(r->w);
        return;
    case 12:
        all = any_person(r);
        land_folk_person_set_all(r->w, all);
        return;
    case 1:
        land_mark_clear(r->w);
        return;
    case 2:
        land_asleep_clear(r->w);
        return;
    case 3:
        land_frozen_clear(r->w);
        return;
    case 4:
        land_recycle(r->w);
        return;
    case 5:
        land_trim(r->w);
        return;
    case 6:
        merge(r);
        return;
    case 7:
        if (dice_once_in(&r->d, 4)) land_reset(r->w);
        return;
    default:
        save_and_load(r);
        return;
    }
}

static void spawn(run *r)
{
    if (r->all_count > r->population || land_stats(r->w).entities > 900) return;
    land_entity e = dice_once_in(&r->d, 2) ? land_spawn(r->w) : land_walker_spawn(r->w, NULL);
    if (land_is_none(e)) return;
    for (uint32_t i = dice_below(&r->d, 5); i != 0; i--) change_values(r, e);
}

static void operate(run *r)
{
    uint32_t what = dice_below(&r->d, 64);
    list_all(r);
    if (r->all_count == 0 || what < 20) {
        spawn(r);
        return;
    }
    land_entity e = r->all[dice_below(&r->d, r->all_count)];
    if (what < 32) change_values(r, e);
    if (what >= 32 && what < 44) edit_values(r, e);
    if (what >= 44 && what < 54) take_away(r, e);
    if (what >= 54 && what < 62) change_tags(r, e);
    if (what == 62 && land_tick(r->w, 0.1) != WEFT_OK) fail(r, "a tick failed");
    if (what == 61 && dice_once_in(&r->d, 4)) (void)land_fresh_begin(r->w);
    if (what == 63 && dice_once_in(&r->d, 8)) change_much(r);
}

// Runs the systems with so many workers, and returns a hash of the world and of what they found.
static uint64_t share(uint32_t workers)
{
    static run r;
    r = (run){.d = {3}, .shared = true};
    weft_options options = {.user = &r, .workers = workers};
    r.w = land_open(&options);
    for (uint32_t i = 0; r.w && i < 900; i++) {
        land_entity e = land_walker_spawn(r.w, NULL);
        land_place_set(r.w, e, (land_place){(float)(i % 30) - 15.0f, (float)(i / 30)});
        if (i % 3 == 0) land_mark_set(r.w, e, any_mark(&r.d));
    }
    for (uint32_t i = 0; r.w && i < 12; i++) {
        if (land_tick(r.w, 0.1) != WEFT_OK) fail(&r, "a tick with workers failed");
    }
    uint64_t hash = r.w ? land_hash_exact(r.w) ^ atomic_load(&r.sum) : 0;
    land_close(r.w);
    return hash;
}

int main(int argc, char **argv)
{
    uint64_t operations = argc > 1 ? strtoull(argv[1], NULL, 10) : OPERATIONS;
    static run r;
    r.d = (dice){argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    weft_options options = {.user = &r};
    r.w = land_open(&options);
    if (!r.w) fail(&r, "no memory");
    for (uint64_t i = 0; i < operations; i++) {
        if (i % 4096 == 0) r.population = dice_once_in(&r.d, 2) ? 40 : 700;
        operate(&r);
        if (dice_once_in(&r.d, 3)) compare(&r);
    }
    if (share(0) != share(3)) fail(&r, "workers find something else");
    printf("%" PRIu64 " comparisons found %" PRIu64 " entities\n1 passed, 0 failed\n", r.compared,
           r.found);
    land_close(r.w);
    return 0;
}
