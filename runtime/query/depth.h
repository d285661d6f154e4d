// Descents: the rows of a query, parents before children, for systems with `order`.
//
// A descent is a list of runs: rows side by side in a table, all as deep in the relation; by depth,
// then in the order of the query. It has the rows of all tables of the query; which of them pass is
// asked in passing, as in every walk. It is kept, and made anew only where the relation or rows
// were touched since: a bucket for each depth, linear in rows and links, and nothing recurses.
#ifndef WEFT_DESCENT_H
#define WEFT_DESCENT_H

#include "../change/relation.h"

WEFT_EXTERN_C_BEGIN

typedef struct weft_descent_run {
    uint32_t table; // id
    uint32_t first; // row
    uint32_t count;
} weft_descent_run;

typedef struct weft_descent {
    weft_region runs;   // weft_descent_run
    weft_region depths; // uint32_t by index: depth + 1; scratch, but good while the relation stays
    weft_region starts; // uint32_t by depth: scratch
    uint32_t run_count;
    uint32_t indices; // that depths has
    uint32_t deepest; // of those
    uint32_t links_version;
    uint32_t moves;    // of the world
    bool depths_known; // as of links_version
    bool made;         // as of both
} weft_descent;

// Descents of a world, made by weft_world_open. False: no memory.
bool weft_descents_open(weft_world *world);
void weft_descents_close(weft_world *world);

// Makes a descent anew if it is not as the world is. False: no memory; remembered, and the phase
// that runs returns WEFT_NO_MEMORY.
bool weft_descent_ready(weft_world *world, uint32_t descent);

WEFT_EXTERN_C_END

#endif
