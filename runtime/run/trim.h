// Trimming: frees memory that a world no longer needs.
//
// Arrays grow with entities, values, commands and events, and keep their memory for later ones. A
// trim reduces each array to its contents. In a reservation it returns the pages after the contents
// to the system, and nothing moves; on the heap it copies the contents into a smaller block. Empty
// arrays, caches and scratch memory are freed completely.
//
// Tables without rows are closed, together with the edges to them and their places in the lists of
// queries. The other tables get new ids, which nothing outside of the runtime sees.
//
// These stay, even after despawns:
//   - the record of each index that was ever used, 8 bytes, or 12 if handles have 64 bits: its
//     generation distinguishes a dead handle from that of a later entity, and the order of the free
//     indices decides the next handles
//   - the table of each prefab, without memory for rows if it has no rows
//   - the nodes of a relation up to the highest index with one, the lists of links up to the highest
//     index with a link, and 4 KiB for each group of 1,024 indices with at least one value of a
//     sparse component
#ifndef WEFT_TRIM_H
#define WEFT_TRIM_H

#include "../world/world.h"

// Frees the memory that the world does not need, except that listed above. Handles, values, rows,
// hashes and saves do not change; pointers and iterators are invalid afterwards. O(world). Returns
// WEFT_BUSY if a phase or a hook runs, or WEFT_NO_MEMORY if a block on the heap could not be copied
// into a smaller one; that block stays as it is, and the rest is trimmed.
weft_status weft_world_trim(weft_world *world);

#endif
