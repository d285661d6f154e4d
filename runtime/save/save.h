// Saves: the whole world as bytes, and back. SAVES.md has the format and what a changed schema
// means for older saves.
//
// A load builds another world beside the one at hand, and only when the save has been found sound
// to its last byte the two change places: whatever the bytes are, a load that fails has changed
// nothing.
//
//   weft_save.c          saving, loading, changing places
//   weft_save_write.c    a world to sections            weft_save_read.c    sections to a world
//   weft_save_schema.c   the schema in a save           weft_save_table.c   its tables
//   weft_save_rows.c     rows of those                  weft_save_stores.c  its sparse stores
//   weft_save_events.c   what is to be heard            weft_save_marks.c   changes not yet seen
//   weft_save_removed.c  who lost what                  weft_save_relations.c
//   weft_save_values.c   values, but no stray bytes     weft_save_scratch.c memory of a load
//   weft_save_match.c    names, then and now            weft_save_steps.c   fields, then and now
//   weft_save_carry.c    rows, then and now             weft_save_convert.c values, then and now
//   weft_save_number.c   numbers, of another type       weft_save_bytes.c   words, sections, sums
//   weft_save_file.c     files, whole or not at all     weft_save_disk.h    what differs by system
#ifndef WEFT_SAVE_H
#define WEFT_SAVE_H

#include "../world/world.h"

WEFT_EXTERN_C_BEGIN

// Writes the world to a file, in place of what was there: old or new whole, whatever happens, and
// on the disk when it returns WEFT_OK (SAVES.md has links, permissions, several who save to one
// path). What was recorded outside of systems is applied first, as by flush; what finds no room, or
// is refused, is counted and said as there, and the world is saved all the same. WEFT_BUSY; WEFT_IO
// (also where path is NULL or empty), WEFT_NO_MEMORY: the words have the path. O(world), and the
// disk.
weft_status weft_world_save(weft_world *world, const char *path);

// The same to memory of the world's `allocate` hook, `*count` bytes that the caller gives back to
// its `free_` hook (the default ones: to free, on Windows _aligned_free).
weft_status weft_world_save_memory(weft_world *world, void **bytes, size_t *count);

// Puts what was saved in place of the world, from its entities to its clocks. on_remove is told of
// all that was, then on_add of all that is; what was recorded and not applied, also by on_remove
// then, is dropped, and counted as dropped. Pointers and iterators are invalid after it. WEFT_IO,
// WEFT_BAD_FILE, WEFT_MISMATCH, WEFT_NO_MEMORY, WEFT_BUSY: nothing has changed. O(world).
weft_status weft_world_load(weft_world *world, const char *path);
weft_status weft_world_load_memory(weft_world *world, const void *bytes, size_t count);

WEFT_EXTERN_C_END

#endif
