// Files, by descriptors: every call that can fail is seen to, and a signal in between is none.
#if !defined(_WIN32)
#define _DEFAULT_SOURCE // flock, fsync, readlink
#endif

#include "weft_save_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#define BESIDE ".saving"
#define CALL_BYTES_MAX ((size_t)1 << 30) // of one call that reads or writes

typedef struct weft_file_room {
    unsigned char waiting[WEFT_FILE_PIECE_BYTES];
    char target[WEFT_PATH_BYTES_MAX]; // the path, links followed
    char beside[WEFT_PATH_BYTES_MAX + sizeof BESIDE + 1];
} weft_file_room;

static bool fail_because(weft_file *file, const char *what, const char *why)
{
    if (!file->failed) {
        file->failed = what;
        file->why = why;
    }
    return false;
}

static bool fail(weft_file *file, const char *what)
{
    return fail_because(file, what, strerror(errno));
}

// ------------------------------------------------------------------------------------------------
// What the systems call differently

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
static bool follow_links(weft_file_room *room)
{
    (void)room;
    return true;
}

// Nobody else can open it meanwhile; that is all the lock there is.
static bool open_beside(weft_file *file)
{
    int flags = _O_CREAT | _O_TRUNC | _O_WRONLY | _O_BINARY;
    file->lock = -1;
    errno = _sopen_s(&file->number, file->room->beside, flags, _SH_DENYRW, _S_IREAD | _S_IWRITE);
    return file->number >= 0;
}

static void close_lock(const weft_file *file)
{
    (void)file;
}

static bool replace(const weft_file_room *room)
{
    errno = EACCES;
    return MoveFileExA(room->beside, room->target,
                       MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
}

static bool flush_folder(weft_file_room *room)
{
    (void)room;
    return true;
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

static int open_again(const char *path, int flags)
{
    int number;
    do number = open(path, flags | O_CLOEXEC, 0666);
    while (number < 0 && errno == EINTR);
    return number;
}

#define open_to_read(path) open_again(path, O_RDONLY)

// It is closed also where a signal came in between.
static bool close_file(int number)
{
    return close(number) == 0 || errno == EINTR;
}

static bool flush_to_disk(int number)
{
    int failed;
    do failed = fsync(number);
    while (failed && errno == EINTR);
    return !failed;
}

// Bytes of a path up to the name of the file in it.
static size_t folder_bytes(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

// The file that is replaced is the one that links lead to, so that they go on doing so.
static bool follow_links(weft_file_room *room)
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
static bool open_beside(weft_file *file)
{
    file->lock = -1;
    file->number = open_again(file->room->beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    return file->number >= 0;
}

static void close_lock(const weft_file *file)
{
    (void)file;
}

#else

// Whether the file that was opened is this process's own from here on: locked, and not yet given
// its name by one who had it locked before.
static bool hold(int number, const char *name)
{
    struct stat opened, named;
    if (flock(number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    return fstat(number, &opened) == 0 && lstat(name, &named) == 0 && S_ISREG(opened.st_mode) &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// The lock is that of both descriptors, so that the one which is written to can be closed, and be
// known to be, before the file has its name.
static bool open_beside(weft_file *file)
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

static void close_lock(const weft_file *file)
{
    close(file->lock);
}

#endif

static bool replace(const weft_file_room *room)
{
    return rename(room->beside, room->target) == 0;
}

// The new name is on the disk once its folder is. Some folders cannot be opened, some file systems
// flush none: there it will be soon.
static bool flush_folder(weft_file_room *room)
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

// ------------------------------------------------------------------------------------------------
// Writing

static bool write_all(weft_file *file, const unsigned char *bytes, size_t count)
{
    while (count != 0) {
        size_t some = count < CALL_BYTES_MAX ? count : CALL_BYTES_MAX;
        errno = EIO; // of a call that writes nothing and does not fail
        long long written = (long long)write_some(file->number, bytes, some);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return fail(file, "be written");
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

static bool write_waiting(weft_file *file)
{
    size_t count = file->waiting;
    file->waiting = 0;
    return write_all(file, file->room->waiting, count);
}

// A whole piece is written from where it lies, others once they are one.
bool weft_file_write(void *to, const void *bytes, size_t count)
{
    weft_file *file = (weft_file *)to;
    if (count == WEFT_FILE_PIECE_BYTES) return write_all(file, (const unsigned char *)bytes, count);
    memcpy(file->room->waiting + file->waiting, bytes, count);
    file->waiting += count;
    return file->waiting != WEFT_FILE_PIECE_BYTES || write_waiting(file);
}

// Whether what is there, if anything, is a file that may be replaced. Its permissions go on.
static bool check_target(weft_file *file, unsigned *mode)
{
    struct stat old;
    const char *target = file->room->target;
    *mode = 0;
    if (stat(target, &old) != 0) return true; // nothing, or opening one beside it will tell
    if (IS_FOLDER(old.st_mode)) return fail_because(file, "be replaced", "it is a folder");
    if (!IS_PLAIN(old.st_mode)) return fail_because(file, "be replaced", "it is no plain file");
    if (!may_write(target)) return fail(file, "be replaced");
    *mode = old.st_mode & 0777u;
    return true;
}

// What cannot be done without a path.
static bool check_path(weft_file *file, const char *path, const char *what)
{
    if (!path) return fail_because(file, what, "the path is NULL");
    return path[0] != '\0' || fail_because(file, what, "the path is empty");
}

static bool find_target(weft_file *file, const char *path)
{
    if (!check_path(file, path, "be made")) return false;
    size_t length = strlen(path);
    errno = ENAMETOOLONG;
    if (length >= WEFT_PATH_BYTES_MAX) return fail(file, "be made");
    memcpy(file->room->target, path, length + 1);
    return follow_links(file->room) || fail(file, "be made");
}

// One that cannot be had is of another process, or of another user: then the next name.
static bool make_beside(weft_file *file)
{
    weft_file_room *room = file->room;
    size_t length = strlen(room->target);
    memcpy(room->beside, room->target, length);
    memcpy(room->beside + length, BESIDE, sizeof BESIDE);
    for (char i = 1; i <= WEFT_SAVERS_MAX; i++) {
        room->beside[length + sizeof BESIDE - 1] = i == 1 ? '\0' : (char)('0' + i);
        room->beside[length + sizeof BESIDE] = '\0';
        if (open_beside(file)) return true;
    }
    if (errno == EAGAIN) return fail_because(file, "be made", "too many save to it at once");
    return fail(file, "be made");
}

bool weft_file_begin(weft_file *file, weft_heap *heap, const char *path)
{
    unsigned mode;
    *file = (weft_file){.heap = heap};
    file->room = (weft_file_room *)weft_allocate(heap, sizeof *file->room);
    if (!file->room) return false;
    if (find_target(file, path) && check_target(file, &mode) && make_beside(file)) {
#if !defined(_WIN32) && !defined(__wasi__)
        if (mode != 0) (void)fchmod(file->number, mode); // where there are any
#endif
        return true;
    }
    weft_free(heap, file->room, sizeof *file->room);
    return false;
}

bool weft_file_end(weft_file *file, bool whole)
{
    whole = whole && write_waiting(file);
    if (whole && !flush_to_disk(file->number)) whole = fail(file, "be written");
    if (!close_file(file->number) && whole) whole = fail(file, "be written");
    if (whole && !replace(file->room)) whole = fail(file, "take its name");
    if (!whole) take_away(file->room->beside);
    if (whole && !flush_folder(file->room)) whole = fail(file, "be flushed with its folder");
    close_lock(file);
    weft_free(file->heap, file->room, sizeof *file->room);
    return whole;
}

// ------------------------------------------------------------------------------------------------
// Reading

static bool read_all(weft_file *file, unsigned char *bytes, size_t count)
{
    while (count != 0) {
        size_t some = count < CALL_BYTES_MAX ? count : CALL_BYTES_MAX;
        long long got = (long long)read_some(file->number, bytes, some);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(file, "be read");
        if (got == 0) return fail_because(file, "be read", "it became shorter meanwhile");
        bytes += got;
        count -= (size_t)got;
    }
    return true;
}

static void *read_opened(weft_file *file, size_t *count)
{
    struct stat opened;
    if (fstat(file->number, &opened) != 0) {
        fail(file, "be read");
        return NULL;
    }
    if ((unsigned long long)opened.st_size >= SIZE_MAX) return NULL; // no memory is as large
    *count = (size_t)opened.st_size;
    unsigned char *bytes = (unsigned char *)weft_allocate(file->heap, *count + 1);
    if (bytes && !read_all(file, bytes, *count)) {
        weft_free(file->heap, bytes, *count + 1);
        bytes = NULL;
    }
    return bytes;
}

// What is no plain file is not opened: a pipe would wait for somebody to write into it.
static bool is_readable(weft_file *file, const char *path)
{
    struct stat there;
    if (!check_path(file, path, "be opened")) return false;
    if (stat(path, &there) != 0) return fail(file, "be opened");
    if (IS_FOLDER(there.st_mode)) return fail_because(file, "be read", "it is a folder");
    return IS_PLAIN(there.st_mode) || fail_because(file, "be read", "it is no plain file");
}

void *weft_file_read(weft_file *file, weft_heap *heap, const char *path, size_t *count)
{
    *file = (weft_file){.heap = heap};
    if (!is_readable(file, path)) return NULL;
    file->number = open_to_read(path);
    if (file->number < 0) {
        fail(file, "be opened");
        return NULL;
    }
    void *bytes = read_opened(file, count);
    (void)close_file(file->number); // what was read stays read
    return bytes;
}
