// Values of a save become values of the world, whose schema may have changed since: the pairs of
// fields (match.h) lead them there, many rows at a time. A value that its new field cannot hold is
// refused with words, and so is one that its own field never held.
#ifndef WEFT_SAVE_CONVERT_H
#define WEFT_SAVE_CONVERT_H

#include "match.h"

// Rows of values: columns as they lie in tables, one of structs, or one a field (soa).
typedef struct weft_column_span {
    void *const *columns;
    uint32_t first; // row
} weft_column_span;

// Converts rows; where the columns of `from` are those of `to`, the values are there already and
// are only checked. WEFT_MISMATCH: the schema cannot hold a value; WEFT_BAD_FILE: one could never
// have been written. schemas->why is then set, and the rows of the world are undefined.
weft_status weft_convert_rows(weft_schemas *schemas, const weft_match *match, weft_column_span from,
                              weft_column_span to, uint32_t rows);

// Fills rows with defaults.
void weft_default_rows(const weft_layout *layout, weft_column_span to, uint32_t rows);

// A handle of the save in the format of the world; 0 if it has too many bits for that.
uint64_t weft_convert_handle(const weft_schemas *schemas, uint64_t bits);

#endif
