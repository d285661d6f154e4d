// Writes through soa fields that it only looks up to read.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type|returns a const value
#include "sealed.h"

void seal_write_soa_lookup(const seal_write_soa_lookup_ctx *ctx, uint32_t count)
{
    seal_entity e = seal_entity_of(count);
    *VERB(seal_speed_get_in, seal_speed_edit_in)(ctx->speed, e).x = 1;
}
