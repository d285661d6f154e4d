// The run of a fuzzer of indexes: a world, and what is asked of it. indexes.c changes the world,
// index_systems.c lets its systems change it, and index_compare.c compares each index with a scan
// of all entities (index_look.c). index_values.c makes random values.
#ifndef INDEX_RUN_H
#define INDEX_RUN_H

#include "land.h"

#include "dice.h"

#include <inttypes.h>
#include <stdatomic.h>

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
    bool starves;              // now and then
    bool short_of_memory;      // an index that is asked may find nothing
    uint32_t allocations_left; // while it is
    size_t bytes;              // that the world has, where they are counted
    bool shared;               // systems run in parallel, and do what is good for all of them
    atomic_uint_least64_t sum; // of what these find
} run;

// The results of a call.
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

typedef struct area {
    bool ball;
    double centre[3];
    double radius;
    double low[3];
    double high[3];
} area;

typedef struct key {
    land_person person;
    uint32_t code;
    double low;
    double high;
    int64_t gust_low;
    int64_t gust_high;
} key;

typedef bool point_of(const run *r, land_entity e, double *at);
typedef bool has_key(const run *r, land_entity e, const key *k, double *order);

// Values, some of them odd.
double any_number(dice *d);
land_place any_place(dice *d);
land_spot any_spot(dice *d);
land_air any_air(dice *d);
land_person any_person(run *r);
land_wind any_wind(dice *d);
land_mark any_mark(dice *d);
land_gauge any_gauge(dice *d);

// A scan of everything: it lists the living entities, and finds what an index should find.
void fail(const run *r, const char *what);
void list_all(run *r);
int compare_keyed(const void *a, const void *b);
void expect(run *r, const char *what, const finding *found, keyed *wanted, size_t count);
area any_area(run *r);
bool place_point(const run *r, land_entity e, double *at);
bool spot_point(const run *r, land_entity e, double *at);
bool air_point(const run *r, land_entity e, double *at);
bool wind_point(const run *r, land_entity e, double *at);
size_t look_around(const run *r, point_of *point, uint32_t dimensions, double cell, const area *a,
                   keyed *wanted);
size_t look_near(const run *r, point_of *point, uint32_t dimensions, const double *centre, size_t k,
                 keyed *wanted);
bool named(const run *r, land_entity e, const key *k, double *order);
bool teamed(const run *r, land_entity e, const key *k, double *order);
bool coded(const run *r, land_entity e, const key *k, double *order);
bool aged(const run *r, land_entity e, const key *k, double *order);
bool heated(const run *r, land_entity e, const key *k, double *order);
bool gusty(const run *r, land_entity e, const key *k, double *order);
size_t look_for(const run *r, has_key *has, const key *k, keyed *wanted, bool heat);
key any_key(run *r);

// Asks the indexes of gauges, and compares.
void compare_gauges(run *r);

// Asks an index, and compares.
void compare(run *r);

#endif
