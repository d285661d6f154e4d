// Files that are replaced as a whole or not at all, and read as a whole.
//
// A new file is written next to the old one, under its name with `.saving` behind it, flushed to
// the disk, and then renamed to the old one's name in one step of the file system. Whatever fails,
// and whenever the machine stops, there is the old file or the new one, never a part.
//
// The new file is locked until it has its name. One that is not locked was left by a process that
// was killed, and is used again. While another process is writing, each has a file of its own, and
// the last one to end gives the name its content.
#ifndef WEFT_SAVE_FILE_H
#define WEFT_SAVE_FILE_H

#include "bytes.h"

#define WEFT_PATH_BYTES_MAX 4096 // of a path, and of what a link holds, with the NUL
#define WEFT_LINKS_MAX 40        // one behind the other
#define WEFT_SAVERS_MAX 9        // at once to one path: `.saving` to `.saving9`

WEFT_STATIC_ASSERT(WEFT_SAVERS_MAX <= 9, "a name ends with one digit");

typedef struct weft_file {
    const char *failed; // what could not be done ("be written"); NULL: nothing failed
    const char *why;    // in words
    weft_heap *heap;
    struct weft_file_buffers *buffers; // names, and bytes that wait
    int number;                        // descriptor that is written to
    int lock;                          // the one that holds the lock; -1: none
    size_t waiting;
} weft_file;

// Takes the memory that a new file needs, and copies the path; the disk is not asked. False:
// `failed` and `why` are set, or are NULL for lack of memory. weft_file_close gives the memory back
// in either case.
bool weft_file_open(weft_file *file, weft_heap *heap, const char *path);
void weft_file_close(weft_file *file);

// Begins the file. False: `failed` and `why` are set; it has no end then.
bool weft_file_begin(weft_file *file);

// Every write but the last one has this size, and so begins at a multiple of it: file systems keep
// what is written so in blocks of that size, and else in many small ones. A piece is still in the
// cache when it is summed after its write.
#define WEFT_FILE_PIECE_BYTES ((size_t)256 * 1024)

// Writes more of it: a weft_sink_write, of pieces of WEFT_FILE_PIECE_BYTES.
bool weft_file_write(void *file, const void *bytes, size_t count);

// Ends it. If it is whole it takes the place of the old one, else it is deleted. False: it is not
// in place, or it is, and may be lost again if the power fails.
bool weft_file_end(weft_file *file, bool whole);

// Reads all bytes of a file into memory of the heap: *count + 1 of them, for empty ones too. NULL:
// as false above.
void *weft_file_read(weft_file *file, weft_heap *heap, const char *path, size_t *count);

#endif
