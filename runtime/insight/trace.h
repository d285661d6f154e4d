// Last writes of a world: copies of all values, which are compared as a stretch ends, and a ring of
// what was found to differ.
//
//     copies by entity index | needs.fatigue | needs.hunger | stock | … | tags, a byte each
//     ring                   | tick, writer, entity, place in the plain struct, before, after | …
//
// A copy belongs to the handle that the index had as it was last compared; so an index that is used
// again is one that went and one that came. In the turn of a system no handle comes or goes.
#ifndef WEFT_INSIGHT_TRACE_H
#define WEFT_INSIGHT_TRACE_H

#include "watching.h"

// Opens what watching takes. False: no memory; what there is, is closed as everything else.
bool weft_tracing_open(weft_world *world, uint32_t writes);
void weft_tracing_close(weft_world *world);

// Compares the values of a set with their copies, and keeps what differs. `all` of them may be of
// new entities.
void weft_tracing_look(weft_world *world, const uint64_t *set, bool all);

#endif
