// The schema of a save beside the one of the world: what each component, singleton, event and
// relation was called, and how its values are carried over, worked out once for all rows.
#ifndef WEFT_SAVE_CONVERT_MATCH_H
#define WEFT_SAVE_CONVERT_MATCH_H

#include "steps.h"

WEFT_EXTERN_C_BEGIN

// How values of a component, singleton or event are carried over.
typedef struct weft_match {
    const char *kind; // "component", "singleton", "event"
    const char *name;
    const weft_field *fields; // of the world
    uint32_t field_count;
    const unsigned char *defaults;
    bool same;         // bytes are copied as they are, and steps only look at them
    uint32_t *was;     // by field: its index in the save; UINT32_MAX: it takes its default
    weft_steps *steps; // by field
    const weft_field *was_fields;
} weft_match;

// All components, singletons, events or relations of both schemas.
typedef struct weft_matched_kind {
    uint32_t *now;       // by one of the save: what it is in the world, UINT32_MAX: gone
    uint32_t *was;       // by one of the world: what it was in the save, UINT32_MAX: new
    weft_match **values; // by one of the world; NULL: new, or its values are defaults
} weft_matched_kind;

typedef struct weft_matched {
    weft_schemas schemas;
    weft_matched_kind components;
    weft_matched_kind singletons;
    weft_matched_kind events;
    weft_matched_kind relations;
} weft_matched;

// False: no memory (as the scratch says), or a field has become something it cannot be carried over
// to, which `text` says.
bool weft_schemas_match(const weft_schemas *schemas, weft_matched *matched, char *text,
                        size_t size);

WEFT_EXTERN_C_END

#endif
