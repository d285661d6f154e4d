// JSON of any form: a text is checked once as a whole, without recursion or memory; after that,
// members are looked up in it. If a schema determines the form of a text, use text.h instead, which
// reads in one pass and reports the place of each mistake.
#ifndef WEFT_SCAN_H
#define WEFT_SCAN_H

#include "../base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_SCAN_DEPTH_MAX 32u // of arrays and objects inside each other
#define WEFT_SCAN_NAME_MAX 64u  // bytes of a name to look up, with its NUL

// A value in a text that was checked, without whitespace around it. It has 0 bytes if there is no
// value.
typedef struct weft_scanned {
    const char *text;
    size_t bytes;
} weft_scanned;

// Returns whether the text is exactly one value, nested at most WEFT_SCAN_DEPTH_MAX levels deep.
bool weft_scan_check(const char *text, size_t bytes, weft_scanned *value);

// Returns a member of an object, or no value if the object has no such member or is not an object.
// If a name occurs twice, the first one counts. O(bytes of the object).
weft_scanned weft_scan_member(weft_scanned object, const char *name);

// Walks over the members of an object. Begin with *at = NULL. Returns the name of the next member,
// a string, and sets its value. Returns no value at the end, or if it is not an object.
weft_scanned weft_scan_next_member(weft_scanned object, const char **at, weft_scanned *value);

// Returns whether a string, with its escapes decoded, equals `wanted`.
bool weft_scan_is(weft_scanned string, const char *wanted);

// Walks over an array. Begin with *at = NULL. Returns the next item, or no value at the end.
weft_scanned weft_scan_next(weft_scanned array, const char **at);

// Returns '{', '[', '"', 't', 'f', 'n', or '0' for a number; '\0' if there is no value.
char weft_scan_kind(weft_scanned value);

// Decode a string (with its escapes) or a number. Return false if the value has another type or is
// too long, or if a string contains a NUL.
bool weft_scan_string(weft_scanned value, char *string, size_t capacity);
bool weft_scan_number(weft_scanned value, double *number);

#endif
