// Leaves as text, and text as leaves: the one printer and the one reader of a number, bool, enum or
// handle. JSON, selections, saves' messages and the inspector add only their quotes.
#ifndef WEFT_TEXT_H
#define WEFT_TEXT_H

#include "handles.h"
#include "leaf.h"
#include "mistake.h"
#include "numbers.h"

#define WEFT_NUMBER_LENGTH_MAX 128u // characters of a number that is read

// Counts the bytes of the decimal number that a text begins with, such as -1.5e3. Returns 0 if it
// begins with none. Without `zeros`, as in JSON, no digits may follow a zero.
size_t weft_number_length(const char *text, size_t bytes, bool zeros);

// Converts a decimal number of at most WEFT_NUMBER_LENGTH_MAX characters, with a point whatever the
// locale: to an integer exactly, however it is written (100, 100.0, 1e2), or to the nearest float.
// Returns false if no number of so many bytes has the value.
bool weft_number_from_text(weft_number_kind kind, uint32_t bytes, const char *text,
                           weft_number *number);

// Writes a float or double in the fewest digits that read back to the same value, with a point
// whatever the locale; or nan, inf, -inf. With `single` that is the float nearest to the value.
void weft_float_text(double value, bool single, char text[WEFT_NUMBER_BYTES]);

// The form of a leaf as a word.
typedef enum weft_word {
    WEFT_WORD_NUMBER, // also a bool or enum whose bits are no value of it
    WEFT_WORD_BOOL,   // true, false
    WEFT_WORD_NAME,   // of an enum's value; nan, inf, -inf
    WEFT_WORD_HANDLE, // 12:3
    WEFT_WORD_NONE,   // a handle that no entity can have; "none" for 0
} weft_word;

// Returns a leaf that is no string as a word, which may lie in `space`.
const char *weft_leaf_word(const weft_plan *plan, const weft_leaf_ref *leaf,
                           char space[WEFT_NUMBER_BYTES], weft_word *kind);

// Writes any leaf for messages: 0.5, true, haul, "Ann", 12:3, none. A longer text is cut.
#define WEFT_LEAF_TEXT_BYTES 64u
void weft_leaf_text(const weft_plan *plan, const weft_leaf_ref *leaf,
                    char text[WEFT_LEAF_TEXT_BYTES]);

// Reads a number, whatever the leaf is: of an enum the number of its value.
bool weft_number_read(const weft_leaf_ref *leaf, const char *word, size_t length,
                      weft_number *number, char why[WEFT_WHY_BYTES]);

// Reads the word of a leaf that is no string. An integer, bool, enum or handle goes to number->u64
// or i64 and a float to f64, as weft_number_store takes it. It does not look at min and max.
// weft_name_read takes only what is written as a name: not the digits of a number.
#define WEFT_NO_HANDLE "'%.*s' is no handle: write index:generation"
bool weft_leaf_read(const weft_plan *plan, const weft_leaf_ref *leaf, const char *word,
                    size_t length, weft_number *number, char why[WEFT_WHY_BYTES]);
bool weft_name_read(const weft_plan *plan, const weft_leaf_ref *leaf, const char *word,
                    size_t length, weft_number *number, char why[WEFT_WHY_BYTES]);

#endif
