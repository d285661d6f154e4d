// Fragments: parts of a world that are filled on other threads, without a lock, and merged.
//
// A fragment is a world of its own, without the schema's hooks. It shares nothing with any other,
// so each thread can fill one by all calls that a world has. Merging makes all entities of a
// fragment new entities of a world at once and leaves the fragment empty, with its memory, to be
// filled again:
//
//   world     handles | 0 1 2 ... 9 |         | 0 1 2 ... 9 | 10 11 12 |
//   fragment  handles | 0 1 2 |         ->    | |
//
// Its entities take handles of the world in the order of their indices, which is the order in which
// they were spawned if none of them was despawned in the fragment. So the result depends on what is
// merged and in which order, and not on threads: it equals to the bit a world in which the calls
// were made, fragment after fragment. Rows are appended to the tables of their sets, a copy a
// column for all of them. Every handle inside a value that is alive in the fragment becomes that of
// the world, and every other one none: a handle does not tell its world, so a value in a fragment
// can only name entities of the fragment.
//
// Singletons, events, clocks and what readers of the fragment have seen are left where they are.
// For readers of the world all components of the new entities are added.
#ifndef WEFT_FRAGMENT_H
#define WEFT_FRAGMENT_H

#include "../world/world.h"

// Allocates and opens a fragment, as weft_world_create does with a world; weft_world_destroy closes
// it. NULL: no memory, or wrong options.
weft_world *weft_fragment_create(const weft_plan *plan, size_t bytes, const weft_options *options);

// Moves all entities of a fragment into a world. Commands recorded in the fragment are applied
// first. `kept` has n handles of plan->format.handle_bytes that the caller keeps of the fragment,
// and may be NULL: they become those of the world, or none, too. Then the hooks of the new entities
// are called, in the order of their handles in the fragment. All or nothing: WEFT_BUSY, WEFT_FULL,
// WEFT_NO_MEMORY and WEFT_REFUSED (it is no fragment, for which debug builds assert) move nothing.
// Pointers and iterators of both are invalid then. O(entities of the fragment).
weft_status weft_fragment_merge(weft_world *world, weft_world *fragment, void *kept, size_t n);

#endif
