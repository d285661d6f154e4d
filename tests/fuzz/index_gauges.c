// Indexes by a field of each type: keys at the ends of their ranges, zeros of both signs, NaN, and
// whole coordinates that no f32 keeps.
//
// flags: hot
#include "index_run.h"

#include <math.h>

static const double odd[] = {0.0, -0.0, 1.0, -1.0, 0x1p-149, INFINITY, -INFINITY, NAN};
static const int8_t smalls[] = {INT8_MIN, -1, 0, 1, INT8_MAX};
static const int64_t wholes[] = {INT64_MIN, INT64_MIN + 1, -1, 0, INT64_MAX};
static const uint64_t greats[] = {0, 1, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX};
static const int32_t columns[] = {INT32_MIN, INT32_MIN + 1, -3, -1, 0, 1, 3, 4, INT32_MAX};
static const uint32_t lines[] = {0, 1, 2, 3, 4, 6, INT32_MAX, UINT32_MAX - 1, UINT32_MAX};

land_gauge any_gauge(dice *d)
{
    land_gauge g = land_gauge_defaults();
    g.flag = dice_once_in(d, 2);
    g.small = smalls[dice_below(d, 5)];
    g.whole = wholes[dice_below(d, 5)];
    g.great = greats[dice_below(d, 5)];
    g.weight = (float)odd[dice_below(d, 8)];
    g.share = odd[dice_below(d, 8)];
    g.column = columns[dice_below(d, 9)];
    g.line = lines[dice_below(d, 9)];
    return g;
}

typedef bool same_gauge(const land_gauge *a, const land_gauge *b);

static bool same_number(double a, double b)
{
    return a == b || (a != a && b != b);
}

static bool same_flag(const land_gauge *a, const land_gauge *b)
{
    return a->flag == b->flag;
}

static bool same_whole(const land_gauge *a, const land_gauge *b)
{
    return a->whole == b->whole && a->small == b->small;
}

static bool same_great(const land_gauge *a, const land_gauge *b)
{
    return a->great == b->great;
}

static bool same_weight(const land_gauge *a, const land_gauge *b)
{
    return same_number((double)a->weight, (double)b->weight);
}

static bool same_share(const land_gauge *a, const land_gauge *b)
{
    return same_number(a->share, b->share) && same_weight(a, b);
}

static size_t look_same(const run *r, same_gauge *same, const land_gauge *k, keyed *wanted)
{
    size_t count = 0;
    for (uint32_t i = 0; i < r->all_count; i++) {
        const land_gauge *g = land_gauge_get(r->w, r->all[i]);
        if (!g || !same(g, k)) continue;
        if (same == same_share && land_ghost_has(r->w, r->all[i])) continue;
        wanted[count++] = (keyed){.e = r->all[i]};
    }
    return count;
}

// Compares the results for a key, one by one, the first one and the count.
static void expect_same(run *r, same_gauge *same, const land_gauge *k, const finding *f,
                        land_entity first, size_t counted)
{
    keyed wanted[ENTITIES];
    size_t count = look_same(r, same, k, wanted);
    expect(r, "a hash of gauges", f, wanted, count);
    land_entity least = count != 0 ? wanted[0].e : (land_entity){0};
    if (!land_same(first, least) && !(r->short_of_memory && land_is_none(first))) {
        fail(r, "find a gauge");
    }
    if (counted != count && !(r->short_of_memory && counted == 0)) fail(r, "count gauges");
}

static void compare_whole_keys(run *r, const land_gauge *k)
{
    finding f = {.count = 0};
    land_by_flag_each_iter flag = land_by_flag_each_begin(r->w, k->flag);
    while (land_by_flag_each_next(&flag)) f.e[f.count++] = flag.entity;
    expect_same(r, same_flag, k, &f, land_by_flag_find(r->w, k->flag),
                land_by_flag_count(r->w, k->flag));

    f.count = 0;
    land_by_whole_each_iter whole = land_by_whole_each_begin(r->w, k->whole, k->small);
    while (land_by_whole_each_next(&whole)) f.e[f.count++] = whole.entity;
    expect_same(r, same_whole, k, &f, land_by_whole_find(r->w, k->whole, k->small),
                land_by_whole_count(r->w, k->whole, k->small));

    f.count = 0;
    land_by_great_each_iter great = land_by_great_each_begin(r->w, k->great);
    while (land_by_great_each_next(&great)) f.e[f.count++] = great.entity;
    expect_same(r, same_great, k, &f, land_by_great_find(r->w, k->great),
                land_by_great_count(r->w, k->great));
}

// -0 finds 0, and NaN of either sign finds NaN.
static void compare_float_keys(run *r, const land_gauge *k)
{
    finding f = {.count = 0};
    float weight = k->weight == 0.0f || k->weight != k->weight ? -k->weight : k->weight;
    land_by_weight_each_iter heavy = land_by_weight_each_begin(r->w, weight);
    while (land_by_weight_each_next(&heavy)) f.e[f.count++] = heavy.entity;
    expect_same(r, same_weight, k, &f, land_by_weight_find(r->w, weight),
                land_by_weight_count(r->w, weight));

    f.count = 0;
    land_by_share_each_iter share = land_by_share_each_begin(r->w, k->share, weight);
    while (land_by_share_each_next(&share)) f.e[f.count++] = share.entity;
    expect_same(r, same_share, k, &f, land_by_share_find(r->w, k->share, weight),
                land_by_share_count(r->w, k->share, weight));
}

// A double tells the values apart that there are.
static size_t look_between(const run *r, const land_gauge *low, const land_gauge *high, bool great,
                           keyed *wanted)
{
    size_t count = 0;
    for (uint32_t i = 0; i < r->all_count; i++) {
        const land_gauge *g = land_gauge_get(r->w, r->all[i]);
        if (!g) continue;
        bool in = great ? g->great >= low->great && g->great <= high->great
                        : g->small >= low->small && g->small <= high->small;
        double order = great ? (double)g->great : (double)g->small;
        if (in) wanted[count++] = (keyed){.first = order, .e = r->all[i]};
    }
    return count;
}

static void compare_ranges(run *r, const land_gauge *low, const land_gauge *high)
{
    finding f = {.count = 0};
    keyed wanted[ENTITIES];
    land_from_small_range_iter small = land_from_small_range_begin(r->w, low->small, high->small);
    while (land_from_small_range_next(&small)) f.e[f.count++] = small.entity;
    expect(r, "from_small", &f, wanted, look_between(r, low, high, false, wanted));

    f.count = 0;
    land_from_great_range_iter great = land_from_great_range_begin(r->w, low->great, high->great);
    while (land_from_great_range_next(&great)) f.e[f.count++] = great.entity;
    expect(r, "from_great", &f, wanted, look_between(r, low, high, true, wanted));
}

static bool corner_point(const run *r, land_entity e, double *at)
{
    const land_gauge *g = land_gauge_get(r->w, e);
    if (!g) return false;
    at[0] = g->column;
    at[1] = g->line;
    at[2] = 0.0;
    return true;
}

// About the corner of a gauge, as far as another one's or a little less or more.
static void compare_corners(run *r, const land_gauge *k, const land_gauge *other)
{
    double dx = (double)other->column - (double)k->column;
    double dy = (double)other->line - (double)k->line;
    area a = {.ball = dice_once_in(&r->d, 2), .centre = {k->column, k->line}};
    a.radius = sqrt(dx * dx + dy * dy);
    if (dice_once_in(&r->d, 3)) a.radius = nextafter(a.radius, dice_once_in(&r->d, 2) ? 0.0 : 1e9);
    a.low[0] = k->column;
    a.low[1] = other->line;
    a.high[0] = other->column;
    a.high[1] = k->line;

    finding f = {.count = 0};
    keyed wanted[ENTITIES];
    land_by_corner_near_iter it =
        a.ball ? land_by_corner_near_begin(r->w, a.centre[0], a.centre[1], a.radius)
               : land_by_corner_box_begin(r->w, a.low[0], a.low[1], a.high[0], a.high[1]);
    while (land_by_corner_near_next(&it)) f.e[f.count++] = it.entity;
    size_t count = look_around(r, corner_point, 2, 3.0, &a, wanted);
    expect(r, "by_corner", &f, wanted, count);

    land_entity near[ENTITIES];
    size_t most = dice_below(&r->d, 12);
    f.count = land_by_corner_nearest(r->w, a.centre[0], a.centre[1], most, near);
    for (size_t i = 0; i < f.count; i++) f.e[i] = near[i];
    count = look_near(r, corner_point, 2, a.centre, most, wanted);
    expect(r, "nearest corner", &f, wanted, count);
}

void compare_gauges(run *r)
{
    land_gauge k = any_gauge(&r->d);
    land_gauge other = any_gauge(&r->d);
    compare_whole_keys(r, &k);
    compare_float_keys(r, &k);
    compare_ranges(r, &k, &other);
    compare_corners(r, &k, &other);
}
