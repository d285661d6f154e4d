// Values of a save become values of the world, whose schema may have changed since.
//
// The pairs of fields that came of matching both schemas lead values to their places, many rows at
// a time. A value that its new field cannot hold is refused with words, and so is one that its own
// field never held.
#ifndef WEFT_SAVE_CONVERT_H
#define WEFT_SAVE_CONVERT_H

#include "pairs.h"

// Rows of values: columns as they lie in tables, one of structs, or one a field (soa).
typedef struct weft_column_span {
    void *const *columns;
    uint32_t first; // row
} weft_column_span;

// Converts rows; where the columns of `from` are those of `to`, the values are there already and
// are only checked. Bytes that mean nothing (saver.h) become zeros, whatever the save has there, so
// that worlds of equal hashes have equal lists, also behind their counts. WEFT_MISMATCH: the schema
// cannot hold a value; WEFT_BAD_FILE: one could never have been written. Then schemas->why and the
// members behind it are set, and the rows of the world are undefined.
weft_status weft_convert_rows(weft_schemas *schemas, const weft_match *match, weft_column_span from,
                              weft_column_span to, uint32_t rows);

// Fills rows with defaults.
void weft_default_rows(const weft_component_info *info, weft_column_span to, uint32_t rows);

// Returns a handle of the save in the format of the world; 0 if it has too many bits for that.
uint64_t weft_convert_handle(const weft_schemas *schemas, uint64_t bits);

#endif
