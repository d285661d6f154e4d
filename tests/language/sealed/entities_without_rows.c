// Reads the entities of its rows, although it has no query of its own.
//
// gcc: has no member named 'entities'
// clang: no member named 'entities' in
#include "sealed.h"

void seal_entities_without_rows(const seal_entities_without_rows_ctx *ctx, uint32_t count)
{
    (void)count;
    (void)ctx->entities[0];
}
