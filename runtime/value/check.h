// The limits of values, in two strengths. A *sound* value is one that a load accepts: a bool is 0
// or 1, an enum has one of its values, a list fits its capacity, a string has a NUL. A value within
// *all limits* also obeys `min` and `max`, and its handles have no more bits than handles can have.
// Saves only require sound values. Setting a value by name or by text requires all limits.
#ifndef WEFT_CHECK_H
#define WEFT_CHECK_H

#include "mistake.h"
#include "visit.h"

typedef enum weft_strength { WEFT_ONLY_SOUND, WEFT_ALL_LIMITS } weft_strength;

// Returns whether a leaf is within its limits. If not, the reason is written to `why`.
bool weft_leaf_check(const weft_schema *schema, const weft_leaf_ref *leaf, weft_strength strength,
                     char why[WEFT_WHY_BYTES]);

// Return whether a leaf may store a number or a handle.
bool weft_number_check(const weft_schema *schema, const weft_leaf_ref *leaf, weft_number number,
                       weft_strength strength, char why[WEFT_WHY_BYTES]);
bool weft_handle_check(const weft_schema *schema, uint64_t bits, char why[WEFT_WHY_BYTES]);

// The first leaf of a value that is not within its limits.
typedef struct weft_flaw {
    char path[WEFT_LEAF_PATH_BYTES]; // for example "skill[2].lit"
    char why[WEFT_WHY_BYTES];
} weft_flaw;

// Check each leaf of a plain struct, or of one member, which may be in a column of its own.
bool weft_value_check(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      const void *value, weft_strength strength, weft_flaw *flaw);
bool weft_member_check(const weft_schema *schema, const weft_field *field, const void *member,
                       weft_strength strength, weft_flaw *flaw);

// ------------------------------------------------------------------------------------------------
// Many values at once. Fields that are not saved are ignored.

// Returns whether the fields have limits, so that some bytes are not a sound value.
bool weft_fields_limited(const weft_schema *schema, const weft_field *fields, uint32_t count);

// Returns whether `count` values, `size` bytes apart, are sound. If there is one field, `values`
// points to that member in the first value. O(bytes): one pass for each bool and enum, and one look
// at each list.
bool weft_values_sound(const weft_schema *schema, const weft_field *fields, uint32_t field_count,
                       const void *values, uint32_t size, uint32_t count);

// Returns whether `count` numbers of 1, 2 or 4 bytes, `stride` bytes apart, are at most `most`.
bool weft_numbers_within(const void *numbers, size_t stride, size_t count, uint32_t bytes,
                         uint64_t most);

#endif
