// Writes through a column that it only reads.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type|returns a const value
#include "sealed.h"

void seal_write_read_column(const seal_write_read_column_ctx *ctx, uint32_t count,
                            READ_ONLY seal_place *WEFT_RESTRICT place)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        place[i].x += 1;
    }
}
