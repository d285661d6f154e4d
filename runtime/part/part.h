// Part files: a set of entities is saved to a file or to memory, and loaded into a world later.
//
// A part can be copied or taken out of the world:
//
//   world     | a b c d |   part_save {b, c}             ->   | a b c d |       file: b c
//                           part_load                    ->   | a b c d e f |   b -> e, c -> f
//
//   world     | a b c d |   part_save {b, c}, away       ->   | a . . d |       file: b c
//                           part_load                    ->   | a b c d |
//
// Entities that were taken out are away: they are not alive, but no other entity gets their
// handles, so fields that refer to them stay valid. Saves list them.
//
// A part is a save without the state of the world, so it is written, checked and converted to
// another schema like a save. A load reads the whole file into a second world. Only if the file is
// valid, its entities are copied into the world.
#ifndef WEFT_PART_H
#define WEFT_PART_H

#include "../query/query.h"
#include "../save/part.h"
#include "../world/map.h"

// Saves a part to a file, or to `*count` bytes of memory, with the guarantees and errors of
// weft_world_save and weft_world_save_memory. If `choice->away`, the entities leave the world after
// the part was written. Hooks run with the reason WEFT_BY_PART. Also returns WEFT_DEAD if an entity
// of the set is not alive. Invalidates pointers and iterators if entities leave. O(set + bytes),
// and O(indices / 64).
weft_status weft_part_save(weft_world *world, const weft_part_choice *choice, const char *path);
weft_status weft_part_save_memory(weft_world *world, const weft_part_choice *choice, void **bytes,
                                  size_t *count);

// Like weft_part_save, for the rows of a query that pass. `choice->set` is not used.
weft_status weft_query_part_save(weft_world *world, const weft_query *query, weft_match_table match,
                                 weft_filter filter, const weft_part_choice *choice,
                                 const char *path);

// Loads a part. If its entities were taken out of the world, they return under their handles, with
// their nodes to entities that are alive. Otherwise they are copied: they get new handles, handles
// to entities that are not in the file become none, and their nodes to such entities are dropped.
// `map` may be NULL. It receives the pairs of handles in the file and in the world, and its old
// pairs are freed.
//
// Errors: those of weft_world_load. WEFT_REFUSED if an entity that was taken out is alive.
// WEFT_DEAD if none of them is away. WEFT_FULL. On an error nothing has changed. Hooks run with the
// reason WEFT_BY_PART. Invalidates pointers and iterators. The world keeps the reservations of the
// second world, with their pages, for its next load; weft_world_trim gives them back.
// O(bytes + indices / 64).
weft_status weft_part_load(weft_world *world, const char *path, weft_map *map);
weft_status weft_part_load_memory(weft_world *world, const void *bytes, size_t count,
                                  weft_map *map);

#endif
