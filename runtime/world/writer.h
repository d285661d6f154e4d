// Writers: notifies insight of who is about to write values. Without insight this costs the test of
// a pointer.
#ifndef WEFT_WRITER_H
#define WEFT_WRITER_H

#include "world.h"

// The interface of insight, see weft_insight.h.
typedef struct weft_insight {
    bool (*open)(struct weft_world *world, const weft_options *options); // false: no memory
    void (*close)(struct weft_world *world);
    void (*writer)(struct weft_world *world, const char *name, bool commands);
    // Called for each call of the game that writes, or that returns a pointer to write to.
    void (*calls)(struct weft_world *world, const char *call);
    const struct weft_check *checks;
    uint32_t check_count;
    uint32_t state_count; // number of state singletons, the last ones; they change between the
                          // phases of a tick
} weft_insight;

// Names of writers that no system can have. A phase itself writes nothing when it begins: values
// that the game wrote before are checked with the first system, or earlier.
#define WEFT_LOAD_WRITES "load"
#define WEFT_PHASE_BEGINS "a phase"
#define WEFT_GAME_WRITES "the game" // reported where the writer is NULL

// Notifies insight that from now on `name` (a system or one of the names above) writes values, or
// its commands do; NULL means the game. With insight, systems never run in parallel.
static inline void weft_writer(const weft_world *world, const char *name, bool commands)
{
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, observers.insight))) {
        world->observers.insight->writer((weft_world *)(uintptr_t)world, name, commands);
    }
}

#endif
