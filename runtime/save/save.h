// Saves: the whole world as bytes, and back. SAVES.md describes the format, and what a changed
// schema means for older saves.
//
// A load builds another world, and only when the save has been found sound to its last byte do that
// one and the one at hand change places: whatever the bytes are, a load that fails has changed
// nothing.
//
//   save.c               saving, loading, changing places; all sections in order
//   schema.c entities.c tables.c stores.c singletons.c events.c relations.c removed.c
//   change_bits.c        the sections, each with its writer and its reader
//   saver.c, loader.c    what writers and readers share
//   convert.c            values of an older save to those of the schema
//   bytes.c, scratch.c   words, sections, checksums; memory of a load
//   file.c               files that are replaced as a whole or not at all
//   background.c         saves that a thread writes while the game goes on
//   hash.c               state hashes
#ifndef WEFT_SAVE_H
#define WEFT_SAVE_H

#include "../world/world.h"

// Saves the world to a file. Whatever happens, the path leads to the whole old file or the whole
// new one, and to the new one, flushed to the disk, once WEFT_OK is returned. (SAVES.md tells about
// links, permissions and several processes that save to one path.) Commands recorded outside of
// systems are applied first, as by a flush; those that fail are counted and reported as there, and
// the world is saved nevertheless. But where commands of hooks wait even so, nothing is saved
// (WEFT_REFUSED), since they would be lost; and nothing is where a value is one that no load takes
// (sound.h, WEFT_BAD_VALUE): the words name it. WEFT_BUSY; WEFT_IO (also where path is NULL or
// empty), WEFT_NO_MEMORY: the words name the path. O(world), and the disk.
weft_status weft_world_save(weft_world *world, const char *path);

// Saves the world to memory of its `allocate` hook: `*count` bytes, which the caller gives back to
// the `free_` hook (that is `free` by default, on Windows _aligned_free). Otherwise *bytes is NULL;
// it fails as weft_world_save does.
weft_status weft_world_save_memory(weft_world *world, void **bytes, size_t *count);

// Replaces the world, from its entities to its clocks, by what was saved. on_remove is called for
// everything there was, then on_add for everything there is. Commands that were recorded and not
// applied are dropped and counted as dropped, those that on_remove records here among them.
// Pointers and iterators become invalid. WEFT_IO, WEFT_BAD_FILE, WEFT_MISMATCH, WEFT_NO_MEMORY,
// WEFT_BUSY: nothing has changed. O(world).
weft_status weft_world_load(weft_world *world, const char *path);
weft_status weft_world_load_memory(weft_world *world, const void *bytes, size_t count);

// ------------------------------------------------------------------------------------------------
// A save in the background and one that is written at once share these

// Makes sure that no system runs and no command waits. Commands that fail are counted and reported
// as ever; they are no reason not to save. WEFT_BUSY: a phase or a hook runs; `call` is the name of
// the call and the advice behind it. WEFT_REFUSED: commands of hooks wait even so, and would be
// lost.
weft_status weft_save_prepare(weft_world *world, const char *call);

// Writes the world, as it is in files, to memory that `space` gives for so many bytes.
// WEFT_NO_MEMORY, which the caller has yet to report: *bytes is NULL. WEFT_BAD_VALUE, as of
// weft_world_save: *bytes are no save.
typedef void *weft_save_space(weft_world *world, size_t bytes);
weft_status weft_save_copy(weft_world *world, weft_save_space *space, void **bytes, size_t *count);

// Reports why a file could not be written or read.
struct weft_file;
weft_status weft_save_report(weft_world *world, const struct weft_file *file, const char *path);

#endif
