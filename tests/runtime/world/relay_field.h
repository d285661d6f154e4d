// The requests of a test to the systems of the relay, and their notes: weft_options.user points to
// a field.
#ifndef RELAY_FIELD_H
#define RELAY_FIELD_H

#include "relay.h"

#include <stdatomic.h>

enum { HEARD_MOST = 100 };

// A test asks the systems by this, and they note here what they have seen. `count_too` runs in
// parallel with others, and in parts.
typedef struct field {
    relay_world *w;
    uint32_t making;
    uint32_t hooks_spawn; // so many times
    uint32_t hooked;
    uint32_t alive_early; // handles that hear_early heard, and could use
    uint32_t alive;       // those that count could use
    relay_entity heard[HEARD_MOST];
    uint32_t heard_count;
    uint32_t counted;
    atomic_uint counted_too;
    uint32_t marked;
    uint32_t late_turns, late, last, next, removed, removed_shoes;
    double late_seconds;
    uint32_t took_off;  // shoes, as their hook saw it
    bool switched;      // `last` could switch a system off
    bool asks_to_count; // `make` does, in its turn
} field;

// Forgets all but the world.
void forget(field *f);

// Opens a world, and returns 0 if there is one. The others are the setup and teardown of tests.
int open_field(field *f, uint32_t workers);
int open_alone(void **state);
int open_with_workers(void **state);
int close_field(void **state);

#define EACH_WAY(test)                                                                             \
    cmocka_unit_test_setup_teardown(test, open_alone, close_field),                                \
        cmocka_unit_test_setup_teardown(test, open_with_workers, close_field)

#endif
