// From the bytes of a field in a save to a member in the world, by the steps of the field. A step
// that finds something that cannot be carried over ends the walk; weft_step_say puts it into words.
#ifndef WEFT_SAVE_CONVERT_VALUES_H
#define WEFT_SAVE_CONVERT_VALUES_H

#include "steps.h"

WEFT_EXTERN_C_BEGIN

// Carries one member over. NULL: fine; else the step that cannot, and the number it found.
const weft_step *weft_steps_walk(const weft_schemas *schemas, const weft_steps *steps,
                                 const void *from, void *to, uint64_t *found);

// Why it cannot, behind the name of the field. *damaged: no save ever had that.
void weft_step_say(const weft_schemas *schemas, const weft_step *step, uint64_t found, char *text,
                   size_t size, bool *damaged);

// The name of a field's type as the schema writes it: "u8[4]".
void weft_type_say(const weft_schema *schema, const weft_field *field, char *text, size_t size);

// A handle of the save in the world's format; 0 if it cannot be written so.
uint64_t weft_handle_carry(const weft_schemas *schemas, uint64_t bits);

WEFT_EXTERN_C_END

#endif
