// Emits an event that it has not declared.
//
// gcc: has no member named 'emit_died'
// clang: no member named 'emit_died' in
#include "sealed.h"

void seal_emit_undeclared_event(const seal_emit_undeclared_event_ctx *ctx, uint32_t count)
{
    seal_died died = {seal_entity_of(count), 1};
    seal_died_emit(ctx->emit_died, died);
}
