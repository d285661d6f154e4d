// Emits an event that it has not declared.
//
// gcc: implicit declaration of function 'seal_emit_undeclared_event_died_emit'
// clang: implicit declaration of function 'seal_emit_undeclared_event_died_emit'
// g++: 'seal_emit_undeclared_event_died_emit' was not declared in this scope
// clang++: use of undeclared identifier 'seal_emit_undeclared_event_died_emit'
#include "sealed.h"

void seal_emit_undeclared_event(const seal_emit_undeclared_event_ctx *ctx, uint32_t count)
{
    seal_died died = {seal_entity_of(count), 1};
    seal_died_emit(ctx->emit_died, died);
}
