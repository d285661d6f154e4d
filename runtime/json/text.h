// Reading JSON piece by piece, by RFC 8259 and nothing beside it: no comments, no comma at the end.
//
// The schema says at each place what has to come next, so the caller asks for exactly that. There
// is no tree, no memory is taken, and nothing recurses deeper than the structs of the schema. Every
// function returns false where the text is wrong: the world then has the message with line, column
// and path, `status` says so, and the caller returns at once without reading on.
#ifndef WEFT_JSON_TEXT_H
#define WEFT_JSON_TEXT_H

#include "../weft_json.h"

#define WEFT_JSON_PATH_BYTES 96 // of the path in a message; a longer one is cut
#define WEFT_JSON_PATH_STEPS 72 // two for each struct in another (MAX_STRUCT_DEPTH), and a few
#define WEFT_JSON_NAME_BYTES 72 // longer than any name of a schema

// One step of a path: a name, or where that is NULL the index of an item.
typedef struct weft_json_step {
    const char *name;
    uint32_t item;
} weft_json_step;

typedef struct weft_json_text {
    weft_world *world;
    const char *text;
    size_t bytes;
    size_t at;    // everything before it is read
    size_t value; // where the value at hand begins, which is the place that messages name
    weft_status status;
    uint64_t *seen; // free space for sets of names that were there
    uint32_t depth; // steps to the value at hand
    weft_json_step path[WEFT_JSON_PATH_STEPS];
} weft_json_text;

// Refuses the value at hand. Returns false.
bool weft_json_refuse(weft_json_text *t, weft_status status, const char *format, ...)
    WEFT_PRINTS(3, 4);
#define WEFT_JSON_WRONG(t, ...) weft_json_refuse(t, WEFT_BAD_VALUE, __VA_ARGS__)

// Skips whitespace; what follows is the value at hand. Returns its first character, '\0' at the
// end of the text.
char weft_json_peek(weft_json_text *t);

// Reads this one character; the end of the text.
bool weft_json_take(weft_json_text *t, char c);
bool weft_json_end(weft_json_text *t);

// ------------------------------------------------------------------------------------------------
// Objects and arrays

// A walk over one object or array, which begins as zeros. Each of the calls below goes on to the
// next member or item, with its step as the end of the path. They also return false at the end of
// the object, where `status` stays WEFT_OK.
typedef struct weft_json_walk {
    uint32_t count; // members or items begun
    uint32_t depth; // steps to the object
    uint64_t *seen; // the set of records that were there
} weft_json_walk;

// The records of the schema that the members of an object are named after (plan/names.h).
typedef struct weft_json_names {
    const char *kind; // of a record, in messages
    const void *records;
    size_t record_bytes;
    uint32_t count;
} weft_json_names;

// Words of a set of so many records.
static inline size_t weft_json_words(uint32_t count)
{
    return ((size_t)count + 63) / 64;
}

// Adds a step to the path, until the walk around it goes on: a name, or NULL and an item.
void weft_json_enter(weft_json_text *t, const char *name, uint32_t item);

bool weft_json_next_item(weft_json_text *t, weft_json_walk *walk);

// Reads a name and its colon, without a step in the path. A name that is too long is cut.
bool weft_json_next_name(weft_json_text *t, weft_json_walk *walk, char name[WEFT_JSON_NAME_BYTES]);

// Reads the name of a record, which may be there once.
bool weft_json_next_record(weft_json_text *t, weft_json_walk *walk, const weft_json_names *names,
                           uint32_t *record);

// Reads a string of any length. What has no space in `capacity` bytes is left out; there is always
// a NUL.
bool weft_json_string(weft_json_text *t, char *string, size_t capacity, size_t *length);

// Reads a number, as it is written.
bool weft_json_number(weft_json_text *t, char number[WEFT_JSON_NUMBER_MAX + 1]);

bool weft_json_bool(weft_json_text *t, bool *value);
bool weft_json_null(weft_json_text *t); // if it is there

// Bytes of the UTF-8 character that a text begins with; 0: it begins with none.
size_t weft_json_utf8(const char *text, size_t bytes);

#endif
