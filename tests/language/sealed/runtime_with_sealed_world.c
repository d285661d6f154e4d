// Calls the runtime with the context's pointer to its world, whose type has no definition.
//
// gcc: passing argument 1 of 'weft_component_clear' from incompatible pointer type
// clang: incompatible pointer types passing 'const struct weft_sealed_world .* of type 'weft_world
// g++: cannot convert 'const weft_sealed_world.* to 'weft_world
// clang++: no matching function for call to 'weft_component_clear'
#include "sealed.h"

void seal_runtime_with_sealed_world(const seal_runtime_with_sealed_world_ctx *ctx, uint32_t count)
{
    (void)count;
    (void)weft_component_clear(IF_GRANTED((weft_world *)(uintptr_t)) ctx->sealed.world,
                               SEAL_COMPONENT_SEEN);
}
