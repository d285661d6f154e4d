// Values as a save has them: numbers little-endian, and zeros wherever nothing is meant: between
// fields, behind the NUL of a string, behind the last item of a list, in fields that are not saved.
// So the same values are the same bytes, and of the memory of a game nothing else comes into a
// file.
//
// Values are those of one struct (a component, singleton or event), or of one field alone, as in a
// column of a soa component; they lie side by side.
#ifndef WEFT_SAVE_VALUES_H
#define WEFT_SAVE_VALUES_H

#include "../plan/fields.h"

WEFT_EXTERN_C_BEGIN

// Whether values of `size` bytes are in memory what they are in a save, every byte of them.
bool weft_values_ready(const weft_schema *schema, const weft_field *fields, uint32_t count,
                       uint32_t size);

// Copies values to `to`, as a save has them. Field by field, each through all of the values: a few
// at a time stay near the processor.
void weft_values_copy(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      uint32_t size, unsigned char *to, const unsigned char *from,
                      size_t value_count);

WEFT_EXTERN_C_END

#endif
