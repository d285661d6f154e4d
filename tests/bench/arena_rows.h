// The work of the inline system of arena.toml on one row.
#ifndef ARENA_ROWS_H
#define ARENA_ROWS_H

#include "arena_move_all_rows.h"

WEFT_HOT WEFT_ALWAYS_INLINE void arena_move_all_rows_row(const arena_move_all_rows_ctx *ctx,
                                                         uint32_t i,
                                                         arena_drift_const_columns drift,
                                                         arena_place_columns place)
{
    const float dt = (float)ctx->dt;
    place.x[i] += drift.x[i] * dt;
    place.y[i] += drift.y[i] * dt;
    place.z[i] += drift.z[i] * dt;
}

#endif
