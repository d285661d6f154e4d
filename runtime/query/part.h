// Parts: the rows of a parallel system, cut for workers.
//
// The tables of a query lie one behind the other, each rounded up to units of rows; a part is a
// number of successive units, of one table or of several:
//
//     table 0   |unit|unit|unit|uni|   table 1   |u|   table 2   |unit|unit|…
//     part 0    '---------'
//     part 1              '-------------------------'
//     part 2                                                     '---------…
//
// Where to cut follows from the rows alone, never from workers, so that any number of them gives one
// result. Units are such that parts share no word of what they write: 64 rows, or 4,096 where
// change bits or tags are written.
#ifndef WEFT_PART_H
#define WEFT_PART_H

#include "../world/world.h"

#define WEFT_PART_ROWS_MIN 256u // fewer rows are not worth waking another worker

// A part goes from a row of a table up to, and without, a row of this or a later table of the query.
typedef struct weft_part {
    uint32_t number;
    uint32_t first_table; // by its place in the query's list
    uint32_t first_row;
    uint32_t last_table;
    uint32_t end_row;
} weft_part;

// A part keeps its tag writes one behind the other until all parts have ended (run/system.h).
typedef struct weft_kept_writes {
    weft_region memory;
    size_t bytes; // in use
} weft_kept_writes;

typedef struct weft_parallel {
    uint32_t most;  // parts that it may have
    uint32_t count; // parts that it has in this turn
    weft_part parts[WEFT_PARTS_MAX];
    weft_kept_writes tag_writes[WEFT_PARTS_MAX]; // by part
} weft_parallel;

// Opens one for each parallel system; called by weft_world_open. False: no memory.
bool weft_parallels_open(weft_world *world);
void weft_parallels_close(weft_world *world);

// Cuts the rows of a parallel system as they are now. Returns the number of parts, 0 without rows.
// O(tables).
uint32_t weft_parallel_cut(weft_world *world, uint32_t parallel);

#endif
