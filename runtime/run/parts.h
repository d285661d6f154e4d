// Parts: the rows of a query cut for several threads.
//
// The tables of a query lie one behind the other, each rounded up to units of rows; a part is a
// number of successive units, of one table or of several:
//
//     table 0   |unit|unit|unit|uni|   table 1   |u|   table 2   |unit|unit|…
//     part 0    '---------'
//     part 1              '-------------------------'
//     part 2                                                     '---------…
//
// Where to cut follows from the rows alone, never from workers, so that any number of them gives
// one result. Units are such that parts share no word of what they write: 64 rows, or 4,096 where
// change bits or tags are written.
#ifndef WEFT_PARTS_H
#define WEFT_PARTS_H

#include "../query/query.h"

#define WEFT_PART_ROWS_MIN 256u // fewer rows are not worth waking another worker

// Cuts the rows of a query as they are now into at most `most` parts, which are multiples of
// unit_rows. Returns their number, 0 without rows. O(tables).
uint32_t weft_parts_cut(const weft_query *query, uint32_t unit_rows, uint32_t most,
                        weft_part *parts);

#endif
