// Walking a descent: the rows of a query that pass, parents before children, as ranges.
#ifndef WEFT_DESCEND_H
#define WEFT_DESCEND_H

#include "depth.h"
#include "query.h"

WEFT_EXTERN_C_BEGIN

// The walk over a descent; the range at hand is in a cursor of the same query.
typedef struct weft_descending {
    const weft_descent_run *run; // the next
    const weft_descent_run *end;
    uint32_t row; // the next of the run before it
    uint32_t row_end;
    weft_coverage coverage; // of its table
} weft_descending;

static inline weft_descending weft_descent_begin(const weft_world *world, uint32_t descent)
{
    const weft_descent *d = &world->descents[descent];
    const weft_descent_run *runs = (const weft_descent_run *)(const void *)d->runs.base;
    weft_descending walk = {runs, runs ? runs + d->run_count : runs, 0, 0, WEFT_COVERS_NONE};
    return walk;
}

// Which rows of a run pass, from walk->row on: at most what a mask holds, and no farther than the
// stretch of rows whose marks lie together. Gives the first that passes and those that follow it;
// false: none does.
WEFT_ALWAYS_INLINE bool weft_descent_filter(weft_descending *walk, weft_cursor *c,
                                            weft_filter filter)
{
    uint32_t base = walk->row & ~63u;
    uint32_t end = walk->row_end - base;
    uint32_t together = WEFT_MARK_ROWS - base % WEFT_MARK_ROWS;
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
WEFT_ALWAYS_INLINE bool weft_next_descending(weft_descending *walk, weft_cursor *c,
                                             weft_covers covers, weft_filter filter,
                                             uint32_t rows_max)
{
    for (;;) {
        if (walk->row == walk->row_end) {
            if (walk->run == walk->end) return false;
            c->table = c->world->tables.items[walk->run->table];
            walk->coverage = covers(c->world, c->table);
            walk->row = walk->run->first;
            walk->row_end = walk->row + walk->run->count;
            walk->run++;
        }
        if (walk->coverage == WEFT_COVERS_NONE) {
            walk->row = walk->row_end;
            continue;
        }
        if (walk->coverage == WEFT_COVERS_ALL) {
            c->first = walk->row;
            c->count = walk->row_end - walk->row;
            walk->row = walk->row_end;
        } else if (!weft_descent_filter(walk, c, filter)) {
            continue;
        }
        if (c->count > rows_max) {
            c->count = rows_max;
            walk->row = c->first + rows_max;
        }
        return true;
    }
}

WEFT_EXTERN_C_END

#endif
