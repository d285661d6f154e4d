// The state of a world with checks or watching. Time is divided into stretches, each with one
// writer: the turn of a system, the commands of a system, a load, or the game in between. The
// values of a stretch are checked when it ends, before the next writer begins.
#ifndef WEFT_INSIGHT_WATCHING_H
#define WEFT_INSIGHT_WATCHING_H

#include "../weft_insight.h"

// The rules that an entity has broken, by entity index.
typedef struct weft_broken {
    uint64_t handle;
    uint64_t rules;
} weft_broken;

// The state of one check.
typedef struct weft_checking {
    weft_region broken; // weft_broken by entity index; one for a singleton
    bool any;           // a rule was broken at some time
} weft_checking;

#define WEFT_CHECKED_ROWS 64u // that are checked together

typedef struct weft_watching {
    const char *writer; // of the current stretch; NULL for the game
    bool commands;      // the writer's commands are being applied
    bool hooks;         // they are commands of hooks
    uint64_t begun_in;  // weft_world.run.ticking when it began; 0 outside of a tick
    bool game_acted;    // the game wrote in this stretch, which continued when a phase began
    bool checks;
    bool stops;
    bool telling;       // a stop hook of the game is being called
    uint32_t next;      // the system that is expected as the next writer
    uint32_t set_words; // of a set of components, then singletons
    uint64_t *written;  // by system: the set that it may write; then the sets listed in stretch.c
    uint64_t *acted;    // the set that the game may have written in the current stretch
    uint32_t begun_at;  // version of the world when the stretch of the game began
    weft_checking *checking;      // by check; NULL without checks
    struct weft_tracing *tracing; // NULL if the world is not watched
    struct weft_ring *ring;       // NULL if the world is not watched
    struct weft_stop *stops_at;
    uint32_t stop_count;
    uint32_t stop_capacity;
    uint64_t links[2]; // links of the entity that a stop depends on: parent, next sibling
    void *plain;       // space for WEFT_CHECKED_ROWS plain structs of the largest soa component
    size_t plain_bytes;
} weft_watching;

#endif
