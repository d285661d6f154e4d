// Writes through the value of a link that it only reads.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type|returns a const value
#include "sealed.h"

void seal_write_read_link(const seal_write_read_link_ctx *ctx, uint32_t count)
{
    seal_entity e = seal_entity_of(count);
    VERB(seal_owes_get_in, seal_owes_edit_in)(ctx->owes, e, e)->gold = 1;
}
