// The schema of a save beside the one of the world: what each component and singleton was called,
// and how its values are carried over, worked out once for all rows.
#ifndef WEFT_SAVE_MATCH_H
#define WEFT_SAVE_MATCH_H

#include "weft_save_convert.h"
#include "weft_table.h"

WEFT_EXTERN_C_BEGIN

// Values of one component in rows: columns as they lie in tables, one, or one a field (soa).
typedef struct weft_strip {
    void *const *columns;
    uint32_t first; // row
    uint32_t size;  // bytes of the plain struct
    bool soa;
    const weft_field *fields;
} weft_strip;

// How values of a component or singleton are carried over.
typedef struct weft_match {
    const char *kind; // "component", "singleton"
    const char *name;
    const weft_field *fields; // of the world
    uint32_t field_count;
    const unsigned char *defaults;
    bool same;         // bytes are copied as they are, and steps only look at them
    uint32_t *was;     // by field: its index in the save; UINT32_MAX: it takes its default
    weft_steps *steps; // by field
    const weft_field *was_fields;
} weft_match;

typedef struct weft_matched {
    weft_schemas schemas;
    uint32_t *component_now; // by component of the save: what it is in the world, UINT32_MAX: gone
    uint32_t *component_was; // by component of the world: what it was, UINT32_MAX: new
    uint32_t *singleton_now; // by singleton of the save
    uint32_t *event_now;     // by event of the save
    uint32_t *relation_now;  // by relation of the save
    weft_match **events;     // by event of the world; NULL: new
    weft_match **components; // by component of the world; NULL: its values are defaults
    weft_match **singletons; // the same
} weft_matched;

// False: no memory (as the scratch says), or a field has become something it cannot be carried over
// to, which `text` says.
bool weft_schemas_match(const weft_schemas *schemas, weft_matched *matched, char *text,
                        size_t size);

// Carries `rows` rows over. NULL: fine; else the words for what cannot be, in `text`, and the row.
// The world's rows hold rubbish then.
typedef struct weft_stopped {
    bool stopped;
    bool damaged; // what is in the save could never have been written
    uint32_t row; // which of them
} weft_stopped;

weft_stopped weft_match_rows(const weft_matched *matched, const weft_match *match, weft_strip from,
                             weft_strip to, uint32_t rows, char *text, size_t size);

// Fills rows with defaults.
void weft_default_rows(const weft_component_info *info, weft_strip to, uint32_t rows);

WEFT_EXTERN_C_END

#endif
