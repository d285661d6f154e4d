// Writes of a stretch are found by comparing with copies, as the stretch ends.
#ifndef WEFT_INSIGHT_TRACE_H
#define WEFT_INSIGHT_TRACE_H

#include "copies.h"

// Opens what watching takes. False: no memory; what there is, is closed as everything else.
bool weft_tracing_open(weft_world *world, uint32_t writes);
void weft_tracing_close(weft_world *world);

// Says whether there was no memory for copies, so that nothing but singletons is watched.
bool weft_tracing_is_blind(const weft_world *world);

// Compares the values of a set with their copies, and keeps what differs, and whatever came or
// went. With `anything` rows are looked for even where the world says that none has moved.
void weft_tracing_look(weft_world *world, const uint64_t *set, bool anything);

#endif
