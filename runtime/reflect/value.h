// Leaves: single values inside components and singletons, read and written by the rules of their
// fields. By-name access and JSON both go through here, so that they refuse the same in the same
// words.
//
// A number goes through the widest one of its kind (weft_number), so that every check and
// conversion is there once. A leaf may lie in the world or in memory of the caller's own. `path` is
// what a message begins with. What is refused changes nothing.
#ifndef WEFT_LEAF_H
#define WEFT_LEAF_H

#include "path.h"

WEFT_EXTERN_C_BEGIN

typedef enum weft_number_kind {
    WEFT_UNSIGNED, // also a bool, and an enum
    WEFT_SIGNED,
    WEFT_FLOAT,
    WEFT_NO_NUMBER
} weft_number_kind;

#define WEFT_NUMBER_BYTES 40 // of a number in words

weft_number_kind weft_kind_of(weft_type type);
weft_number weft_number_load(weft_number_kind kind, const void *value, uint32_t bytes);

// Converts a double to a number of so many bytes, floats to the nearest. False: there is none.
bool weft_number_from_double(weft_number_kind kind, uint32_t bytes, double value,
                             weft_number *number);

// Converts a number to a double. False: it has more digits than a double.
bool weft_double_from_number(weft_number_kind kind, weft_number number, double *value);

// A number in words; returns `text`.
const char *weft_number_text(weft_number_kind kind, weft_number number, char *text, size_t bytes);

// Whether a value of the caller's is of the leaf's type and size.
weft_status weft_leaf_check_type(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                                 weft_type type, size_t bytes);

// A string, or the name of an enum's value.
weft_status weft_leaf_get_text(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                               char *text, size_t bytes);

// Writes, if min, max, the enum's values or a list's room allow it. The number is one that the
// leaf's type can hold. Items that a list's new count brings into view become zeros.
weft_status weft_leaf_put_number(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                                 weft_number_kind kind, weft_number number);

// Writes a handle, dead or alive, that has no more bits than handles have.
weft_status weft_leaf_put_handle(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                                 uint64_t bits);

// Writes a string, or the enum's value of that name; `text` has a NUL within `bytes`.
weft_status weft_leaf_put_text(weft_world *world, const char *path, const weft_leaf_ref *leaf,
                               const char *text, size_t bytes);

WEFT_EXTERN_C_END

#endif
