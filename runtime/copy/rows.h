// Copies rows, bits and sparse values. Bits of hidden tags are left to nodes.h.
#ifndef WEFT_COPY_ROWS_H
#define WEFT_COPY_ROWS_H

#include "copying.h"

// Sorts the members into groups. `starts` has one zeroed number for each table of `from`.
void weft_copy_group_all(weft_copying *c, uint32_t *starts);

// Makes space for the rows, after the handles of the copies are known. Counts the components of the
// copies. Returns false if there is no memory.
bool weft_copy_rows_ready(weft_copying *c);

// Writes the rows of the copies, after their handles were taken.
void weft_copy_rows(weft_copying *c);

#endif
