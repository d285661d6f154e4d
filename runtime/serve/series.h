// Series: values over ticks, for charts. A value is sampled after each tick, in the poll that
// follows it, while pages ask for it; an aggregate only as often as its cost allows.
#ifndef WEFT_SERVE_SERIES_H
#define WEFT_SERVE_SERIES_H

#include "aggregate.h"

serve_method serve_series_of;

// Samples all series that are due, and drops those that no page asks for.
void serve_series_poll(serve_state *state, double now);

// Samples after a tick that ran within a request.
void serve_series_tick(serve_state *state);

void serve_series_close(serve_state *state);

#endif
