// Walks a mask without `rows = "mask"`.
//
// gcc: 'rows' undeclared
// clang: use of undeclared identifier 'rows'
// g++: 'rows' was not declared in this scope
#include "sealed.h"

void seal_rows_without_mask(const seal_rows_without_mask_ctx *ctx,
                            uint32_t count IF_GRANTED(, weft_rows rows),
                            const seal_place *WEFT_RESTRICT place)
{
    (void)ctx;
    (void)place;
    while (weft_next(&rows, &count)) {
    }
}
