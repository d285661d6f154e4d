// Edits a singleton directly, passing the sealed part of the context in place of a world.
//
// gcc: incompatible type for argument 1 of 'seal_clock_edit'
// clang: passing .*weft_sealed.* to parameter of incompatible type
// g++: cannot convert '.*' to '.*'
// clang++: no matching function for call to '[a-z_]+'
#include "sealed.h"

#ifdef GRANTED
#define WORLD ((seal_world *)ctx->user)
#else
#define WORLD (ctx->sealed)
#endif

void seal_edit_with_sealed(const seal_edit_with_sealed_ctx *ctx, uint32_t count)
{
    (void)count;
    seal_clock_edit(WORLD)->hour = 1;
}
