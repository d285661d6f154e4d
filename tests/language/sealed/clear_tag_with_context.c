// Removes a tag from all entities directly, passing the context in place of a world.
//
// gcc: passing argument 1 of '[a-z_]+' from incompatible pointer type
// clang: incompatible pointer types passing
// g++: cannot convert '.*' to '.*'
// clang++: no matching function for call to '[a-z_]+'
#include "sealed.h"

#ifdef GRANTED
#define WORLD ((seal_world *)ctx->user)
#else
#define WORLD ctx
#endif

void seal_clear_tag_with_context(const seal_clear_tag_with_context_ctx *ctx, uint32_t count)
{
    (void)count;
    seal_seen_clear(WORLD);
}
