// Depth orders: the rows of a query, parents before children, for systems with `order`.
//
// A depth order is a list of runs, which are rows side by side in a table that all have one depth
// in the relation. Runs are sorted by depth, then in the order of the query:
//
//   depth 0: | table 2, rows 0-99 |  depth 1: | table 1, rows 3-7 | table 2, row 100 |  depth 2: …
//
// The runs of a parallel system also end at multiples of plan->run_rows, so that a part of its rows
// is a number of whole runs.
//
// It has the rows of all tables of the query; each walk asks the filter which of them pass. It is
// kept until the relation changes or a row moves, and then made anew: the depth of every index
// once, then a bucket for each depth. That is linear in rows and links, 20 to 60 ns a row, and does
// not recurse.
//
// Where a system asks for values of parents, the second walk over an order notes where the parents
// of all rows are, 8 bytes a row, for itself and those after it: a link and a record are two cache
// lines at random. A first walk, which may be the only one where rows move in every tick, looks
// each of them up. README.md has what a walk takes.
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

// Where the parent of a row is.
typedef struct weft_depth_place {
    uint32_t table; // id
    uint32_t row;   // UINT32_MAX: the row has no parent
} weft_depth_place;

typedef struct weft_depth_order {
    weft_region runs;   // weft_depth_run
    weft_region above;  // weft_depth_place by row of the order
    weft_region depths; // uint32_t by index: depth + 1; kept while the relation does not change
    weft_region ends;   // uint32_t by depth: the run behind its last
    uint32_t run_count;
    uint32_t indices;       // that depths has
    uint32_t deepest;       // of those
    uint32_t links_version; // that depths are of; 0: no links, and no depth is kept
    uint32_t moves;         // of the world
    bool made;              // as of both
    bool above_made;        // for the rows of `runs`
} weft_depth_order;

// Makes a depth order anew if the world has changed since. False: no memory, and the phase that
// runs will return WEFT_NO_MEMORY.
bool weft_depth_order_ready(weft_world *world, uint32_t depth_order);

// Finds the depth of every index that has links, if links have changed since. False: no memory.
bool weft_depths_ready(weft_world *world, weft_depth_order *d, const weft_relation *relation);

// The depth of an index, once that is done.
static inline uint32_t weft_depth_of(const weft_depth_order *d, uint32_t index)
{
    return index < d->indices ? ((const uint32_t *)(const void *)d->depths.base)[index] - 1 : 0;
}

// Counts and reports that a system had no turn for want of memory.
void weft_depth_order_lost(weft_world *world, uint32_t depth_order);

// Gives back the memory of all depth orders, which are made anew when they are asked for.
void weft_depth_orders_trim(weft_world *world);

static inline const weft_depth_run *weft_depth_runs(const weft_depth_order *d)
{
    return (const weft_depth_run *)(const void *)d->runs.base;
}

// Returns the run behind the last one of a depth, which is the first one of the next depth.
static inline uint32_t weft_depth_end(const weft_depth_order *d, uint32_t depth)
{
    return ((const uint32_t *)(const void *)d->ends.base)[depth];
}

// Gives where the parents of rows are. NULL: it is not noted.
static inline const weft_depth_place *weft_depth_above(const weft_depth_order *d)
{
    return d->above_made ? (const weft_depth_place *)(const void *)d->above.base : NULL;
}

// A walk over a depth order knows the runs that it has yet to begin.
typedef struct weft_depth_walk {
    const weft_depth_run *run;
    const weft_depth_run *end;
    const weft_depth_place *above; // by row of the order; NULL: it is not noted
} weft_depth_walk;

// Begins a walk with a cursor that has just begun, of the query that the order belongs to.
static inline weft_depth_walk weft_depth_order_begin(weft_cursor *c, uint32_t depth_order)
{
    const weft_depth_order *d = &c->world->depth_orders[depth_order];
    const weft_depth_run *runs = weft_depth_runs(d);
    weft_depth_walk walk = {runs, runs ? runs + d->run_count : runs, weft_depth_above(d)};
    c->row = 0;
    c->rows_end = 0;
    return walk;
}

// Finds the parent of a row of the run that the walk is in, as weft_parent_of_row does.
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

// Steps to the next run of passing rows, parents first, none longer than rows_max (UINT32_MAX: no
// limit). The cursor walks each run of the order as it walks a table.
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
