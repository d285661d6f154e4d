// Fragments: parts of a world that are filled on other threads without a lock, and merged into it.
//
// A fragment is a separate world without the schema's hooks. It shares no data with other worlds,
// so each thread can fill its own fragment with all calls of a world. A merge turns all entities of
// a fragment into new entities of a world at once. The fragment is empty after that, but keeps its
// memory and can be filled again:
//
//   world     handles | 0 1 2 ... 9 |         | 0 1 2 ... 9 | 10 11 12 |
//   fragment  handles | 0 1 2 |         ->    | |
//
// The entities get handles of the world in the order of their indices. This is the order in which
// they were spawned if none was despawned in the fragment. So the result depends only on which
// fragments are merged in which order, and not on threads: it equals, bit for bit, a world in which
// the same calls were made, fragment after fragment. Rows are appended to the tables with the same
// components, one copy for each column.
//
// A handle inside a value that is alive in the fragment becomes the new handle in the world, and
// every other handle becomes 0. A handle does not contain its world, so a value in a fragment can
// only refer to entities of that fragment.
//
// Singletons, events, clocks and the state of readers stay in the fragment. Readers of the world
// see all components of the new entities as added.
#ifndef WEFT_FRAGMENT_H
#define WEFT_FRAGMENT_H

#include "../world/world.h"

// Allocates and opens a fragment, as weft_world_create does for a world. Close it with
// weft_world_destroy. Returns NULL if there is no memory or the options are invalid.
weft_world *weft_fragment_create(const weft_plan *plan, size_t bytes, const weft_options *options);

// Moves all entities of a fragment into a world. Commands recorded in the fragment are applied
// first. `kept` are n handles (of plan->format.handle_bytes each) of entities of the fragment, or
// NULL; they are replaced by the new handles in the world, or by 0. Afterwards the hooks of the new
// entities are called, in the order of their handles in the fragment.
//
// The merge happens completely or not at all. Errors: WEFT_BUSY, WEFT_FULL, WEFT_NO_MEMORY, and
// WEFT_REFUSED if it is not a fragment (asserts in debug builds). Pointers into both worlds and
// their iterators become invalid. O(entities of the fragment).
weft_status weft_fragment_merge(weft_world *world, weft_world *fragment, void *kept, size_t n);

#endif
