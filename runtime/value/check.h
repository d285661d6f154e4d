// The limits of values, in two strengths. A *sound* value is one that a load takes: bools of 0 and
// 1, values that an enum has, lists within their space, strings with their NUL. A value within *all
// limits* also keeps min and max, and its handles have no more bits than handles have. A save is
// only written of sound values; what sets values by name or by text demands all limits.
#ifndef WEFT_CHECK_H
#define WEFT_CHECK_H

#include "mistake.h"
#include "visit.h"

typedef enum weft_strength { WEFT_ONLY_SOUND, WEFT_ALL_LIMITS } weft_strength;

// Returns whether a leaf keeps its limits. Otherwise the reason goes to `why`.
bool weft_leaf_check(const weft_schema *schema, const weft_leaf_ref *leaf, weft_strength strength,
                     char why[WEFT_WHY_BYTES]);

// Returns whether a number, or a handle, may be stored in a leaf.
bool weft_number_check(const weft_schema *schema, const weft_leaf_ref *leaf, weft_number number,
                       weft_strength strength, char why[WEFT_WHY_BYTES]);
bool weft_handle_check(const weft_schema *schema, uint64_t bits, char why[WEFT_WHY_BYTES]);

// The first leaf of a value that does not keep its limits.
typedef struct weft_flaw {
    char path[WEFT_LEAF_PATH_BYTES]; // "skill[2].lit"
    char why[WEFT_WHY_BYTES];
} weft_flaw;

// Checks each leaf of a plain struct, or of one member, which may lie in a column of its own.
bool weft_value_check(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      const void *value, weft_strength strength, weft_flaw *flaw);
bool weft_member_check(const weft_schema *schema, const weft_field *field, const void *member,
                       weft_strength strength, weft_flaw *flaw);

// ------------------------------------------------------------------------------------------------
// Many values at once. Fields that are not saved do not count.

// Returns whether there are bytes that are no sound value of the fields.
bool weft_fields_limited(const weft_schema *schema, const weft_field *fields, uint32_t count);

// Returns whether `count` values, `size` bytes apart, are sound. If there is one field, `values` is
// where it lies in the first of them. O(bytes): a pass for each bool and enum, a look at each list.
bool weft_values_sound(const weft_schema *schema, const weft_field *fields, uint32_t field_count,
                       const void *values, uint32_t size, uint32_t count);

// Returns whether `count` numbers of 1, 2 or 4 bytes, `stride` bytes apart, are at most `most`.
bool weft_numbers_within(const void *numbers, size_t stride, size_t count, uint32_t bytes,
                         uint64_t most);

#endif
