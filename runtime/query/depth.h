// Depth orders: the rows of a query, parents before children, for systems with `order`.
//
// A depth order is a list of runs: rows side by side in a table, all as deep in the relation; by depth,
// then in the order of the query. It has the rows of all tables of the query; which of them pass is
// asked in passing, as in every walk. It is kept, and made anew only where the relation or rows
// were touched since: a bucket for each depth, linear in rows and links, and nothing recurses.
#ifndef WEFT_DEPTH_ORDER_H
#define WEFT_DEPTH_ORDER_H

#include "../change/relation.h"
#include "query.h"

typedef struct weft_depth_run {
    uint32_t table; // id
    uint32_t first; // row
    uint32_t count;
} weft_depth_run;

typedef struct weft_depth_order {
    weft_region runs;   // weft_depth_run
    weft_region depths; // uint32_t by index: depth + 1; scratch, but good while the relation stays
    weft_region starts; // uint32_t by depth: scratch
    uint32_t run_count;
    uint32_t indices; // that depths has
    uint32_t deepest; // of those
    uint32_t links_version;
    uint32_t moves;    // of the world
    bool depths_known; // as of links_version
    bool made;         // as of both
} weft_depth_order;

// Depth orders of a world, made by weft_world_open. False: no memory.
bool weft_depth_orders_open(weft_world *world);
void weft_depth_orders_close(weft_world *world);

// Makes a depth order anew if it is not as the world is. False: no memory; remembered, and the phase
// that runs returns WEFT_NO_MEMORY.
bool weft_depth_order_ready(weft_world *world, uint32_t depth_order);

// The walk over a depth order; the range at hand is in a cursor of the same query.
typedef struct weft_depth_walk {
    const weft_depth_run *run; // the next
    const weft_depth_run *end;
    uint32_t row; // the next of the run before it
    uint32_t row_end;
    weft_table_match passing; // of its table
} weft_depth_walk;

static inline weft_depth_walk weft_depth_order_begin(const weft_world *world, uint32_t depth_order)
{
    const weft_depth_order *d = &world->depth_orders[depth_order];
    const weft_depth_run *runs = (const weft_depth_run *)(const void *)d->runs.base;
    weft_depth_walk walk = {runs, runs ? runs + d->run_count : runs, 0, 0, WEFT_MATCH_NONE};
    return walk;
}

// Which rows of a run pass, from walk->row on: at most what a mask holds, and no farther than the
// stretch of rows whose marks lie together. Gives the first that passes and those that follow it;
// false: none does.
WEFT_ALWAYS_INLINE bool weft_depth_order_filter(weft_depth_walk *walk, weft_cursor *c,
                                                weft_filter filter)
{
    uint32_t base = walk->row & ~63u;
    uint32_t end = walk->row_end - base;
    uint32_t together = WEFT_CHANGE_ROWS - base % WEFT_CHANGE_ROWS;
    if (end > together) end = together;
    const uint64_t *mask = filter(c->table, base / 64, (end + 63) / 64, c->computed);
    uint32_t first = weft_mask_skip(mask, walk->row - base, end, 0);
    uint32_t after = weft_mask_skip(mask, first, end, ~(uint64_t)0);
    walk->row = base + after;
    c->first = base + first;
    c->count = after - first;
    return c->count != 0;
}

// Runs of passing rows, parents first, none longer than rows_max (UINT32_MAX: as long as may be).
WEFT_ALWAYS_INLINE bool weft_next_by_depth(weft_depth_walk *walk, weft_cursor *c,
                                           weft_match_table match, weft_filter filter,
                                           uint32_t rows_max)
{
    for (;;) {
        if (walk->row == walk->row_end) {
            if (walk->run == walk->end) return false;
            c->table = c->world->tables.items[walk->run->table];
            walk->passing = match(c->world, c->table);
            walk->row = walk->run->first;
            walk->row_end = walk->row + walk->run->count;
            walk->run++;
        }
        if (walk->passing == WEFT_MATCH_NONE) {
            walk->row = walk->row_end;
            continue;
        }
        if (walk->passing == WEFT_MATCH_ALL) {
            c->first = walk->row;
            c->count = walk->row_end - walk->row;
            walk->row = walk->row_end;
        } else if (!weft_depth_order_filter(walk, c, filter)) {
            continue;
        }
        if (c->count > rows_max) {
            c->count = rows_max;
            walk->row = c->first + rows_max;
        }
        return true;
    }
}

#endif
