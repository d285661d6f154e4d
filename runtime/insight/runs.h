// Finds differences between columns and their copies, run by run. A run with many differences is
// stored as snapshots, so its numbers are not handled one by one. In other runs, each number that
// differs is stored by itself.
#ifndef WEFT_INSIGHT_RUNS_H
#define WEFT_INSIGHT_RUNS_H

#include "differ.h"

// Rows of a column, with their copies and the copies of their handles.
typedef struct weft_differ_span {
    weft_copied *handles;
    weft_copied *copied;
    const unsigned char *cells; // of the column
    uint32_t end;               // number of rows
} weft_differ_span;

// Stores the differences in a column and updates the copy: run by run if the cells are numbers of
// one size.
void weft_differ_column(weft_differ *d, const weft_cell_plan *of, weft_format format,
                        const weft_differ_span *span);

#endif
