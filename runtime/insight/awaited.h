// A stop: a condition that the game waits for, and its last known state.
//
//     awaited.c    | the value that a stop depends on, and which writers may change it
//     stop_read.c  | compiles a text into a stop
//     stop_change.c| a change of a value, of one entity or of any
//     stop_any.c   | an expression that may become true for any entity
//     stop_words.c | the write that is passed to a hook, and the description of a stop that waits
//     stop.c       | the stops of a world, and evaluating those that a writer may have made true
#ifndef WEFT_INSIGHT_AWAITED_H
#define WEFT_INSIGHT_AWAITED_H

#include "../select/program.h"
#include "place.h"
#include "ring.h"

typedef enum weft_stop_kind {
    WEFT_STOP_VALUE,   // one value of an entity or a singleton
    WEFT_STOP_CHANGE,  // the value of any entity changes
    WEFT_STOP_ANY,     // an expression that any entity may fulfil
    WEFT_STOP_EVENT,   // a system emits the event
    WEFT_STOP_DESPAWN, // an entity is despawned
} weft_stop_kind;

// The change of a value that a stop waits for.
typedef enum weft_stop_change {
    WEFT_CHANGE_NONE, // it waits for a comparison
    WEFT_CHANGE_ANY,
    WEFT_CHANGE_RISES,
    WEFT_CHANGE_FALLS,
} weft_stop_change;

// An entity for which an expression is true.
typedef struct weft_passing {
    uint64_t handle;
    uint64_t look; // number of the last evaluation in which it was true
} weft_passing;

typedef struct weft_stop {
    char text[WEFT_STOP_TEXT_MAX + 1];
    weft_stop_kind kind;
    weft_stop_hook hook;
    void *user;
    weft_select_program *program; // for a value, its last test; NULL if nothing is compared
    weft_owner owner;             // of the value
    weft_stop_change change;
    double by;             // the change must be larger
    const char *by_writer; // who must make the change; NULL for any writer
    uint64_t checksum;     // of the value at the last evaluation, for a change
    uint16_t event;
    bool held;
    bool there;      // the value existed at the last evaluation
    uint64_t handle; // 0 for a singleton, or for any entity
    weft_leaf_ref leaf;
    unsigned char last[WEFT_KEPT_BYTES + 1]; // the value at the last evaluation, perhaps cut
    weft_passing *passing;                   // by entity index
    uint32_t passing_capacity;
    uint64_t looks;
    uint32_t staged; // values of the event that were staged at the last evaluation
} weft_stop;

static inline const weft_select_test *weft_stop_test(const weft_stop *stop)
{
    return &stop->program->tests[stop->program->test_count - 1];
}

// Returns the plain struct that contains the value of a stop, or NULL if the value does not exist
// now.
const unsigned char *weft_stop_value(const weft_world *world, const weft_stop *stop);

// Returns whether a set (of components, then singletons) contains one that a stop depends on.
bool weft_stop_is_about(const weft_world *world, const weft_stop *stop, const uint64_t *set);

// Returns whether a handle is alive, or was alive earlier.
bool weft_was_alive(const weft_world *world, uint64_t handle);

#endif
