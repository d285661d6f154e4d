// Single values inside components and singletons, read and written by the rules of their fields.
// Access by name and JSON both go through here, so a value is refused in one way.
//
// A number goes through the widest one of its kind (weft_number), so every check and conversion is
// there once. A value may lie in the world or in memory of the caller. Functions that refuse it
// return false, change nothing, and write the reason to `why`: the caller knows the place.
#ifndef WEFT_VALUE_H
#define WEFT_VALUE_H

#include "../value/leaf.h"
#include "../value/numbers.h"
#include "../world/world.h"

#define WEFT_WHY_BYTES 192   // of the reason of a refusal, with its NUL
#define WEFT_NUMBER_BYTES 40 // of a number as text, with its NUL
#define WEFT_TOO_LONG "is too long: %zu bytes of text, and at most %" PRIu32 " fit"

// Writes the reason of a refusal, for the caller, who knows the place, to report. Returns false.
bool weft_value_refuse(char why[WEFT_WHY_BYTES], const char *format, ...) WEFT_PRINTS(2, 3);

// Counts the bytes of the decimal number that a text begins with, such as -1.5e3; 0: it begins with
// none. JSON has no `zeros` in front of others.
size_t weft_number_length(const char *text, size_t bytes, bool zeros);

// Converts a decimal number, of at most 128 characters and with a point whatever the locale: to an
// integer exactly, however it is written (100, 100.0, 1e2), or to the nearest float. False: there
// is none of so many bytes.
bool weft_number_from_text(weft_number_kind kind, uint32_t bytes, const char *text,
                           weft_number *number);

// Writes a number as text for messages and returns `text`.
const char *weft_number_text(weft_number_kind kind, weft_number number, char *text, size_t bytes);

// Writes a float or double in the fewest digits that read back to the same value, with a point
// whatever the locale; or nan, inf, -inf. With `single` that is the float nearest to the value.
void weft_float_text(double value, bool single, char text[WEFT_NUMBER_BYTES]);

// Fails if a value of the caller's has another type or size than the leaf.
bool weft_value_has_type(const weft_schema *schema, const weft_leaf_ref *leaf, weft_type type,
                         size_t bytes, char why[WEFT_WHY_BYTES]);

// Reads a string, or the name of an enum's value.
bool weft_value_read_text(const weft_schema *schema, const weft_leaf_ref *leaf, char *text,
                          size_t bytes, char why[WEFT_WHY_BYTES]);

// Writes a number that the leaf's type can hold, if min, max, the enum's values or the capacity of
// a list allow it. Items that a list's new count brings into view become zeros.
bool weft_value_write_number(const weft_schema *schema, const weft_leaf_ref *leaf,
                             weft_number number, char why[WEFT_WHY_BYTES]);

// Writes a handle, dead or alive, that has no more bits than handles have.
bool weft_value_write_handle(const weft_schema *schema, const weft_leaf_ref *leaf, uint64_t bits,
                             char why[WEFT_WHY_BYTES]);

// Writes a string, or the enum's value of that name. `text` must have a NUL within `bytes`.
bool weft_value_write_text(const weft_schema *schema, const weft_leaf_ref *leaf, const char *text,
                           size_t bytes, char why[WEFT_WHY_BYTES]);

// Checks a value that is there as if it were written now.
bool weft_value_check_leaf(const weft_schema *schema, const weft_leaf_ref *leaf,
                           char why[WEFT_WHY_BYTES]);

// Checks a whole value of the caller's, a plain struct with these fields, as if each of its leaves
// were written by itself. The reason begins with the path of the leaf that is refused.
bool weft_value_check(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      const void *value, char why[WEFT_WHY_BYTES]);

#endif
