// Answers requests of JSON-RPC 2.0 on a world, without a server: a text comes in, and a text goes
// out.
#ifndef WEFT_SERVE_ANSWER_H
#define WEFT_SERVE_ANSWER_H

#include "rpc.h"

void serve_state_open(serve_state *state, weft_world *world, const weft_serve_options *options);
void serve_state_close(serve_state *state);

// Does the work between two ticks: stops everything that costs the world time and was not requested
// lately, and continues to make lists.
void serve_state_poll(serve_state *state, double now);

// Answers a request, which may be any bytes. The answer stays empty if JSON-RPC requires none.
void serve_answer(serve_state *state, const char *request, size_t bytes, serve_text *answer);

#endif
