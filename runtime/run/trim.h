// Trimming: memory that a world no longer needs goes back.
//
// Arrays grow as entities, values, commands and events come, and keep what they have for those that
// may follow. A trim leaves each with what is in it. In a reservation the pages behind that go
// back, and nothing moves; on the heap it is copied into a smaller block. An array with nothing in
// it goes back whole, and so does what is only a cache or scratch memory.
//
// These stay, whatever was despawned:
//   - the record of each index that was ever handed out, 8 bytes, or 12 where handles have 64 bits:
//     its generation is what tells a dead handle from that of a later entity, and the order of the
//     free indices decides which handles come next
//   - a table for each set of components that was ever met, without memory for rows if it has none,
//     and its place in the lists of queries
//   - links of a relation up to the highest index that has one, and 4 KiB for 1,024 indices of
//     which one has a sparse component
#ifndef WEFT_TRIM_H
#define WEFT_TRIM_H

#include "../world/world.h"

// Gives memory back, all but what the head of this file names. No handle, value or row changes, nor
// any hash or save; pointers and iterators are invalid after it. O(world). Returns WEFT_BUSY where
// a phase or a hook runs, and WEFT_NO_MEMORY where a block on the heap could not be copied into a
// smaller one; such a block stays as it is, and the rest is trimmed.
weft_status weft_world_trim(weft_world *world);

#endif
