// Makes a grant to write from the world that the game gave it.
//
// gcc: incompatible pointer type
// clang: incompatible pointer types
// g++: cannot convert '.*seal_world.*'
// clang++: cannot initialize a (member subobject|variable) of type '.*seal_place_door .*'
#include "sealed.h"

void seal_make_grant(const seal_make_grant_ctx *ctx, uint32_t count)
{
    seal_world *w = (seal_world *)ctx->user;
#ifdef GRANTED
    seal_place_reader reader = ctx->place.reader;
    (void)w;
#else
    seal_place_reader reader = {w};
#endif
    (void)seal_place_get_in(reader, seal_entity_of(count));
}
