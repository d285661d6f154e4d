// JSON of requests and answers. A request is checked as a whole once, and then members of it are
// looked up in its text; an answer is a text that grows.
#ifndef WEFT_SERVE_JSON_H
#define WEFT_SERVE_JSON_H

#include "../base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERVE_JSON_DEPTH_MAX 32u // of arrays and objects in one another
#define SERVE_NAME_MAX 64u       // bytes of a name that is looked for, with its NUL

// A value in a text that was checked, without blanks around it. No bytes: there is none.
typedef struct serve_value {
    const char *text;
    size_t bytes;
} serve_value;

// Checks that the text is one value, and nothing more, of at most SERVE_JSON_DEPTH_MAX levels.
bool serve_json_check(const char *text, size_t bytes, serve_value *value);

// Returns the member of an object; none if the value is no object, or has no such member. Of equal
// names the first one counts. O(bytes of the object).
serve_value serve_json_member(serve_value object, const char *name);

// Begins, or goes on with, a walk over the members of an object: sets the value of the next one,
// and returns its name, a string. `at` is NULL at first. Returns none at its end, or for no object.
serve_value serve_json_next_member(serve_value object, const char **at, serve_value *value);

// Returns whether a string, with its escapes resolved, is this one.
bool serve_json_is(serve_value string, const char *wanted);

// Begins, or goes on with, a walk over an array. `at` is NULL at first. Returns none at its end.
serve_value serve_json_next(serve_value array, const char **at);

// Returns '{', '[', '"', '0' for a number, 't', 'f', 'n'; '\0' for none.
char serve_json_kind(serve_value value);

// Copy a string, with its escapes resolved, or a number, as it is written. False: it is no such
// value, or longer than there is space for; a string has a NUL in it.
bool serve_json_string(serve_value value, char *string, size_t capacity);
bool serve_json_number(serve_value value, double *number);

// ------------------------------------------------------------------------------------------------
// Answers

// A text that grows. All zero but for `head` and `limit` is an empty one. If it would become longer
// than its limit, or memory ends, it stops growing, and must be cut or freed.
typedef struct serve_text {
    char *bytes; // the first `head` of them are for the caller
    size_t used; // with the head
    size_t capacity;
    size_t head;
    size_t limit; // of `used`
    bool failed;
    bool starved; // it failed because memory ended
} serve_text;

void serve_add_bytes(serve_text *text, const char *bytes, size_t count);
void serve_add(serve_text *text, const char *string);
void serve_print(serve_text *text, const char *format, ...) WEFT_PRINTS(2, 3);

// Adds a string with its quotes. Bytes that are no UTF-8 become U+FFFD.
void serve_add_string(serve_text *text, const char *string);

// Adds a float, or one of an f32, in the fewest digits that read back; "nan", "inf" or "-inf".
void serve_add_float(serve_text *text, double number, bool single);

// Adds `"name":`, behind a comma unless it is the first member. Names are plain.
void serve_add_name(serve_text *text, const char *name);

// Adds a comma unless an array or object has just begun.
void serve_add_comma(serve_text *text);

// Takes back what was added since it had so many bytes.
void serve_cut(serve_text *text, size_t used);
void serve_free(serve_text *text);

#endif
