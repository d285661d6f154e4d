// A stop: what the game waits for while it is looked into, and what is known of it.
//
//     awaited.c    | the value that a stop is about, and which writers may change it
//     stop_read.c  | a text becomes a stop
//     stop_any.c   | an expression that some entity may come to pass
//     stop_words.c | what is told of a stop that holds, and of one that waits
//     stop.c       | the stops of a world, and looking at those that a writer may have made hold
#ifndef WEFT_INSIGHT_AWAITED_H
#define WEFT_INSIGHT_AWAITED_H

#include "../select/program.h"
#include "place.h"
#include "ring.h"

typedef enum weft_stop_kind {
    WEFT_STOP_VALUE,   // one value of an entity or a singleton
    WEFT_STOP_ANY,     // an expression, of any entity
    WEFT_STOP_EVENT,   // some system emits it
    WEFT_STOP_DESPAWN, // the end of an entity
} weft_stop_kind;

// An entity that passes an expression.
typedef struct weft_passing {
    uint64_t handle;
    uint64_t look; // the last one in which it passed
} weft_passing;

typedef struct weft_stop {
    char text[WEFT_STOP_TEXT_MAX + 1];
    weft_stop_kind kind;
    weft_stop_hook hook;
    void *user;
    weft_select_program *program; // of a value, its last test; NULL: nothing is compared
    weft_owner owner;             // of the value
    uint16_t event;
    bool held;
    bool there;      // it had a value as it was last looked at,
    uint64_t handle; // 0: of a singleton, or any entity
    weft_leaf_ref leaf;
    unsigned char last[WEFT_KEPT_BYTES + 1]; // as far as it is kept
    weft_passing *passing;                   // by the index of entities
    uint32_t passing_capacity;
    uint64_t looks;
    uint32_t staged; // values of the event that were staged as it was last looked at
} weft_stop;

static inline const weft_select_test *weft_stop_test(const weft_stop *stop)
{
    return &stop->program->tests[stop->program->test_count - 1];
}

// Returns the plain value that a stop of one value is about; NULL: there is none now.
const unsigned char *weft_stop_value(const weft_world *world, const weft_stop *stop);

// Says whether a set of components, then singletons, has anything that a stop is about.
bool weft_stop_is_about(const weft_world *world, const weft_stop *stop, const uint64_t *set);

// Says whether a handle is alive, or ever was.
bool weft_was_alive(const weft_world *world, uint64_t handle);

#endif
