// A folder of a test's own with one save in it.
#ifndef FOLDER_H
#define FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#define FOLDER_BYTES_MAX 65536

typedef struct folder {
    char path[64];
    char save[96]; // where saves go
} folder;

typedef struct content {
    size_t count;
    unsigned char bytes[FOLDER_BYTES_MAX];
} content;

void folder_make(folder *f);
void folder_remove(const folder *f); // with what is in it

// How many things are in it.
unsigned folder_count(const folder *f);

// A path in it; good until the next call.
const char *folder_path(const folder *f, const char *name);

// All bytes of a file.
void content_read(content *c, const char *path);
bool content_same(const content *a, const content *b);

// Writes a file there.
void content_write(const char *path, const void *bytes, size_t count);

#endif
