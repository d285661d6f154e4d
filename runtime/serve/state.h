// The world as a whole: counters, time, systems, memory, messages.
#ifndef WEFT_SERVE_STATE_H
#define WEFT_SERVE_STATE_H

#include "rpc.h"

serve_method serve_stats, serve_pause, serve_speed, serve_step, serve_systems, serve_switch,
    serve_tables, serve_messages;

// Called between two ticks: continues to count turns, or stops if nobody has requested counts
// lately.
void serve_turns_poll(serve_state *state, double now);

// Switches on all systems that pages have switched off although the schema gives them no switch.
void serve_let_go(serve_state *state);

double serve_state_seconds(const serve_state *state, double seconds); // see weft_serve_seconds

#endif
