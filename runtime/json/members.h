// Objects in JSON whose members are named after records of the schema.
#ifndef WEFT_JSON_MEMBERS_H
#define WEFT_JSON_MEMBERS_H

#include "text.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_JSON_NAME_BYTES 72 // longer than any name of a schema

// One object while it is read. `path_bytes` and `begun` start as zeros.
typedef struct weft_json_members {
    const char *kind;    // of what the members are, in words
    const void *records; // each begins with its name (plan/names.h)
    size_t record_bytes;
    uint32_t count;
    uint64_t *seen;    // room for a set of so many: those that were there
    size_t path_bytes; // to the object
    bool begun;
} weft_json_members;

// Words of a set of so many.
static inline size_t weft_json_words(uint32_t count)
{
    return ((size_t)count + 63) / 64;
}

// Goes over the object, member by member: takes the next name, so that its value comes then, and
// adds it to the path. False: the object is at its end, or wrong: no record has that name, or it
// was there before.
bool weft_json_next_member(weft_json_text *t, weft_json_members *members, uint32_t *record);

WEFT_EXTERN_C_END

#endif
