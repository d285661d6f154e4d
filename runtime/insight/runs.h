// Differences between columns and their copies, run by run. A run of which much differs is kept as
// snapshots, so that none of its numbers is looked at alone; of others each number that differs is
// kept by itself.
#ifndef WEFT_INSIGHT_RUNS_H
#define WEFT_INSIGHT_RUNS_H

#include "differ.h"

// Rows of a column with their copies and the copies of their handles.
typedef struct weft_differ_span {
    weft_copied *handles;
    weft_copied *copied;
    const unsigned char *cells; // of the column
    uint32_t end;               // row
} weft_differ_span;

// Keeps what differs in rows of a column, and makes the copies equal: run by run where cells are
// numbers of one width.
void weft_differ_column(weft_differ *d, const weft_cell_plan *of, weft_format format,
                        const weft_differ_span *span);

#endif
