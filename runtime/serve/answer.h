// Requests of JSON-RPC 2.0 on a world, without a server: a text comes in, a text goes out.
#ifndef WEFT_SERVE_ANSWER_H
#define WEFT_SERVE_ANSWER_H

#include "rpc.h"

void serve_state_open(serve_state *state, weft_world *world, const weft_serve_options *options);
void serve_state_close(serve_state *state);

// Does what is due between two ticks: it ends what costs the world something and was not asked for
// lately, and works on lists.
void serve_state_poll(serve_state *state, double now);

// Answers a request, which may be any bytes. The answer stays empty where JSON-RPC wants none.
void serve_answer(serve_state *state, const char *request, size_t bytes, serve_text *answer);

#endif
