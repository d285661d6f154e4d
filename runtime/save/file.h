// Files that are replaced as a whole or not at all, and read as a whole.
//
// A new file is written next to the old one. Its name is that of the old one plus `.saving`. It is
// flushed to the disk, and then replaces the old file by one rename. If anything fails, or the
// machine stops, either the complete old file or the complete new file exists.
//
// The new file is locked until it has its final name. If a `.saving` file is not locked, the
// process that wrote it was killed, so the file is used again. If several processes save to one
// path at the same time, each writes its own file, and the last one to finish replaces the target.
#ifndef WEFT_SAVE_FILE_H
#define WEFT_SAVE_FILE_H

#include "bytes.h"

#define WEFT_PATH_BYTES_MAX 4096 // of a path, and of the target of a link, with the NUL
#define WEFT_LINKS_MAX 40        // followed one after the other
#define WEFT_SAVERS_MAX 9        // processes that save to one path at once: `.saving` to `.saving9`

WEFT_STATIC_ASSERT(WEFT_SAVERS_MAX <= 9, "a name ends with one digit");

typedef struct weft_file {
    const char *failed; // what failed, for example "be written"; NULL if nothing failed
    const char *why;    // the reason, as text
    weft_heap *heap;
    struct weft_file_buffers *buffers; // names, and bytes to be written
    int number;                        // descriptor of the file that is written
    int lock;                          // descriptor that holds the lock; -1 if there is none
    size_t waiting;
} weft_file;

// Allocates the memory that a new file needs, and copies the path, without using the disk. Returns
// false with `failed` and `why` set, or with both NULL if memory ran out. In every case
// weft_file_close frees the memory.
bool weft_file_open(weft_file *file, weft_heap *heap, const char *path);
void weft_file_close(weft_file *file);

// Creates the new file. Returns false with `failed` and `why` set; then do not call weft_file_end.
bool weft_file_begin(weft_file *file);

// Every write but the last one has this size, so each begins at a multiple of it. File systems
// store such writes in blocks of this size, and others in many small blocks. A piece is still in
// the cache when its checksum is computed after the write.
#define WEFT_FILE_PIECE_BYTES ((size_t)256 * 1024)

// Appends bytes to the file. It is a weft_sink_write for pieces of WEFT_FILE_PIECE_BYTES.
bool weft_file_write(void *file, const void *bytes, size_t count);

// Closes the file. If `whole` is set it replaces the old file; otherwise it is deleted. Returns
// false if the new file did not replace the old one, or if it did, but could be lost again in a
// power failure.
bool weft_file_end(weft_file *file, bool whole);

// Reads a whole file into memory of the heap, which has *count + 1 bytes, so that even an empty
// file has some. Returns NULL on failure; `failed` and `why` are as in weft_file_open.
void *weft_file_read(weft_file *file, weft_heap *heap, const char *path, size_t *count);

#endif
