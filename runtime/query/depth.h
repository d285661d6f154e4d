// Depth orders: the rows of a query, parents before children, for systems with `order`.
//
// A depth order is a list of runs. A run is a range of rows of a table that have the same depth in
// the relation. Runs are sorted by depth, then in the order of the query:
//
//   depth 0: | table 2, rows 0-99 |  depth 1: | table 1, rows 3-7 | table 2, row 100 |  depth 2: …
//
// The runs of a parallel system also end at multiples of plan->run_rows, so that each part of its
// rows consists of whole runs.
//
// A depth order contains all rows of the query's tables; each walk uses the filter to select
// passing rows. It is valid until the relation changes or a row moves, and then rebuilt: first the
// depth of every index, then a bucket for each depth. This is linear in rows and links, 20 to 60 ns
// a row, and does not recurse.
//
// If a system reads values of parents, the second walk over an order stores the locations of all
// rows' parents, 8 bytes a row, for itself and later walks. A lookup costs two random cache lines,
// for a link and a record. The first walk uses lookups, because it may be the only one if rows move
// in every tick.
#ifndef WEFT_DEPTH_H
#define WEFT_DEPTH_H

#include "../world/relation.h"
#include "query.h"

typedef struct weft_depth_run {
    uint32_t table; // id
    uint32_t first; // row
    uint32_t count;
    uint32_t before; // rows of the runs before it
} weft_depth_run;

// The location of a row's parent.
typedef struct weft_depth_place {
    uint32_t table; // id
    uint32_t row;   // UINT32_MAX: the row has no parent
} weft_depth_place;

typedef struct weft_depth_order {
    weft_region runs;   // weft_depth_run
    weft_region above;  // weft_depth_place by row of the order
    weft_region depths; // uint32_t by index: depth + 1; valid while the relation does not change
    weft_region ends;   // uint32_t by depth: the run after its last
    uint32_t run_count;
    uint32_t indices;       // indices in `depths`
    uint32_t deepest;       // the greatest depth
    uint32_t links_version; // version of the relation for `depths`; 0: no links, and no depth is
                            // stored
    uint32_t moves;         // moves of the world when it was built
    bool made;              // valid for links_version and moves
    bool above_made;        // `above` is valid for `runs`
} weft_depth_order;

// Rebuilds a depth order if the world has changed. Returns false if there is no memory; the current
// phase then returns WEFT_NO_MEMORY.
bool weft_depth_order_ready(weft_world *world, uint32_t depth_order);

// Computes the depth of every index with links, if links have changed. Returns false if there is no
// memory.
bool weft_depths_ready(weft_world *world, weft_depth_order *d, const weft_relation *relation);

// Returns the depth of an index, after weft_depths_ready.
static inline uint32_t weft_depth_of(const weft_depth_order *d, uint32_t index)
{
    return index < d->indices ? ((const uint32_t *)(const void *)d->depths.base)[index] - 1 : 0;
}

// Counts and reports that a system had no turn because there was no memory.
void weft_depth_order_lost(weft_world *world, uint32_t depth_order);

// Frees the memory of all depth orders; they are rebuilt when they are needed.
void weft_depth_orders_trim(weft_world *world);

static inline const weft_depth_run *weft_depth_runs(const weft_depth_order *d)
{
    return (const weft_depth_run *)(const void *)d->runs.base;
}

// Returns the run after the last one of a depth, which is the first one of the next depth.
static inline uint32_t weft_depth_end(const weft_depth_order *d, uint32_t depth)
{
    return ((const uint32_t *)(const void *)d->ends.base)[depth];
}

// Returns the locations of the rows' parents, or NULL if they are not stored.
static inline const weft_depth_place *weft_depth_above(const weft_depth_order *d)
{
    return d->above_made ? (const weft_depth_place *)(const void *)d->above.base : NULL;
}

// A walk over a depth order: the runs that it has not begun.
typedef struct weft_depth_walk {
    const weft_depth_run *run;
    const weft_depth_run *end;
    const weft_depth_place *above; // by row of the order; NULL: not stored
} weft_depth_walk;

// Begins a walk, with a cursor that has just begun on the query of the order.
static inline weft_depth_walk weft_depth_order_begin(weft_cursor *c, uint32_t depth_order)
{
    const weft_depth_order *d = &c->world->run.depth_orders[depth_order];
    const weft_depth_run *runs = weft_depth_runs(d);
    weft_depth_walk walk = {runs, runs ? runs + d->run_count : runs, weft_depth_above(d)};
    c->row = 0;
    c->rows_end = 0;
    return walk;
}

// Returns the parent of a row of the current run, like weft_parent_of_row.
WEFT_ALWAYS_INLINE weft_parent_row weft_depth_parent(const weft_depth_walk *walk,
                                                     const weft_world *world, weft_format f,
                                                     uint32_t relation, const weft_table *table,
                                                     uint32_t row)
{
    if (!walk->above) return weft_parent_of_row(world, f, relation, table, row);
    const weft_depth_run *run = walk->run - 1;
    weft_depth_place at = walk->above[run->before + (row - run->first)];
    weft_parent_row parent = {world->tables.items[0], 0, UINT32_MAX};
    if (at.row == UINT32_MAX) return parent;
    parent.table = world->tables.items[at.table];
    parent.row = at.row;
    parent.index = weft_handle_index(f, weft_handle_load(f, weft_column(parent.table, 0), at.row));
    return parent;
}

// Limits a walk that has just begun to a part of the runs.
static inline void weft_depth_walk_keep_to(weft_depth_walk *walk, const weft_part *part)
{
    walk->end = walk->run + part->end_run;
    walk->run += part->first_run;
}

// Advances to the next run of passing rows, parents first. No run is longer than rows_max
// (UINT32_MAX: no limit). The cursor walks each run of the order like a table.
WEFT_ALWAYS_INLINE bool weft_next_by_depth(weft_depth_walk *walk, weft_cursor *c,
                                           weft_match_table match, weft_filter filter,
                                           uint32_t rows_max)
{
    for (;;) {
        while (c->row == c->rows_end) {
            if (walk->run == walk->end) return false;
            c->table = c->world->tables.items[walk->run->table];
            weft_table_match passing = match(c->world, c->table);
            c->whole = passing == WEFT_MATCH_ALL;
            c->row = walk->run->first;
            c->rows_end = c->row + (passing == WEFT_MATCH_NONE ? 0 : walk->run->count);
            c->chunk_end = c->row;
            walk->run++;
        }
        if (c->whole) {
            weft_cursor_whole(c, rows_max);
            return true;
        }
        if (weft_cursor_masked(c, filter, rows_max)) return true;
    }
}

#endif
