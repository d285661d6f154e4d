// Saves that are written while the game goes on: the world is copied at once, as the bytes of the
// file, and a thread of its own writes the copy.
//
// The thread touches nothing of the world but the copy and the memory that was taken for the file
// before it started, and no memory hook is called on it. Between calls either there is no save in
// the background, or world->background is the one that the game has yet to be told of.
#ifndef WEFT_SAVE_BACKGROUND_H
#define WEFT_SAVE_BACKGROUND_H

#include "../world/world.h"

// Copies the world and begins to write the copy to a file, with all that weft_world_save promises
// of the file. Where no thread is to be had the file is written before the call returns, and the
// calls below tell of it as ever. One save at a time: WEFT_BUSY while another one is being written.
// The outcome of one that has ended untold goes to the log hook if it failed. WEFT_IO (the path is
// NULL, empty or too long), WEFT_REFUSED and WEFT_BAD_VALUE (as of weft_world_save),
// WEFT_NO_MEMORY: nothing was begun. O(world). The memory of the copy stays for the next save,
// until the world is trimmed.
weft_status weft_world_save_begin(weft_world *world, const char *path);

// Tells once what became of the save: WEFT_OK, or WEFT_IO and words. WEFT_BUSY: it is still being
// written; _wait waits for its end. WEFT_NOT_FOUND: there is none to be told of. Saving to a file,
// loading one and closing the world wait for the thread, too; only closing gives up the outcome.
weft_status weft_world_save_done(weft_world *world);
weft_status weft_world_save_wait(weft_world *world);

#endif
