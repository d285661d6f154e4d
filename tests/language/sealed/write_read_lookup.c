// Writes through a value that it only looks up to read.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type|returns a const value
#include "sealed.h"

void seal_write_read_lookup(const seal_write_read_lookup_ctx *ctx, uint32_t count)
{
    seal_entity e = seal_entity_of(count);
    VERB(seal_place_get_in, seal_place_edit_in)(ctx->place, e)->x = 1;
}
