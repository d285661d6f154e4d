// Folders and files, by calls of the C library. Ends the program if one fails.
#define _DEFAULT_SOURCE // mkdtemp

#include "folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void require(bool held, const char *what)
{
    if (held) return;
    perror(what);
    abort();
}

void folder_make(folder *f)
{
    snprintf(f->path, sizeof f->path, "/tmp/weft_harm_XXXXXX");
    require(mkdtemp(f->path) != NULL, "mkdtemp");
    snprintf(f->save, sizeof f->save, "%s/vault", f->path);
}

// Calls `act` for each file in the folder, and returns their number.
static unsigned visit(const folder *f, int (*act)(const char *path))
{
    unsigned count = 0;
    DIR *open = opendir(f->path);
    require(open != NULL, f->path);
    for (struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (act) require(act(folder_path(f, entry->d_name)) == 0, entry->d_name);
        count++;
    }
    closedir(open);
    return count;
}

unsigned folder_count(const folder *f)
{
    return visit(f, NULL);
}

void folder_remove(const folder *f)
{
    visit(f, remove);
    require(rmdir(f->path) == 0, f->path);
}

const char *folder_path(const folder *f, const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    return path;
}

void content_read(content *c, const char *path)
{
    FILE *file = fopen(path, "rb");
    require(file != NULL, path);
    c->count = fread(c->bytes, 1, sizeof c->bytes, file);
    require(c->count < sizeof c->bytes, "a small file");
    fclose(file);
}

bool content_same(const content *a, const content *b)
{
    return a->count == b->count && memcmp(a->bytes, b->bytes, a->count) == 0;
}

void content_write(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    require(file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0, path);
}
