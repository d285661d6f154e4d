// Files that are replaced as a whole or not at all, and read as a whole.
//
// Writing goes to a new file beside the old one (its name with `.saving` behind it), which is
// flushed to the disk and then takes the old one's name in one step of the file system. Whatever
// fails, and whenever the machine stops: there is the old file or the new one, never a part.
//
// Who writes holds a lock on the new file until it has its name. So one that is not locked was left
// by a process that was killed, and is used again; where another process is writing at the same
// time, both have a file of their own, and the last one to end gives the name its content.
#ifndef WEFT_SAVE_FILE_H
#define WEFT_SAVE_FILE_H

#include "bytes.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_PATH_BYTES_MAX 4096 // of a path, and of what a link says, with the NUL
#define WEFT_LINKS_MAX 40        // one behind the other
#define WEFT_SAVERS_MAX 9        // at once to the same path: `.saving` to `.saving9`

typedef struct weft_file {
    const char *failed; // what could not be done ("be written"); NULL: nothing failed
    const char *why;    // in words
    weft_heap *heap;
    struct weft_file_room *room; // names, and bytes that wait
    int number;                  // descriptor that is written to
    int lock;                    // the one that holds the lock
    size_t waiting;
} weft_file;

// Begins a new file. False: failed and why say it; NULL: no memory. Nothing is held.
bool weft_file_begin(weft_file *file, weft_heap *heap, const char *path);

// Every write but the last one is as large, and so begins at a multiple of it: file systems keep
// what is written in blocks as large as the write where it begins at a multiple of that, and in
// many small ones where it does not. A piece is still near the processor when it is summed behind
// its write.
#define WEFT_FILE_PIECE_BYTES ((size_t)256 * 1024)

// Takes more of it: a weft_sink_write, of pieces of WEFT_FILE_PIECE_BYTES.
bool weft_file_write(void *file, const void *bytes, size_t count);

// Ends it: `whole`, it takes the place of the old one; else it is taken away. False: it is not in
// place, or it is and the disk did not say that it stays so without power.
bool weft_file_end(weft_file *file, bool whole);

// All bytes of a file, as memory of the heap: *count + 1 of them, for empty ones too. NULL: failed
// and why say it; NULL: no memory.
void *weft_file_read(weft_file *file, weft_heap *heap, const char *path, size_t *count);

WEFT_EXTERN_C_END

#endif
