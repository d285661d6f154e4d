// Scalars: the table of the scalar types of a schema, and numbers of any of these types.
//
// A number is converted to the widest type of its kind (weft_number), so that each check and each
// conversion is written once for all types. Reflection, JSON and saves share them.
#ifndef WEFT_NUMBERS_H
#define WEFT_NUMBERS_H

#include "../weft.h"

typedef enum weft_number_kind {
    WEFT_UNSIGNED, // also bools and values of enums
    WEFT_SIGNED,
    WEFT_FLOAT,
    WEFT_NO_NUMBER
} weft_number_kind;

typedef struct weft_scalar {
    const char *name;      // as in the schema
    weft_number_kind kind; // the member of a weft_number that contains it
    uint8_t bytes;  // 0 if it depends on the schema (handles, enums), or if it is not a scalar
    uint8_t digits; // of a number: binary digits that it holds exactly
} weft_scalar;

extern const weft_scalar weft_scalars[]; // by weft_type
extern const uint32_t weft_type_count;

static inline weft_number_kind weft_kind_of(weft_type type)
{
    return weft_scalars[type].kind;
}

// Returns whether values of a type are numbers to calculate with: not bools, nor values of enums.
bool weft_type_is_number(weft_type type);

// Returns whether an integer is a value of the type. A type can have fewer digits than its bytes.
bool weft_scalar_has(weft_type type, weft_number_kind kind, weft_number number);

// Returns the name of a type, or "no type" if the number is not a type.
const char *weft_type_name(weft_type type);

weft_number weft_number_load(weft_number_kind kind, const void *value, uint32_t bytes);
void weft_number_store(weft_number_kind kind, void *value, uint32_t bytes, weft_number number);

// Converts a double to a number of `bytes` bytes. Floats are rounded to the nearest. Returns false
// if no integer of that size is equal, or if a finite value is too large for an f32.
bool weft_number_from_double(weft_number_kind kind, uint32_t bytes, double value,
                             weft_number *number);

// Converts a number to a double. Returns false if the double is not exactly equal to the number.
bool weft_double_from_number(weft_number_kind kind, weft_number number, double *value);

#define WEFT_NUMBER_BYTES 40 // of a number as text, with its NUL

// Writes a number as text for messages, and returns `text`.
const char *weft_number_text(weft_number_kind kind, weft_number number, char *text, size_t bytes);

#endif
