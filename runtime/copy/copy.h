// Copies a set of entities from one world into another world of the same schema, or into the same
// world: their components, tags, the nodes of relations, and links.
//
// Rows are grouped by table, and each column of a table is copied with few copies. A handle inside
// a value that refers to an entity of the set refers to the copy afterwards. Readers of the target
// see all components of the copies as added. All memory is taken first, so the copy happens
// completely or not at all.
//
// An `rng` inside a value is copied as it is, so the copy continues the sequence of the original.
#ifndef WEFT_COPY_H
#define WEFT_COPY_H

#include "options.h"

// Copies n entities (`set`: handles of plan->format.handle_bytes each) of a world. A handle that
// occurs twice is copied once. The hooks of the copies are called at the end, in the order of the
// set. Neither world may run a phase or a hook; the caller tests this. Returns WEFT_DEAD if a
// handle is not alive in `from`, WEFT_FULL, WEFT_NO_MEMORY, or with `same_handles` the status of
// weft_index_may_be, without reporting it and without changes. Invalidates pointers and iterators
// of the target. O(bytes + n + tables).
weft_status weft_entities_copy(weft_world *to, const weft_world *from, const void *set, size_t n,
                               const weft_copy_options *options);

// Copies the members that were added to a copy, like weft_entities_copy.
struct weft_copying;
weft_status weft_copy_members(struct weft_copying *c);

#endif
