// The world as a whole: counters, time, systems, memory, messages.
#ifndef WEFT_SERVE_STATE_H
#define WEFT_SERVE_STATE_H

#include "rpc.h"

serve_method serve_stats, serve_pause, serve_speed, serve_step, serve_systems, serve_switch,
    serve_tables, serve_messages;

// Has turns counted from here on, until nothing has asked for it for some time.
void serve_count_turns(serve_call *call);

// Ends what costs the world something and was not asked for lately.
void serve_state_rest(serve_state *state, double now);

double serve_state_seconds(const serve_state *state, double seconds); // see weft_serve_seconds

#endif
