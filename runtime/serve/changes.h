// The changes between two ticks.
#ifndef WEFT_SERVE_CHANGES_H
#define WEFT_SERVE_CHANGES_H

#include "rpc.h"

serve_method serve_remember, serve_changes;

void serve_forget_memory(serve_state *state);

#endif
