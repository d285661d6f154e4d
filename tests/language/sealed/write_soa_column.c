// Writes through a column of a field that it only reads.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type|returns a const value
#include "sealed.h"

void seal_write_soa_column(const seal_write_soa_column_ctx *ctx, uint32_t count,
                           speed_columns speed)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        speed.x[i] = 1;
    }
}
