// Values of fields out of JSON: the schema says what has to come, leaf by leaf by its rules.
#ifndef WEFT_JSON_VALUES_H
#define WEFT_JSON_VALUES_H

#include "members.h"

WEFT_EXTERN_C_BEGIN

// What a handle in the text stands for.
typedef uint64_t (*weft_json_handle)(void *context, uint64_t handle);

typedef struct weft_json_values {
    weft_json_text *text;
    uint64_t *seen; // room for the sets of fields that were there, of structs one in another
    weft_json_handle handle; // NULL: itself
    void *context;
} weft_json_values;

// Takes an object with some of these fields into a plain struct; the others stay. False: wrong, and
// the struct may be half written.
bool weft_json_fields(weft_json_values *v, const weft_field *fields, uint32_t count, void *value);

// Takes "index:generation", as bits.
bool weft_json_id(weft_json_text *t, uint64_t *handle);

WEFT_EXTERN_C_END

#endif
