// Writers: what looks into a world is told who is about to write values. A world into which nothing
// looks pays the test of a pointer.
#ifndef WEFT_WRITER_H
#define WEFT_WRITER_H

#include "world.h"

struct weft_part;

// Is told who is about to write values, see weft_insight.h.
typedef struct weft_insight {
    bool (*open)(struct weft_world *world, const weft_options *options); // false: no memory
    void (*close)(struct weft_world *world);
    void (*writer)(struct weft_world *world, const char *name, bool commands);
    // Is told of calls of the game that write, or give it what it may write through.
    void (*calls)(struct weft_world *world, const char *call);
    // Begins a pass of so many systems over a query. False: they are to run one after the other.
    bool (*pass)(struct weft_world *world, const weft_query *query, uint32_t system,
                 uint32_t count);
    // Looks at rows of a query behind the system of the pass that had them; WEFT_NONE: before any.
    void (*rows)(struct weft_world *world, const weft_query *query, const struct weft_part *rows,
                 uint32_t system);
    void (*pass_end)(struct weft_world *world);
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
