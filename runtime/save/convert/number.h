// A number of a save as one of another type.
#ifndef WEFT_SAVE_CONVERT_NUMBER_H
#define WEFT_SAVE_CONVERT_NUMBER_H

#include "../../weft.h"

WEFT_EXTERN_C_BEGIN

// Carries a number (or bool) over, little-endian in the save: exactly, but that an f32 takes the
// nearest to an f64. False: the type cannot hold it, or no save ever had it.
bool weft_number_carry(weft_type was, uint32_t was_bytes, const void *from, weft_type is,
                       uint32_t is_bytes, void *to);

WEFT_EXTERN_C_END

#endif
