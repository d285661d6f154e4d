// JSON of any form: a text is checked as a whole once, without recursion or memory, and then its
// members are looked up where they lie. For text whose form a schema says, text.h reads in one pass
// and knows the place of each mistake.
#ifndef WEFT_SCAN_H
#define WEFT_SCAN_H

#include "../base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_SCAN_DEPTH_MAX 32u // of arrays and objects in one another
#define WEFT_SCAN_NAME_MAX 64u  // bytes of a name that is looked for, with its NUL

// A value in a text that was checked, without blanks around it. No bytes: there is none.
typedef struct weft_scanned {
    const char *text;
    size_t bytes;
} weft_scanned;

// Checks that the text is one value, and nothing more, of at most WEFT_SCAN_DEPTH_MAX levels.
bool weft_scan_check(const char *text, size_t bytes, weft_scanned *value);

// Returns the member of an object; none if the value is no object, or has no such member. Of equal
// names the first one counts. O(bytes of the object).
weft_scanned weft_scan_member(weft_scanned object, const char *name);

// Begins, or goes on with, a walk over the members of an object: sets the value of the next one,
// and returns its name, a string. `at` is NULL at first. Returns none at its end, or for no object.
weft_scanned weft_scan_next_member(weft_scanned object, const char **at, weft_scanned *value);

// Returns whether a string, with its escapes resolved, is this one.
bool weft_scan_is(weft_scanned string, const char *wanted);

// Begins, or goes on with, a walk over an array. `at` is NULL at first. Returns none at its end.
weft_scanned weft_scan_next(weft_scanned array, const char **at);

// Returns '{', '[', '"', '0' for a number, 't', 'f', 'n'; '\0' for none.
char weft_scan_kind(weft_scanned value);

// Copy a string, with its escapes resolved, or a number, as it is written. False: it is no such
// value, or longer than there is space for; a string has a NUL in it.
bool weft_scan_string(weft_scanned value, char *string, size_t capacity);
bool weft_scan_number(weft_scanned value, double *number);

#endif
