// Last writes, and stops.
#ifndef WEFT_SERVE_WRITERS_H
#define WEFT_SERVE_WRITERS_H

#include "rpc.h"

serve_method serve_writes, serve_kept, serve_watch, serve_stops, serve_stop_at, serve_stop_set,
    serve_stop_forget;

// Reads `path`, and `id` unless the path is of a singleton. Refuses the call if the path is wrong,
// or if the world is not watched.
bool serve_take_written(serve_call *call, char path[SERVE_PATH_MAX], uint64_t *handle);

// Adds the member `change`: a number, or null if it is not finite.
void serve_add_change(serve_text *out, double change);

// Removes all stops of pages from the world, and ends watching if a page has started it.
void serve_watch_end(serve_state *state);

#endif
