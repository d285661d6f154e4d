// Last writes, and stops.
#ifndef WEFT_SERVE_WRITERS_H
#define WEFT_SERVE_WRITERS_H

#include "rpc.h"

serve_method serve_writes, serve_kept, serve_watch, serve_stops, serve_stop_at, serve_stop_forget;

// Takes all stops of pages away from the world, and ends to watch it if a page has begun that.
void serve_watch_end(serve_state *state);

#endif
