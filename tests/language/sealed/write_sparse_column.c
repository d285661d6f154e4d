// Writes through the pointers of a sparse column that it only reads.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type|returns a const value
#include "sealed.h"

void seal_write_sparse_column(const seal_write_sparse_column_ctx *ctx, uint32_t count,
                              READ_ONLY seal_fire *const *fire)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) {
        fire[i]->seconds = 1;
    }
}
