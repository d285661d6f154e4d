// Events as systems emit them.
#ifndef WEFT_SERVE_EVENTS_H
#define WEFT_SERVE_EVENTS_H

#include "rpc.h"

serve_method serve_events;

// Between two ticks, ends to keep them if nothing has asked for them lately.
void serve_events_poll(serve_state *state, double now);
void serve_events_close(serve_state *state);

#endif
