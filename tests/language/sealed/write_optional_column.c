// Writes through an optional column, which is read-only.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type|returns a const value
#include "sealed.h"

void seal_write_optional_column(const seal_write_optional_column_ctx *ctx, uint32_t count,
                                const seal_goods *WEFT_RESTRICT goods,
                                READ_ONLY seal_place *WEFT_RESTRICT place)
{
    (void)ctx;
    for (uint32_t i = 0; place && i < count; i++) {
        place[i].x = (float)goods[i].amount;
    }
}
