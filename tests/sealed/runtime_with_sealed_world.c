// Calls the runtime with its world out of the context, which may only be read.
//
// gcc: passing argument 1 of 'weft_tag_clear' discards 'const' qualifier
// clang: passing 'const weft_world .* discards qualifiers
// g++: invalid conversion from 'const weft_world.*' to 'weft_world.*'
// clang++: no matching function for call to 'weft_tag_clear'
#include "sealed.h"

void seal_runtime_with_sealed_world(const seal_runtime_with_sealed_world_ctx *ctx, uint32_t count)
{
    (void)count;
    (void)weft_tag_clear(IF_GRANTED((weft_world *)(uintptr_t)) ctx->sealed.world,
                         SEAL_COMPONENT_SEEN);
}
