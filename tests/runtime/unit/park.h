// A world with one entity that has a field of every kind, for the tests of paths and of reflection.
#ifndef PARK_H
#define PARK_H

#include "fields_fixture.h"

typedef struct park {
    zoo_world *zoo;
    weft_world *world;
    uint64_t e; // worker, velocity (soa), position, burning (sparse), selected (a tag)
} park;

// Set up and tear down a test of cmocka: its state is the park.
int open_park(void **state);
int close_park(void **state);

// The plain struct of a component of `e`.
zoo_worker worker_of(const park *p);
zoo_velocity velocity_of(const park *p);

// Reads, or writes and reads again, the number at a path of `e`. Fails the test if it is refused.
double number(const park *p, const char *path);
void set_number(const park *p, const char *path, double value);

#define PARK_TEST(function) cmocka_unit_test_setup_teardown(function, open_park, close_park)

#endif
