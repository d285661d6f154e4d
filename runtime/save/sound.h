// Values that a load takes: bools of 0 and 1, values that an enum has, lists within their space,
// strings with their NUL. A save is only written of these, since another one would be lost when it
// is needed. Nothing here changes a value.
#ifndef WEFT_SAVE_SOUND_H
#define WEFT_SAVE_SOUND_H

#include "../value/fields.h"

// Tells whether any bytes are not a value of the fields, at any depth. Else there is nothing to be
// looked at: numbers, floats and handles may be any. Fields that are not saved do not count.
bool weft_fields_limited(const weft_schema *schema, const weft_field *fields, uint32_t count);

// Tells whether so many values, `size` bytes each, are sound. A field alone is one of a column, and
// begins where the value does. O(bytes): a pass for each bool and enum, a look at each list.
bool weft_values_sound(const weft_schema *schema, const weft_field *fields, uint32_t field_count,
                       const void *values, uint32_t size, uint32_t count);

// Tells whether so many numbers of 1, 2 or 4 bytes, `stride` bytes from one to the next, are no
// more than `most`.
bool weft_numbers_within(const void *numbers, size_t stride, size_t count, uint32_t bytes,
                         uint64_t most);

#define WEFT_UNSOUND_PATH_BYTES 160u // longer paths lose their beginning
#define WEFT_UNSOUND_WHY_BYTES 192u

// Tells what is wrong with a value, and how to mend it.
typedef struct weft_unsound {
    char path_space[WEFT_UNSOUND_PATH_BYTES];
    char *path; // "skill[2].lit", within the space
    char why[WEFT_UNSOUND_WHY_BYTES];
} weft_unsound;

// Finds what is wrong with one value that is not sound.
void weft_value_unsound(const weft_schema *schema, const weft_field *fields, uint32_t field_count,
                        const void *value, weft_unsound *found);

#endif
