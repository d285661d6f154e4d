// Events as systems emit them.
#ifndef WEFT_SERVE_EVENTS_H
#define WEFT_SERVE_EVENTS_H

#include "rpc.h"

serve_method serve_events;

// Called between two ticks: stops keeping events if nobody has requested them lately.
void serve_events_poll(serve_state *state, double now);
void serve_events_close(serve_state *state);

#endif
