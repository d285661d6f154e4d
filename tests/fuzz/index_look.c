// Scans all entities for those that an index should find.
//
// flags: hot
#include "index_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const run *r, const char *what)
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

void list_all(run *r)
{
    land_entity by_index[ENTITIES] = {{0}}; // sorting takes longer than all else in a long run
    land_everyone_iter it = land_everyone_begin(r->w);
    while (land_everyone_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) by_index[INDEX(it.entities[i])] = it.entities[i];
    }
    r->all_count = 0;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        if (!land_is_none(by_index[i])) r->all[r->all_count++] = by_index[i];
    }
}

int compare_keyed(const void *a, const void *b)
{
    const keyed *left = (const keyed *)a;
    const keyed *right = (const keyed *)b;
    if (left->first != right->first) return left->first < right->first ? -1 : 1;
    if (left->second != right->second) return left->second < right->second ? -1 : 1;
    if (left->third != right->third) return left->third < right->third ? -1 : 1;
    return compare_handles(&left->e, &right->e);
}

void expect(run *r, const char *what, const finding *found, keyed *wanted, size_t count)
{
    qsort(wanted, count, sizeof *wanted, compare_keyed);
    bool same = found->count == count;
    for (size_t i = 0; same && i < count; i++) same = land_same(found->e[i], wanted[i].e);
    r->compared++;
    r->found += count;
    if (!same && !(r->short_of_memory && found->count == 0)) {
        printf("%zu instead of %zu\n", found->count, count);
        for (size_t i = 0; i < count || i < found->count; i++) {
            printf("  %d %d\n", i < found->count ? (int)INDEX(found->e[i]) : -1,
                   i < count ? (int)INDEX(wanted[i].e) : -1);
        }
        fail(r, what);
    }
}

static int32_t cell_of(double x, double cell, double limit)
{
    double c = floor(x * (1.0 / cell));
    if (c < -limit) c = -limit;
    if (c > limit - 1) c = limit - 1;
    return (int32_t)c;
}

// The distance between two values at the same infinity is 0.
static double gap_of(double a, double b)
{
    return a == b ? 0.0 : a - b;
}

static bool inside(const area *a, const double *at, uint32_t dimensions)
{
    double distance = 0.0;
    bool in_box = true;
    for (uint32_t i = 0; i < dimensions; i++) {
        double d = gap_of(at[i], a->centre[i]);
        distance += d * d;
        in_box = in_box && at[i] >= a->low[i] && at[i] <= a->high[i];
    }
    return a->ball ? distance <= a->radius * a->radius : in_box;
}

// One time in three the centre is a whole point: some points with whole coordinates are then
// exactly at the radius.
area any_area(run *r)
{
    area a = {.ball = dice_once_in(&r->d, 2)};
    bool whole = dice_once_in(&r->d, 3);
    for (int i = 0; i < 3; i++) {
        a.centre[i] = (double)(float)any_number(&r->d);
        if (whole) a.centre[i] = (double)dice_below(&r->d, 9) - 4.0;
        a.low[i] = (double)(float)any_number(&r->d);
        a.high[i] = a.low[i] + (dice_once_in(&r->d, 9) ? INFINITY : (double)dice_below(&r->d, 8));
    }
    a.radius = dice_once_in(&r->d, 20) ? INFINITY : (double)(float)dice_below(&r->d, 9);
    return a;
}

bool place_point(const run *r, land_entity e, double *at)
{
    const land_place *p = land_place_get(r->w, e);
    if (!p) return false;
    at[0] = (double)p->x;
    at[1] = (double)p->y;
    at[2] = 0.0;
    return true;
}

bool spot_point(const run *r, land_entity e, double *at)
{
    const land_spot *p = land_spot_get(r->w, e);
    if (!p || land_asleep_has(r->w, e) || land_frozen_has(r->w, e)) return false;
    at[0] = p->x;
    at[1] = (double)p->y;
    at[2] = p->z;
    return true;
}

bool air_point(const run *r, land_entity e, double *at)
{
    const land_air *p = land_air_get(r->w, e);
    if (!p) return false;
    at[0] = (double)p->x;
    at[1] = (double)p->y;
    at[2] = (double)p->z;
    return true;
}

bool wind_point(const run *r, land_entity e, double *at)
{
    land_wind_const_columns p = land_wind_get(r->w, e);
    if (!p.u || !(land_frozen_has(r->w, e) || land_mark_has(r->w, e))) return false;
    at[0] = (double)*p.v;
    at[1] = (double)*p.u;
    at[2] = 0.0;
    return true;
}

// Finds the points in an area, in the order of cells.
size_t look_around(const run *r, point_of *point, uint32_t dimensions, double cell, const area *a,
                   keyed *wanted)
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
size_t look_near(const run *r, point_of *point, uint32_t dimensions, const double *centre, size_t k,
                 keyed *wanted)
{
    size_t count = 0;
    for (uint32_t i = 0; i < r->all_count; i++) {
        double at[3];
        double distance = 0.0;
        if (!point(r, r->all[i], at)) continue;
        for (uint32_t axis = 0; axis < dimensions; axis++) {
            distance += gap_of(at[axis], centre[axis]) * gap_of(at[axis], centre[axis]);
        }
        if (distance != distance) continue;
        wanted[count++] = (keyed){distance, 0.0, 0.0, r->all[i]};
    }
    qsort(wanted, count, sizeof *wanted, compare_keyed);
    return count < k ? count : k;
}

bool named(const run *r, land_entity e, const key *k, double *order)
{
    const land_person *p = land_person_get(r->w, e);
    (void)order;
    return p && !land_ghost_has(r->w, e) && strncmp(p->name, k->person.name, sizeof p->name) == 0;
}

bool teamed(const run *r, land_entity e, const key *k, double *order)
{
    const land_person *p = land_person_get(r->w, e);
    (void)order;
    return p && land_place_get(r->w, e) && p->team == k->person.team &&
           land_same(p->boss, k->person.boss) && p->rank == k->person.rank;
}

bool coded(const run *r, land_entity e, const key *k, double *order)
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

bool aged(const run *r, land_entity e, const key *k, double *order)
{
    const land_person *p = land_person_get(r->w, e);
    return p && land_asleep_has(r->w, e) != !land_is_none(land_under_parent(r->w, e)) &&
           ordered((double)p->age, k, order);
}

bool heated(const run *r, land_entity e, const key *k, double *order)
{
    const land_mark *m = land_mark_get(r->w, e);
    return m && ordered(m->heat, k, order);
}

bool gusty(const run *r, land_entity e, const key *k, double *order)
{
    land_wind_const_columns p = land_wind_get(r->w, e);
    if (!p.u || *p.gust < k->gust_low || *p.gust > k->gust_high) return false;
    *order = *p.gust < -1000 ? -2000.0 + (double)(*p.gust - INT64_MIN) : (double)*p.gust;
    return true;
}

// NaN is ordered after infinity.
size_t look_for(const run *r, has_key *has, const key *k, keyed *wanted, bool heat)
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

key any_key(run *r)
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
