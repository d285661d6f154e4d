// Emits an event with the emitter of another one.
//
// gcc: incompatible type for argument 1 of 'seal_died_emit'
// clang: passing .*seal_born_emitter.* to parameter of incompatible type
// g++: could not convert '.*seal_born_emitter.*'
// clang++: no matching function for call to 'seal_died_emit'
#include "sealed.h"

void seal_emit_other_event(const seal_emit_other_event_ctx *ctx, uint32_t count)
{
    seal_died died = {seal_entity_of(count), 1};
    seal_died_emit(ctx->VERB(emit_born, emit_died), died);
}
