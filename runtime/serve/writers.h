// Last writes, and stops.
#ifndef WEFT_SERVE_WRITERS_H
#define WEFT_SERVE_WRITERS_H

#include "rpc.h"

serve_method serve_writes, serve_stops, serve_stop_at, serve_stop_forget;

// Takes all stops of pages away from the world.
void serve_stops_end(serve_state *state);

#endif
