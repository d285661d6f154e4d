// Reading JSON piece by piece: what comes next is what the caller asks for, or the text is wrong.
//
// There is no tree and no memory is taken: the caller knows from the schema what has to come, and
// recurses, if at all, by the schema. Everything here returns false where the text is wrong; the
// world then has the words, with line, column and path, and `status` says so. Nothing more is read
// after that.
#ifndef WEFT_JSON_TEXT_H
#define WEFT_JSON_TEXT_H

#include "../reflect/value.h"
#include "../weft_json.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_JSON_PATH_BYTES 96  // of the path to the value at hand; a longer one is cut
#define WEFT_JSON_WHERE_BYTES 64 // of its line and column besides

typedef struct weft_json_text {
    weft_world *world;
    const char *text;
    size_t bytes;
    size_t at;         // read so far
    size_t line;       // from 1
    size_t line_start; // offset
    size_t value;      // where the value at hand begins
    size_t value_line; // and its line, from whose start it is so many bytes
    size_t value_column;
    weft_status status;
    size_t path_bytes; // without NUL
    char path[WEFT_JSON_PATH_BYTES];
    char where[WEFT_JSON_PATH_BYTES + WEFT_JSON_WHERE_BYTES];
} weft_json_text;

weft_json_text weft_json_begin(weft_world *world, const char *text, size_t bytes);

// Only whitespace is left.
bool weft_json_end(weft_json_text *t);

// Refuses the value at hand. Always false.
bool weft_json_refuse(weft_json_text *t, weft_status status, const char *format, ...)
    WEFT_PRINTS(3, 4);

// Line, column and path of the value at hand: "3:44: entities[0].worker.skill[2]". Good until the
// next call.
const char *weft_json_where(weft_json_text *t);

// Adds a step to the path; back to how it was.
size_t weft_json_enter(weft_json_text *t, const char *name);
size_t weft_json_enter_item(weft_json_text *t, uint32_t index);
void weft_json_leave(weft_json_text *t, size_t path_bytes);

// Skips whitespace; what comes then is the value at hand. The character there, '\0' at the end.
char weft_json_peek(weft_json_text *t);

// Takes `c`, or is wrong: "what" says what should be there.
bool weft_json_take(weft_json_text *t, char c, const char *what);

// Goes over an object or array: true as long as there is one more member or item, after taking the
// comma before it; false after taking `close`, or if wrong. `first`: none was taken yet.
bool weft_json_more(weft_json_text *t, char close, bool first);

// Takes a name and its colon: cut to what there is room for, which no name of a schema is.
bool weft_json_key(weft_json_text *t, char *name, size_t room);

// Takes a string. *length is that of all of it; what `room` has no room for, with a NUL at the end,
// is not in `string`. A NUL inside is refused.
bool weft_json_string(weft_json_text *t, char *string, size_t room, size_t *length);

// Takes a number, as it is written, NUL-terminated.
bool weft_json_number(weft_json_text *t, char number[WEFT_JSON_NUMBER_MAX + 1]);

// Takes true or false.
bool weft_json_bool(weft_json_text *t, bool *value);

// Takes null if it is there.
bool weft_json_null(weft_json_text *t);

// Bytes of the UTF-8 character at the start of a text; 0: there is none.
size_t weft_json_utf8(const char *text, size_t bytes);

WEFT_EXTERN_C_END

#endif
