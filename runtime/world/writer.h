// Writers: what looks into a world is told who is about to write values. A world into which nothing
// looks pays the test of a pointer.
#ifndef WEFT_WRITER_H
#define WEFT_WRITER_H

#include "world.h"

// Is told who is about to write values, see weft_insight.h.
typedef struct weft_insight {
    bool (*open)(struct weft_world *world, const weft_options *options); // false: no memory
    void (*close)(struct weft_world *world);
    void (*writer)(struct weft_world *world, const char *name, bool commands);
    // Is told of calls of the game that write, or give it what it may write through.
    void (*calls)(struct weft_world *world, const char *call);
    const struct weft_check *checks;
    uint32_t check_count;
    uint32_t state_count; // of the last singletons, which change between the phases of a tick
} weft_insight;

// These are names of writers that no system can have. A phase writes nothing as it begins: what the
// game wrote before is looked at with the first system, or earlier.
#define WEFT_LOAD_WRITES "load"
#define WEFT_PHASE_BEGINS "a phase"

// Tells what looks into the world that from here on a system, or what is named, writes values, or
// its commands do; or the game (NULL). Systems run one by one where something does look.
static inline void weft_writer(const weft_world *world, const char *name, bool commands)
{
    if (WEFT_UNLIKELY(WEFT_OBSERVER(world, insight))) {
        world->insight->writer((weft_world *)(uintptr_t)world, name, commands);
    }
}

#endif
