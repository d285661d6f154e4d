// Finds differences between values and their copies, value by value, for the ring of last writes.
//
// Rows are compared in blocks. A block without differences is only read. Another block is compared
// row by row, as long as the ring stores writes, and then copied as a whole.
#ifndef WEFT_INSIGHT_DIFFER_H
#define WEFT_INSIGHT_DIFFER_H

#include "ring.h"

#define WEFT_FLAT_MAX 16u // the most numbers of a cell without lists and strings

// A number in a cell: its offset and size.
typedef struct weft_flat {
    uint32_t at;
    uint32_t bytes;
} weft_flat;

// The layout of the cells of a column or of a sparse store.
typedef struct weft_cell_plan {
    const weft_field *fields;
    uint32_t field_count;
    uint32_t offset;     // of the cell in the plain struct
    uint32_t bytes;      // of a cell
    uint32_t block_rows; // compared at once
    uint16_t flat_count; // 0 if the cell must be compared field by field
    uint32_t run_rows;   // rows of a run; 0 if the column has no runs
    uint32_t flat_bytes; // size of each number if the cell is only numbers of one size, else 0
    weft_flat flat[WEFT_FLAT_MAX];
} weft_cell_plan;

// Describes cells that begin at byte `offset` of the plain struct with these fields.
weft_cell_plan weft_cell_plan_of(const weft_schema *schema, const weft_field *fields,
                                 uint32_t field_count, uint32_t offset, uint32_t bytes);

// The state of a comparison.
typedef struct weft_differ {
    const weft_schema *schema;
    weft_ring *ring;
    uint64_t handle;
    uint32_t first; // the bytes of the plain struct that may differ
    uint32_t end;
} weft_differ;

// Stores the differences in one cell. `d` contains the handle of its entity.
void weft_differ_cell(const weft_differ *d, const weft_cell_plan *of, const unsigned char *before,
                      const unsigned char *after);

// Stores the differences in rows, and updates the copies. `handles` contains the handles of the
// rows in the given format.
void weft_differ_rows(weft_differ *d, const weft_cell_plan *of, weft_format format,
                      const void *handles, unsigned char *copies, const unsigned char *cells,
                      uint32_t rows);

// Stores the differences in a singleton, and updates the copy.
void weft_differ_singleton(weft_differ *d, const weft_singleton_info *info, unsigned char *copy,
                           const unsigned char *value);

#endif
