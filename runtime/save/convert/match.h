// Finds what the declarations of a save are in the schema of the world.
//
// When a load begins, each component, singleton, event and relation of the save is matched by name
// with one of the world, and so are their fields, down into structs. Names of enums, structs and
// externs do not matter, only what is in them.
#ifndef WEFT_SAVE_CONVERT_MATCH_H
#define WEFT_SAVE_CONVERT_MATCH_H

#include "../../plan/fields.h"
#include "../../plan/plan.h"
#include "../scratch.h"

#define WEFT_NEVER UINT32_MAX  // in place of a number: there is none in the other schema
#define WEFT_REFUSAL_BYTES 512 // of the words about what cannot be converted

typedef struct weft_schemas {
    const weft_schema *file;
    const weft_schema *world;
    weft_scratch *scratch;        // what is matched lies there
    char why[WEFT_REFUSAL_BYTES]; // something cannot be converted
} weft_schemas;

// A field of the world and what it was in the save.
typedef struct weft_field_pair {
    const weft_field *was; // NULL: the save has no value of it, or one of the two is not saved
    const weft_field *is;
    bool same;            // the bytes of the member are what they were
    bool same_elements;   // the bytes of an element are
    bool unchecked;       // elements may have any bytes
    uint32_t inner_count; // of structs: their fields
    const struct weft_field_pair *inner;
    const uint32_t *values; // of enums: what a value of the save is now; WEFT_NEVER: none
} weft_field_pair;

// How values of a component, singleton or event lie in one of the schemas.
typedef struct weft_layout {
    const weft_field *fields;
    uint32_t field_count;
    uint32_t size; // of the plain struct
    bool soa;
    const void *defaults; // of the world alone
} weft_layout;

static inline weft_layout weft_layout_of(const weft_component_info *info)
{
    return (weft_layout){info->fields, info->field_count, info->size, info->soa, info->defaults};
}

// A component, singleton or event: what it was, and how its values are converted.
typedef struct weft_match {
    const char *kind; // "component", "singleton", "event"
    const char *name;
    weft_layout was;
    weft_layout is;
    bool same;                    // values are copied as they are, and then checked
    bool unchecked;               // and there is nothing to check
    const weft_field_pair *pairs; // by field of the world
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

// Tells whether handles of the save have the format of those in the world.
bool weft_handles_same(const weft_schemas *schemas);

// The name of what an element of a field is, as the schema has it.
const char *weft_element_name(const weft_schema *schema, const weft_field *field);

#endif
