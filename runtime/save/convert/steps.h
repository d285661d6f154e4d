// From a field of a save to one of the world, as a short list of steps, each of which copies,
// converts or checks what lies at one place. The two fields, which may differ in all but their
// meaning, are compared once; the steps are walked for each row (weft_save_convert.h).
#ifndef WEFT_SAVE_CONVERT_STEPS_H
#define WEFT_SAVE_CONVERT_STEPS_H

#include "../../plan/fields.h"
#include "../../plan/plan.h"
#include "../scratch.h"

WEFT_EXTERN_C_BEGIN

typedef enum weft_step_kind {
    WEFT_STEP_COPY,   // bytes as they are
    WEFT_STEP_NUMBER, // of any type to any type
    WEFT_STEP_BOOL,
    WEFT_STEP_ENUM,
    WEFT_STEP_ENTITY,
    WEFT_STEP_STRING,
    WEFT_STEP_ARRAY, // of structs: what follows, once an element
    WEFT_STEP_LIST,  // what follows, once an item
} weft_step_kind;

typedef struct weft_step {
    weft_step_kind kind;
    uint32_t from; // bytes from the start of the member, or of the element, in the save
    uint32_t to;   // the same in the world
    uint32_t from_size;
    uint32_t to_size;
    uint32_t count; // elements; COPY: bytes; LIST, STRING: room in the world
    uint32_t room;  // LIST, STRING: room in the save
    uint32_t from_items;
    uint32_t to_items;
    uint32_t follow;        // ARRAY, LIST: steps of an element
    const uint32_t *values; // ENUM: what a value of the save is now, UINT32_MAX: nothing
    const void *fresh;      // LIST: an item of a struct with its defaults, else NULL
    const weft_field *was;  // the innermost fields
    const weft_field *is;
} weft_step;

typedef struct weft_steps {
    const weft_step *items;
    uint32_t count;
} weft_steps;

// Both schemas, and what steps are made of.
typedef struct weft_schemas {
    const weft_schema *file;
    const weft_schema *world;
    weft_scratch *scratch;
} weft_schemas;

// Whether a handle of the save is the same bits in the world.
bool weft_handles_same(const weft_schemas *schemas);

// The field that a field of the world was in the save: of the same name, or else of its old one.
// NULL: none.
const weft_field *weft_field_before(const weft_field *field, const weft_field *fields,
                                    uint32_t count);

// The steps from one field to another. Those with `only_checks` are for members that are copied as
// they are, and look at them in place. False: no memory (remembered by the scratch), or the types
// have nothing to do with each other, and *was and *is say of which fields.
bool weft_steps_make(const weft_schemas *schemas, const weft_field *from, const weft_field *to,
                     bool only_checks, weft_steps *steps, const weft_field **was,
                     const weft_field **is);

// Whether bytes of one are bytes of the other, and all of them are saved.
bool weft_fields_same(const weft_schemas *schemas, const weft_field *from, uint32_t from_count,
                      const weft_field *to, uint32_t to_count);

WEFT_EXTERN_C_END

#endif
