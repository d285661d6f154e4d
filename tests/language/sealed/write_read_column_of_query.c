// Iterates a query and writes through a column that the query only reads.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type|returns a const value
#include "sealed.h"

void seal_write_read_column_of_query(const seal_write_read_column_of_query_ctx *ctx, uint32_t count)
{
    (void)count;
    seal_places_iter it = seal_places_begin_in(ctx->places);
    while (seal_places_next(&it)) {
        it.place[0].x = 1;
    }
}
