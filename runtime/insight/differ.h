// Differences between values and their copies, value by value, for the ring of last writes.
//
// Rows are compared in blocks. One in which nothing differs is only read; one in which something
// does is looked through row by row while the ring keeps writes, and then copied as a whole.
#ifndef WEFT_INSIGHT_DIFFER_H
#define WEFT_INSIGHT_DIFFER_H

#include "ring.h"

#define WEFT_FLAT_MAX 16u // numbers of a cell that has no lists and strings

// A number in a cell.
typedef struct weft_flat {
    uint32_t at;
    uint32_t bytes;
} weft_flat;

// Describes the cells of a column or of a sparse store.
typedef struct weft_cell_plan {
    const weft_field *fields;
    uint32_t field_count;
    uint32_t offset;     // of the cell in the plain struct
    uint32_t bytes;      // of a cell
    uint32_t block_rows; // that are compared at once
    uint16_t flat_count; // 0: the fields have to be asked
    uint32_t run_rows;   // of such, in a run; 0: there are no runs
    uint32_t flat_bytes; // of each, if the cell is so many numbers of one size and nothing else
    weft_flat flat[WEFT_FLAT_MAX];
} weft_cell_plan;

// Describes cells that begin at a byte of the plain struct with these fields.
weft_cell_plan weft_cell_plan_of(const weft_schema *schema, const weft_field *fields,
                                 uint32_t field_count, uint32_t offset, uint32_t bytes);

// A comparison at work.
typedef struct weft_differ {
    const weft_schema *schema;
    weft_ring *ring;
    uint64_t handle;
    uint32_t first; // bytes of the plain struct in which anything differs
    uint32_t end;
} weft_differ;

// Keeps what differs in a cell, which has the handle of `d`.
void weft_differ_cell(const weft_differ *d, const weft_cell_plan *of, const unsigned char *before,
                      const unsigned char *after);

// Keeps what differs in rows, whose handles lie in `handles` as the format says, and makes the
// copies equal.
void weft_differ_rows(weft_differ *d, const weft_cell_plan *of, weft_format format,
                      const void *handles, unsigned char *copies, const unsigned char *cells,
                      uint32_t rows);

// Keeps what differs in a singleton, and makes the copy equal.
void weft_differ_singleton(weft_differ *d, const weft_singleton_info *info, unsigned char *copy,
                           const unsigned char *value);

#endif
