// Pairs of fields come of matching the schema of a save with that of a world. They lead values to
// their places, or are refused in words.
#ifndef WEFT_SAVE_PAIRS_H
#define WEFT_SAVE_PAIRS_H

#include "../plan/plan.h"
#include "../value/fields.h"
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

// A part of values whose bytes are what they were: a member that has to be looked at, or a gap.
typedef struct weft_value_part {
    const weft_field_pair *member; // NULL: it is a gap
    uint32_t field;                // of the value, that it lies in
    uint32_t offset;               // in the value
    uint32_t size;                 // of a gap
} weft_value_part;

// A component, singleton or event: what it was, and how its values are converted. Singletons and
// events are described as components that lie outside of tables.
typedef struct weft_match {
    const char *kind; // "component", "singleton", "event"
    weft_component_info was;
    weft_component_info is;
    weft_field_pairs fields; // if they have not changed, values are copied, checked and cleaned
    const weft_value_part *parts; // to be checked and cleaned then
    uint32_t part_count;
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

// Tells whether handles of the save have the format of those in the world.
bool weft_handles_same(const weft_schemas *schemas);

// Returns the name of what a field has one or many of: of a scalar, struct, extern or enum.
const char *weft_element_name(const weft_schema *schema, const weft_field *field);

// Writes the type of a field as a schema would name it, `f32[4]`.
void weft_type_text(const weft_schema *schema, const weft_field *field, char *text, size_t size);

// Writes to schemas->why that a field of the match cannot have its values, and returns false.
bool weft_refuse_field(weft_schemas *schemas, const weft_match *match, const weft_field *field,
                       const char *format, ...);

#endif
