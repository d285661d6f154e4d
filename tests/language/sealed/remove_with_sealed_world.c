// Removes a component directly, through the runtime's world in the context.
//
// gcc: passing argument 1 of '[a-z_]+' from incompatible pointer type
// clang: incompatible pointer types passing
// g++: cannot convert '.*' to '.*'
// clang++: no matching function for call to '[a-z_]+'
#include "sealed.h"

#ifdef GRANTED
#define WORLD ((seal_world *)ctx->user)
#else
#define WORLD (ctx->sealed.world)
#endif

void seal_remove_with_sealed_world(const seal_remove_with_sealed_world_ctx *ctx, uint32_t count)
{
    seal_entity e = seal_entity_of(count);
    (void)seal_place_remove(WORLD, e);
}
