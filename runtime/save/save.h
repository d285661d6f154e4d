// Saves: the whole world as bytes, and back. SAVES.md describes the format, and how older saves are
// converted when the schema changes.
//
// A load builds a second world. Only after the whole save was found to be valid do the two worlds
// exchange their contents, so a load that fails changes nothing, whatever the bytes are.
//
//   save.c               saving, loading, exchanging the worlds; all sections in order
//   schema.c entities.c tables.c stores.c singletons.c events.c relations.c removed.c
//   change_bits.c        the sections, each with its writer and its reader
//   saver.c, loader.c    functions that all writers or all readers use
//   convert.c            values of an older save to values of the current schema
//   bytes.c, scratch.c   words, sections, checksums; memory of a load
//   file.c               files that are replaced as a whole or not at all
//   background.c         saves that a thread writes while the game continues
//   hash.c               state hashes
#ifndef WEFT_SAVE_H
#define WEFT_SAVE_H

#include "../world/world.h"

// Saves the world to a file. Whatever happens, the path leads either to the whole old file or to
// the whole new one. Once WEFT_OK is returned, it leads to the new one, which is flushed to the
// disk. (SAVES.md describes links, permissions, and several processes that save to one path.)
//
// Commands recorded outside of systems are applied first, as by a flush. Commands that fail are
// counted and reported as usual, and do not prevent the save.
//
// Errors: WEFT_REFUSED if commands of hooks still wait after that, because they would be lost;
// WEFT_BAD_VALUE if the world contains a value that no load would accept, which the report names;
// WEFT_BUSY; WEFT_IO (also if the path is NULL or empty) and WEFT_NO_MEMORY, where the report names
// the path. O(world), plus the time of the disk.
weft_status weft_world_save(weft_world *world, const char *path);

// Saves the world to `*count` bytes of memory from the `allocate` hook. The caller frees them with
// the `free_` hook (by default that is `free`, and _aligned_free on Windows). If the call fails,
// *bytes is NULL. Fails like weft_world_save.
weft_status weft_world_save_memory(weft_world *world, void **bytes, size_t *count);

// Replaces the contents of the world, from entities to clocks, by those of a save. First on_remove
// is called for everything in the old world, then on_add for everything in the new one. Recorded
// commands that were not applied are dropped and counted as dropped, including those that on_remove
// records during the load. All pointers and iterators become invalid. Errors: WEFT_IO,
// WEFT_BAD_FILE, WEFT_MISMATCH, WEFT_NO_MEMORY, WEFT_BUSY. On an error nothing has changed.
// O(world).
weft_status weft_world_load(weft_world *world, const char *path);
weft_status weft_world_load_memory(weft_world *world, const void *bytes, size_t count);

// ------------------------------------------------------------------------------------------------
// Shared by saves that are written at once and saves in the background

// Ensures that no system runs and no command waits. Commands that fail are counted and reported as
// usual, and do not prevent the save. Returns WEFT_BUSY if a phase or a hook runs; `call` is the
// name of the call followed by advice, for the report. Returns WEFT_REFUSED if commands of hooks
// still wait, because a save would lose them.
weft_status weft_save_prepare(weft_world *world, const char *call);

// Writes the world, as a file would contain it, to memory that `space` returns. If it fails with
// WEFT_NO_MEMORY, *bytes is NULL and the caller must report it. If it fails with WEFT_BAD_VALUE
// (see weft_world_save), *bytes is not a valid save.
// `part` is NULL for the whole world.
typedef void *weft_save_space(weft_world *world, size_t bytes);
struct weft_saved_part;
weft_status weft_save_copy(weft_world *world, struct weft_saved_part *part, weft_save_space *space,
                           void **bytes, size_t *count);

// Write the world, or a part of it, after weft_save_prepare: to a file, and to memory of the
// caller, like weft_world_save and weft_world_save_memory. The second reports WEFT_NO_MEMORY.
weft_status weft_save_file(weft_world *world, struct weft_saved_part *part, const char *path);
weft_status weft_save_for_caller(weft_world *world, struct weft_saved_part *part, void **bytes,
                                 size_t *count);

// Waits until no save is being written in the background, so that the save that starts last is also
// the last one to replace the file. The game can still ask for the result of the earlier one.
void weft_save_wait_for_writer(weft_world *world);

// Reads a save, or the file of a part, into a new world, which is loader->into afterwards; NULL if
// there was no memory for it. The old world reports errors. With `keep`, the new world uses the
// reservations that an earlier load has kept. weft_load_end frees everything but the new world,
// which weft_load_discard frees in any case. With `replaced`, it keeps the reservations of that
// world for the next load.
struct weft_loader;
weft_status weft_load_begin(weft_world *world, struct weft_loader *loader, const void *bytes,
                            size_t count, bool part, bool keep);
void weft_load_end(struct weft_loader *loader);
void weft_load_discard(weft_world *world, weft_world *loaded, bool replaced);

// Reports why a file could not be written or read, and returns the status.
struct weft_file;
weft_status weft_save_report(weft_world *world, const struct weft_file *file, const char *path);

#endif
