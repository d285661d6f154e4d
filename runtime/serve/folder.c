#ifndef _GNU_SOURCE
#define _GNU_SOURCE // realpath, scandir, O_NOFOLLOW, O_CLOEXEC
#endif
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A walk over a folder and all folders below it.
typedef struct folder_walk {
    serve_file_hook *found;
    void *user;
    size_t root;      // bytes of the path of the folder
    uint32_t entries; // that were looked at
    char path[PATH_MAX];
} folder_walk;

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void walk_folder(folder_walk *tour, size_t used, uint32_t depth);

// Looks at an entry of a folder, whose path has `used` bytes. Symbolic links are left out, because
// they may lead out of the folder.
static void look_at_entry(folder_walk *tour, size_t used, uint32_t depth, const char *name)
{
    struct stat about;
    const int bytes = snprintf(tour->path + used, sizeof tour->path - used, "/%s", name);
    const bool fits = bytes > 0 && (size_t)bytes < sizeof tour->path - used;
    if (fits && lstat(tour->path, &about) == 0) {
        if (S_ISDIR(about.st_mode) && depth < SERVE_FOLDER_DEPTH_MAX)
            walk_folder(tour, used + (size_t)bytes, depth + 1);
        else if (S_ISREG(about.st_mode))
            tour->found(tour->user, tour->path, tour->path + tour->root + 1);
    }
    tour->path[used] = '\0';
}

static void walk_folder(folder_walk *tour, size_t used, uint32_t depth)
{
    struct dirent **entries;
    const int count = scandir(tour->path, &entries, is_shown, alphasort);
    if (count < 0) return;
    for (int i = 0; i < count; i++) {
        if (tour->entries++ < SERVE_FOLDER_ENTRIES_MAX) {
            look_at_entry(tour, used, depth, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
}

static const char *list_folder(const char *folder, serve_file_hook *found, void *user)
{
    static WEFT_THREAD_LOCAL folder_walk tour; // too large for a stack
    struct stat about;
    tour = (folder_walk){.found = found, .user = user};
    if (!realpath(folder, tour.path) || stat(tour.path, &about) != 0) return strerror(errno);
    if (!S_ISDIR(about.st_mode)) return strerror(ENOTDIR);
    tour.root = strcmp(tour.path, "/") == 0 ? 0 : strlen(tour.path);
    tour.path[tour.root] = '\0';
    walk_folder(&tour, tour.root, 0);
    return NULL;
}

// Reads an open file, if it is a regular one of at most `most` bytes.
static char *read_open(int from, size_t most, size_t *bytes)
{
    struct stat about;
    if (fstat(from, &about) != 0 || !S_ISREG(about.st_mode)) return NULL;
    if (about.st_size < 0 || (uintmax_t)about.st_size > most) return NULL;
    char *text = (char *)malloc((size_t)about.st_size + 1);
    size_t used = 0;
    while (text && used < (size_t)about.st_size) {
        const ssize_t some = read(from, text + used, (size_t)about.st_size - used);
        if (some < 0 && errno == EINTR) continue;
        if (some <= 0) break; // the file has become shorter
        used += (size_t)some;
    }
    *bytes = used;
    return text;
}

static char *read_whole(const char *path, size_t most, size_t *bytes)
{
    const int from = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (from < 0) return NULL;
    char *text = read_open(from, most, bytes);
    close(from);
    return text;
}

const serve_files serve_folder_files = {.list = list_folder, .read = read_whole};
