// Last writes, and stops.
#ifndef WEFT_SERVE_WRITERS_H
#define WEFT_SERVE_WRITERS_H

#include "rpc.h"

serve_method serve_writes, serve_kept, serve_watch, serve_stops, serve_stop_at, serve_stop_forget;

// Removes all stops of pages from the world, and ends watching if a page has started it.
void serve_watch_end(serve_state *state);

#endif
