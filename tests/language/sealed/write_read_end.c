// Writes a component of an end of links that it only reads.
//
// gcc: assignment of .*read-only (object|location)
// clang: read-only variable|const-qualified type
#include "sealed.h"

void seal_write_read_end(const seal_write_read_end_ctx *ctx, uint32_t count,
                         const seal_entity *from, const seal_entity *to,
                         READ_ONLY seal_owes *const *owes, READ_ONLY seal_strain *const *to_strain)
{
    (void)ctx, (void)from, (void)to, (void)owes;
    for (uint32_t i = 0; i < count; i++) to_strain[i]->n = 1;
}
