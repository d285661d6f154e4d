// Parts: the rows of a parallel system, cut for workers.
//
// The tables of a query lie one behind the other, each rounded up to units of rows; a part is so
// many units in a row, of one table or of several:
//
//     table 0   |unit|unit|unit|uni|   table 1   |u|   table 2   |unit|unit|…
//     part 0    '---------'
//     part 1              '-------------------------'
//     part 2                                                     '---------…
//
// Where to cut follows from the rows alone, never from workers. Units are such that parts share no
// word of what they write: 64 rows, or 4,096 where marks or tags are written.
#ifndef WEFT_PART_H
#define WEFT_PART_H

#include "../world/world.h"

#define WEFT_PART_ROWS_MIN 256u // fewer are not worth another worker's while

// From a row of a table of the query on, up to and without one of the same table or a later one.
typedef struct weft_part {
    uint32_t number;
    uint32_t first_table; // where it stands in the query's list
    uint32_t first_row;
    uint32_t last_table;
    uint32_t end_row;
} weft_part;

typedef struct weft_parallel {
    uint32_t most;  // parts that it may have
    uint32_t count; // that it has in this turn
    weft_part parts[WEFT_PARTS_MAX];
    weft_region tag_writes[WEFT_PARTS_MAX]; // tags put in each, until all have ended (run/system.h)
    size_t tag_write_bytes[WEFT_PARTS_MAX]; // bytes of them
} weft_parallel;

// One for each parallel system, made by weft_world_open. False: no memory.
bool weft_parallels_open(weft_world *world);
void weft_parallels_close(weft_world *world);

// Cuts the rows of a parallel system as they are now. Returns how many parts there are, none
// without rows. O(tables).
uint32_t weft_parallel_cut(weft_world *world, uint32_t parallel);

#endif
