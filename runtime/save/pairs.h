// Pairs of fields, the result of matching the schema of a save with the schema of the world. A pair
// gives the old and the new place of a value, or is refused with a message.
#ifndef WEFT_SAVE_PAIRS_H
#define WEFT_SAVE_PAIRS_H

#include "../plan/plan.h"
#include "../value/fields.h"
#include "scratch.h"

#define WEFT_NEVER UINT32_MAX  // in place of a number: it does not exist in the other schema
#define WEFT_REFUSAL_BYTES 512 // of the message about a value that cannot be converted

typedef struct weft_schemas {
    const weft_schema *file;
    const weft_schema *world;
    weft_scratch *scratch;        // the memory of everything that is matched
    char why[WEFT_REFUSAL_BYTES]; // the message, if something cannot be converted
    size_t why_field;             // bytes of its beginning, which names the field
    uint32_t why_row;             // the row that it is about, counted from the first converted row
} weft_schemas;

// Bytes of a struct that belong to no field.
typedef struct weft_gap {
    uint32_t offset;
    uint32_t size;
} weft_gap;

// The fields of a struct of the world, each with the field that it was in the save.
typedef struct weft_field_pairs {
    const struct weft_field_pair *each; // NULL if it is not a struct
    uint32_t count;
    uint32_t gap_count;
    const weft_gap *gaps;
    bool same;  // the bytes have not changed
    bool plain; // every byte has a meaning, and all bytes are valid values
} weft_field_pairs;

typedef struct weft_field_pair {
    const weft_field *was; // NULL if the save has no value of it, or either schema does not save it
    const weft_field *is;
    bool same;                 // the bytes of the member have not changed
    bool plain;                // every byte has a meaning, and all bytes are valid values
    weft_field_pairs elements; // how one element is converted, and its fields if it is a struct
    const uint32_t *values;    // of enums: the new number of each old value, or WEFT_NEVER
    const uint32_t *places; // of arrays by enums: the new place of each old element, or WEFT_NEVER
} weft_field_pair;

// A part of a value whose bytes have not changed, but must be checked (a member) or zeroed (a gap).
typedef struct weft_value_part {
    const weft_field_pair *member; // NULL for a gap
    uint32_t field;                // the field of the value that contains it
    uint32_t offset;               // in the value
    uint32_t size;                 // of a gap
} weft_value_part;

// A component, singleton or event: its old and new description, and how its values are converted.
// Singletons and events are described as components that are not stored in tables.
typedef struct weft_match {
    const char *kind; // "component", "singleton", "event", "link"
    weft_component_info was;
    weft_component_info is;
    weft_field_pairs fields;      // if these are the same, values are copied, checked and cleaned
    const weft_value_part *parts; // the parts to check and clean in that case
    uint32_t part_count;
} weft_match;

// All components, singletons, events, relations or kinds of links of both schemas.
typedef struct weft_matched_kind {
    uint32_t *now; // by number in the save: its number in the world; WEFT_NEVER if it was removed
    uint32_t *was; // by number in the world: its number in the save; WEFT_NEVER if it is new
    weft_match **values; // by number in the world; NULL if new, or if its values are defaults
} weft_matched_kind;

typedef struct weft_matched {
    weft_schemas schemas;
    weft_matched_kind components;
    weft_matched_kind singletons;
    weft_matched_kind events;
    weft_matched_kind relations;
    weft_matched_kind links;
} weft_matched;

// Returns whether handles of the save and of the world have the same format.
bool weft_handles_same(const weft_schemas *schemas);

// Returns the name of a field's element type: a scalar, struct, extern or enum.
const char *weft_element_name(const weft_schema *schema, const weft_field *field);

// Writes the type of a field as a schema writes it, for example `f32[4]`.
void weft_type_text(const weft_schema *schema, const weft_field *field, char *text, size_t size);

// Writes to schemas->why that a field cannot take its values, and returns false.
bool weft_refuse_field(weft_schemas *schemas, const weft_match *match, const weft_field *field,
                       const char *format, ...);

#endif
