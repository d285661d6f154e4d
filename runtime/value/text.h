// Leaves as text, and text as leaves. Every number, bool, enum and handle is printed and read by
// these functions. JSON, selections, messages of saves and the inspector only add quotes.
#ifndef WEFT_TEXT_H
#define WEFT_TEXT_H

#include "handles.h"
#include "leaf.h"
#include "mistake.h"
#include "numbers.h"

#define WEFT_NUMBER_LENGTH_MAX 128u // characters of a number that can be read

// Returns the length of the decimal number that a text begins with, such as -1.5e3, or 0 if there
// is none. If `zeros` is false, no digits may follow a leading zero, as in JSON.
size_t weft_number_length(const char *text, size_t bytes, bool zeros);

// Converts a decimal number of at most WEFT_NUMBER_LENGTH_MAX characters. The decimal point is `.`
// in every locale. An integer is converted exactly, in any notation (100, 100.0, 1e2), and a float
// to the nearest. Returns false if the type has no such value.
bool weft_number_from_text(weft_number_kind kind, uint32_t bytes, const char *text,
                           weft_number *number);

// Writes a float or double with the fewest digits that read back as the same value, or nan, inf,
// -inf. The decimal point is `.` in every locale. If `single` is set, the value is first rounded to
// the nearest float.
void weft_float_text(double value, bool single, char text[WEFT_NUMBER_BYTES]);

// The form of a leaf when it is written as a word.
typedef enum weft_word {
    WEFT_WORD_NUMBER, // also a bool or enum whose bits are invalid
    WEFT_WORD_BOOL,   // true, false
    WEFT_WORD_NAME,   // of an enum's value; also nan, inf, -inf
    WEFT_WORD_HANDLE, // 12:3
    WEFT_WORD_NONE,   // not a handle that an entity can have; "none" for 0
} weft_word;

// Returns a leaf, but not a string, as a word. The word may be stored in `space`.
const char *weft_leaf_word(const weft_plan *plan, const weft_leaf_ref *leaf,
                           char space[WEFT_NUMBER_BYTES], weft_word *kind);

// Writes any leaf for messages: 0.5, true, haul, "Ann", 12:3, none. A longer text is cut.
#define WEFT_LEAF_TEXT_BYTES 64u
void weft_leaf_text(const weft_plan *plan, const weft_leaf_ref *leaf,
                    char text[WEFT_LEAF_TEXT_BYTES]);

// Reads a number, whatever the type of the leaf; for an enum, the number of its value.
bool weft_number_read(const weft_leaf_ref *leaf, const char *word, size_t length,
                      weft_number *number, char why[WEFT_WHY_BYTES]);

// Read the word of a leaf, but not of a string. An integer, bool, enum or handle is stored in
// number->u64 or i64, and a float in f64, as weft_number_store expects it. `min` and `max` are not
// checked. weft_name_read accepts only values that are written as names, not digits.
#define WEFT_NO_HANDLE "'%.*s' is not a handle: write index:generation"
bool weft_leaf_read(const weft_plan *plan, const weft_leaf_ref *leaf, const char *word,
                    size_t length, weft_number *number, char why[WEFT_WHY_BYTES]);
bool weft_name_read(const weft_plan *plan, const weft_leaf_ref *leaf, const char *word,
                    size_t length, weft_number *number, char why[WEFT_WHY_BYTES]);

#endif
