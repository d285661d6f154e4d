// Marks rows as changed, although its schema does not leave that to it.
//
// gcc: implicit declaration of function 'seal_touch_without_marks_strain_touch'
// clang: implicit declaration of function 'seal_touch_without_marks_strain_touch'
// g++: was not declared
// clang++: use of undeclared identifier
#include "sealed.h"

void seal_touch_without_marks(const seal_touch_without_marks_ctx *ctx, uint32_t count,
                              seal_strain *WEFT_RESTRICT strain)
{
    (void)strain;
    if (count != 0) seal_touch_without_marks_strain_touch(ctx, 0);
}
