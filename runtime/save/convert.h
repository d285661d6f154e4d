// Converts values of a save to values of the world, whose schema may have changed since.
//
// The pairs of fields from match.h give the old and the new place of each value. Each pair is
// applied to many rows at a time. A value that its new field cannot hold is refused with a message,
// and so is a value that was invalid in its old field.
#ifndef WEFT_SAVE_CONVERT_H
#define WEFT_SAVE_CONVERT_H

#include "pairs.h"

// Rows of values in columns, as tables store them: one column of structs, or one column for each
// field (soa).
typedef struct weft_column_span {
    void *const *columns;
    uint32_t first; // the first row
} weft_column_span;

// Converts rows. If `from` and `to` have the same columns, the values are already in their place
// and are only checked. Bytes that have no meaning (saver.h) become zeros, even if the save
// contains others. So worlds with equal hashes also have equal bytes after the counts of their
// lists. Returns WEFT_MISMATCH if the schema cannot hold a value, and WEFT_BAD_FILE if a value
// could never have been written. Then schemas->why and the members after it are set, and the rows
// of the world are undefined.
weft_status weft_convert_rows(weft_schemas *schemas, const weft_match *match, weft_column_span from,
                              weft_column_span to, uint32_t rows);

// Fills rows with defaults.
void weft_default_rows(const weft_component_info *info, weft_column_span to, uint32_t rows);

// Converts a handle of the save to the handle format of the world. Returns 0 if it has too many
// bits.
uint64_t weft_convert_handle(const weft_schemas *schemas, uint64_t bits);

#endif
