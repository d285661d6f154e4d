// A world keeps this while it is looked into. Time is cut into stretches, each of one writer: a
// system's turn, the commands of a system, a load, or the game between these. A stretch is looked
// at as it ends, that is before the next writer begins.
#ifndef WEFT_INSIGHT_WATCHING_H
#define WEFT_INSIGHT_WATCHING_H

#include "../weft_insight.h"

// The rules that an entity has broken, by the index of its handle.
typedef struct weft_broken {
    uint64_t handle;
    uint64_t rules;
} weft_broken;

// A check at work.
typedef struct weft_checking {
    weft_region broken; // weft_broken by index, as far as any was; one of a singleton
    bool any;           // some rule was ever broken
} weft_checking;

#define WEFT_CHECKED_ROWS 64u // are looked at together

typedef struct weft_watching {
    const char *writer; // of the stretch at hand; NULL: the game
    bool commands;      // of that writer, applied now
    bool hooks;         // these are those of hooks
    uint64_t begun_in;  // weft_world.ticking as it began; 0: outside of a tick
    bool game_acted;    // in that stretch, which went on as a phase began
    bool checks;
    bool stops;
    bool telling;                 // a hook of the game is told of a write
    uint32_t next;                // the system that may be the next writer
    uint32_t set_words;           // of a set of components, then singletons
    uint64_t *written;            // sets: by system what it may write, and at last all there is
    uint64_t *acted;              // set: what the game may have written in the stretch at hand
    uint32_t begun_at;            // version of the world as the stretch of the game began
    weft_checking *checking;      // by check; NULL: nothing is checked
    struct weft_tracing *tracing; // NULL: writes are not kept
    struct weft_ring *ring;       // likewise
    struct weft_stop *stops_at;
    uint32_t stop_count;
    uint32_t stop_capacity;
    uint64_t links[2]; // handles of the entity whose link a stop is about: parent, next sibling
    void *plain;       // space for WEFT_CHECKED_ROWS of the largest plain struct of a soa component
    size_t plain_bytes;
} weft_watching;

#endif
