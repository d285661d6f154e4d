// What the systems call differently of files: one set for Windows, one for POSIX, in which
// WebAssembly has no locks. Each call says by errno why it fails. Only for weft_save_file.c, which
// includes it before any header of the system.
#ifndef WEFT_SAVE_DISK_H
#define WEFT_SAVE_DISK_H

#if !defined(_WIN32)
#define _DEFAULT_SOURCE // flock, fsync, readlink
#endif

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#define BESIDE ".saving"

typedef struct weft_file_room {
    unsigned char waiting[WEFT_FILE_PIECE_BYTES];
    char target[WEFT_PATH_BYTES_MAX]; // the path, links followed
    char beside[WEFT_PATH_BYTES_MAX + sizeof BESIDE + 1];
} weft_file_room;

#if defined(_WIN32)

#include <io.h>
#include <share.h>
#include <windows.h>

#define IS_PLAIN(mode) (((mode)&_S_IFMT) == _S_IFREG)
#define IS_FOLDER(mode) (((mode)&_S_IFMT) == _S_IFDIR)
#define open_to_read(path) _open(path, _O_RDONLY | _O_BINARY)
#define read_some(number, bytes, count) _read(number, bytes, (unsigned)(count))
#define write_some(number, bytes, count) _write(number, bytes, (unsigned)(count))
#define close_file(number) (_close(number) == 0)
#define flush_to_disk(number) (_commit(number) == 0)
#define may_write(path) (_access(path, 2) == 0)
#define take_away(path) _unlink(path)

// Links are not followed here.
static inline bool follow_links(weft_file_room *room)
{
    (void)room;
    return true;
}

// Nobody else can open it meanwhile; that is all the lock there is.
static inline bool open_beside(weft_file *file)
{
    int flags = _O_CREAT | _O_TRUNC | _O_WRONLY | _O_BINARY;
    file->lock = -1;
    errno = _sopen_s(&file->number, file->room->beside, flags, _SH_DENYRW, _S_IREAD | _S_IWRITE);
    return file->number >= 0;
}

static inline void close_lock(const weft_file *file)
{
    (void)file;
}

static inline bool replace(const weft_file_room *room)
{
    errno = EACCES;
    return MoveFileExA(room->beside, room->target,
                       MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
}

static inline bool flush_folder(weft_file_room *room)
{
    (void)room;
    return true;
}

static inline void keep_mode(const weft_file *file, unsigned mode)
{
    (void)file;
    (void)mode;
}

#else

#include <sys/file.h>
#include <unistd.h>

#define IS_PLAIN(mode) S_ISREG(mode)
#define IS_FOLDER(mode) S_ISDIR(mode)
#define read_some(number, bytes, count) read(number, bytes, count)
#define write_some(number, bytes, count) write(number, bytes, count)
#define may_write(path) (access(path, W_OK) == 0)
#define take_away(path) unlink(path)

static inline int open_again(const char *path, int flags)
{
    int number;
    do number = open(path, flags | O_CLOEXEC, 0666);
    while (number < 0 && errno == EINTR);
    return number;
}

#define open_to_read(path) open_again(path, O_RDONLY)

// It is closed also where a signal came in between.
static inline bool close_file(int number)
{
    return close(number) == 0 || errno == EINTR;
}

static inline bool flush_to_disk(int number)
{
    int failed;
    do failed = fsync(number);
    while (failed && errno == EINTR);
    return !failed;
}

// Bytes of a path up to the name of the file in it.
static inline size_t folder_bytes(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

// The file that is replaced is the one that links lead to, so that they go on doing so.
static inline bool follow_links(weft_file_room *room)
{
    for (int i = 0; i < WEFT_LINKS_MAX; i++) {
        ssize_t length = readlink(room->target, room->beside, WEFT_PATH_BYTES_MAX);
        if (length < 0) return true; // it is none, or opening it will tell
        size_t folder = room->beside[0] == '/' ? 0 : folder_bytes(room->target);
        if (folder + (size_t)length >= WEFT_PATH_BYTES_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(room->target + folder, room->beside, (size_t)length);
        room->target[folder + (size_t)length] = '\0';
    }
    errno = ELOOP;
    return false;
}

#if defined(__wasi__)

// There are no locks, nor two descriptors of a file.
static inline bool open_beside(weft_file *file)
{
    file->lock = -1;
    file->number = open_again(file->room->beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    return file->number >= 0;
}

static inline void close_lock(const weft_file *file)
{
    (void)file;
}

static inline void keep_mode(const weft_file *file, unsigned mode)
{
    (void)file;
    (void)mode;
}

#else

// Whether the file that was opened is this process's own from here on: locked, and not yet given
// its name by one who had it locked before.
static inline bool hold(int number, const char *name)
{
    struct stat opened, named;
    if (flock(number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    return fstat(number, &opened) == 0 && lstat(name, &named) == 0 && S_ISREG(opened.st_mode) &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// The lock is that of both descriptors, so that the one which is written to can be closed, and be
// known to be, before the file has its name.
static inline bool open_beside(weft_file *file)
{
    const char *name = file->room->beside;
    file->lock = open_again(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK); // no link, no pipe
    if (file->lock < 0) return false;
    if (!hold(file->lock, name)) {
        close(file->lock);
        errno = EAGAIN;
        return false;
    }
    file->number = ftruncate(file->lock, 0) == 0 ? dup(file->lock) : -1;
    if (file->number >= 0) return true;
    int error = errno;
    unlink(name);
    close(file->lock);
    errno = error;
    return false;
}

static inline void close_lock(const weft_file *file)
{
    close(file->lock);
}

// Gives the file the permissions of the one it replaces; 0: there is none.
static inline void keep_mode(const weft_file *file, unsigned mode)
{
    if (mode != 0) (void)fchmod(file->number, mode);
}

#endif

static inline bool replace(const weft_file_room *room)
{
    return rename(room->beside, room->target) == 0;
}

// The new name is on the disk once its folder is. Some folders cannot be opened, some file systems
// flush none: there it will be soon.
static inline bool flush_folder(weft_file_room *room)
{
    size_t length = folder_bytes(room->target);
    memcpy(room->beside, length == 0 ? "./" : room->target, length == 0 ? 2 : length);
    room->beside[length == 0 ? 2 : length] = '\0';
    int number = open_again(room->beside, O_RDONLY);
    if (number < 0) return errno == EACCES;
    bool flushed = flush_to_disk(number) || errno == EINVAL || errno == ENOTSUP;
    int error = errno;
    close(number);
    errno = error;
    return flushed;
}

#endif

#endif
