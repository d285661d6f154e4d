// Saves in the background: the world is copied as the bytes of the file, and a thread writes the
// copy while the game continues.
//
// The thread uses only the copy and the memory that was allocated for the file before it started,
// and never calls a memory hook. Between calls, either there is no save in the background, or
// world->saving.background is the save whose result the game has not asked for yet.
#ifndef WEFT_SAVE_BACKGROUND_H
#define WEFT_SAVE_BACKGROUND_H

#include "../world/world.h"

// Copies the world and starts writing the copy to a file, with the same guarantees about the file
// as weft_world_save. If no thread can be started, the file is written before the call returns, and
// the calls below report the result as usual. Only one save can be in progress: returns WEFT_BUSY
// while another one is being written. If an earlier save has ended, but the game has not asked for
// its result, the result goes to the log hook if it is an error. Other errors: WEFT_IO if the path
// is NULL, empty or too long; WEFT_REFUSED and WEFT_BAD_VALUE as weft_world_save; WEFT_NO_MEMORY.
// On an error no save is started. O(world). The memory of the copy is kept for the next save until
// the world is trimmed.
weft_status weft_world_save_begin(weft_world *world, const char *path);

// Return the result of the save once: WEFT_OK, or WEFT_IO with a report. _done returns WEFT_BUSY if
// the save is still being written; _wait waits until it is done. WEFT_NOT_FOUND means that there is
// no result to return. Saving to a file, loading from a file and closing the world also wait for
// the thread; only closing discards the result.
weft_status weft_world_save_done(weft_world *world);
weft_status weft_world_save_wait(weft_world *world);

#endif
