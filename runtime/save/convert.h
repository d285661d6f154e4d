// Values of a save become values of the world, whose schema may have changed since.
//
// When a load begins, each component, singleton, event and relation of the save is matched by name
// with one of the world, and so are their fields, down into structs. Names of enums, structs and
// externs do not matter, only what is in them. The pairs of fields then lead values to their
// places, many rows at a time. A value that its new field cannot hold is refused with words, and so
// is one that its own field never held.
#ifndef WEFT_SAVE_CONVERT_H
#define WEFT_SAVE_CONVERT_H

#include "../plan/fields.h"
#include "../plan/plan.h"
#include "scratch.h"

#define WEFT_NEVER UINT32_MAX  // in place of a number: there is none in the other schema
#define WEFT_REFUSAL_BYTES 512 // of the words about what cannot be converted

typedef struct weft_schemas {
    const weft_schema *file;
    const weft_schema *world;
    weft_scratch *scratch;        // what is matched lies there
    char why[WEFT_REFUSAL_BYTES]; // something cannot be converted
    size_t why_field;             // bytes of it up to where it has named the field
    uint32_t why_row;             // the row of those to be converted that it is about
} weft_schemas;

// Bytes of a struct that are no field's.
typedef struct weft_gap {
    uint32_t offset;
    uint32_t size;
} weft_gap;

// The fields of a struct of the world, each with what it was in the save.
typedef struct weft_field_pairs {
    const struct weft_field_pair *each; // NULL: it is no struct
    uint32_t count;
    uint32_t gap_count;
    const weft_gap *gaps;
    bool same;  // the bytes are what they were
    bool plain; // every byte means something, and any bytes are a value
} weft_field_pairs;

typedef struct weft_field_pair {
    const weft_field *was; // NULL: the save has no value of it, or one of the two is not saved
    const weft_field *is;
    bool same;                 // the bytes of the member are what they were
    bool plain;                // each of them means something, and any are a value
    weft_field_pairs elements; // what holds of an element, and its fields if it is a struct
    const uint32_t *values;    // of enums: what a value of the save is now; WEFT_NEVER: none
    const uint32_t *places;    // of arrays by enums: where an element of the save is now, likewise
} weft_field_pair;

// A component, singleton or event: what it was, and how its values are converted. Singletons and
// events are described as components that lie outside of tables.
typedef struct weft_match {
    const char *kind; // "component", "singleton", "event"
    weft_component_info was;
    weft_component_info is;
    weft_field_pairs fields; // if they have not changed, values are copied, checked and cleaned
} weft_match;

// All components, singletons, events or relations of both schemas.
typedef struct weft_matched_kind {
    uint32_t *now;       // by one of the save: what it is in the world; WEFT_NEVER: gone
    uint32_t *was;       // by one of the world: what it was in the save; WEFT_NEVER: new
    weft_match **values; // by one of the world; NULL: new, or its values are defaults
} weft_matched_kind;

typedef struct weft_matched {
    weft_schemas schemas;
    weft_matched_kind components;
    weft_matched_kind singletons;
    weft_matched_kind events;
    weft_matched_kind relations;
} weft_matched;

// Matches both schemas, which are set. False: no memory (as the scratch knows), or the type of a
// field has become one that its values cannot be converted to; then schemas.why names it.
bool weft_schemas_match(weft_matched *matched);

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

// Tells whether handles of the save have the format of those in the world.
bool weft_handles_same(const weft_schemas *schemas);

// Returns a handle of the save in the format of the world; 0 if it has too many bits for that.
uint64_t weft_convert_handle(const weft_schemas *schemas, uint64_t bits);

#endif
