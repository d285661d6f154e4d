// The referrers of an entity: fields of components, singletons and link values that contain its
// handle, links to it, and its children. All rows are read in slices, as for lists.
#ifndef WEFT_SERVE_REFERRERS_H
#define WEFT_SERVE_REFERRERS_H

#include "rpc.h"

serve_method serve_referrers;

// Continues passes that are not ready, in what the lists have left of this poll, and drops passes
// that no page has requested lately.
void serve_referrers_poll(serve_state *state, double now);

// Drops all passes, because a request has changed the world or the inspector closes.
void serve_referrers_drop(serve_state *state);

#endif
