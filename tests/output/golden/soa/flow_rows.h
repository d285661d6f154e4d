// The work of the inline system of world flow on one row.
#ifndef FLOW_ROWS_H
#define FLOW_ROWS_H

#include "flow_settle.h"

WEFT_HOT WEFT_ALWAYS_INLINE void flow_settle_row(const flow_settle_ctx *ctx, uint32_t i,
                                                 flow_particle_columns particle)
{
    particle.x[i] -= (float)ctx->dt;
}

#endif
