// Files that are replaced as a whole or not at all, and read as a whole.
//
// Writing goes to a new file beside the old one (its name with `.saving` behind it), which is
// flushed to the disk and then takes the old one's name in one step of the file system. Whatever
// fails, and whenever the machine stops: there is the old file or the new one, never a part.
#ifndef WEFT_SAVE_FILE_H
#define WEFT_SAVE_FILE_H

#include "weft_save_bytes.h"

WEFT_EXTERN_C_BEGIN

typedef struct weft_file {
    const char *failed; // what could not be done ("write"); NULL: nothing failed
    int error;          // errno of that
    void *stream;
    char *beside; // name of the new file
    size_t beside_bytes;
    weft_heap *heap;
} weft_file;

// Begins a new file. False: failed and error say why; NULL and 0: no memory. Nothing is held.
bool weft_file_begin(weft_file *file, weft_heap *heap, const char *path);

// Takes more of it: a weft_sink_write.
bool weft_file_write(void *file, const void *bytes, size_t count);

// Ends it: `whole`, it takes the place of the old one; else it is taken away. False: it is not in
// place.
bool weft_file_end(weft_file *file, const char *path, bool whole);

// All bytes of a file, as memory of the heap. NULL: failed and error say why; NULL and 0: no memory.
void *weft_file_read(weft_file *file, weft_heap *heap, const char *path, size_t *count);

WEFT_EXTERN_C_END

#endif
