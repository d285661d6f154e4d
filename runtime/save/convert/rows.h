// Values of a save carried over to the world, many rows at once.
#ifndef WEFT_SAVE_CONVERT_ROWS_H
#define WEFT_SAVE_CONVERT_ROWS_H

#include "match.h"
#include "values.h"

WEFT_EXTERN_C_BEGIN

// Values of one component in rows: columns as they lie in tables, one, or one a field (soa).
typedef struct weft_strip {
    void *const *columns;
    uint32_t first; // row
    uint32_t size;  // bytes of the plain struct
    bool soa;
    const weft_field *fields;
} weft_strip;

// Carries rows over. WEFT_MISMATCH: a value cannot be; WEFT_BAD_FILE: one could never have been
// written. `text` says which then, and the world's rows hold rubbish.
weft_status weft_carry_rows(const weft_schemas *schemas, const weft_match *match, weft_strip from,
                            weft_strip to, uint32_t rows, char *text, size_t size);

// Fills rows with defaults.
void weft_default_rows(const weft_component_info *info, weft_strip to, uint32_t rows);

WEFT_EXTERN_C_END

#endif
