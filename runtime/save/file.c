// Files, by descriptors. Each call that can fail is checked, and repeated if a signal interrupted
// it.
//
// The first part contains the calls of each system: one set for Windows, and one for POSIX, where
// WebAssembly has no locks. Each call sets errno if it fails.
#include "../base/features.h" // first

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#define SAVING_SUFFIX ".saving"
#define FILE_CALL_BYTES_MAX ((size_t)1 << 30) // of one call that reads or writes

typedef struct weft_file_buffers {
    unsigned char waiting[WEFT_FILE_PIECE_BYTES];
    char target[WEFT_PATH_BYTES_MAX];                            // the path, with links followed
    char saving[WEFT_PATH_BYTES_MAX + sizeof SAVING_SUFFIX + 1]; // of the new file
} weft_file_buffers;

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
#define delete_file(path) _unlink(path)
#define IS_TOO_LONG(error) ((error) == ENOENT || (error) == EINVAL) // or the folder is missing
#define IS_SEPARATOR(c) ((c) == '/' || (c) == '\\' || (c) == ':')
#define resolve_links(buffers) ((void)(buffers), true) // links themselves are replaced
#define flush_folder(buffers) ((void)(buffers), true)
#define copy_mode(number, mode) ((void)(mode))

// No other process can open the file at the same time; this replaces a lock.
static bool open_saving(weft_file *file)
{
    int flags = _O_CREAT | _O_TRUNC | _O_WRONLY | _O_BINARY;
    file->lock = -1;
    errno = _sopen_s(&file->number, file->buffers->saving, flags, _SH_DENYRW, _S_IREAD | _S_IWRITE);
    return file->number >= 0;
}

static bool replace_target(const weft_file_buffers *buffers)
{
    errno = EACCES;
    return MoveFileExA(buffers->saving, buffers->target,
                       MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
}

#else

#include <sys/file.h>
#include <unistd.h>

#define IS_PLAIN(mode) S_ISREG(mode)
#define IS_FOLDER(mode) S_ISDIR(mode)
#define open_to_read(path) open_again(path, O_RDONLY)
#define read_some(number, bytes, count) read(number, bytes, count)
#define write_some(number, bytes, count) write(number, bytes, count)
#define may_write(path) (access(path, W_OK) == 0)
#define delete_file(path) unlink(path)
#define IS_TOO_LONG(error) ((error) == ENAMETOOLONG)
#define IS_SEPARATOR(c) ((c) == '/')
#define replace_target(buffers) (rename((buffers)->saving, (buffers)->target) == 0)

static int open_again(const char *path, int flags)
{
    int number;
    do number = open(path, flags | O_CLOEXEC, 0666);
    while (number < 0 && errno == EINTR);
    return number;
}

// A file is closed even if a signal interrupts the call.
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

// Returns the length of a path up to the name of the file.
static size_t folder_bytes(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

// Replaces the target of a link, not the link itself, so that the link stays valid.
static bool resolve_links(weft_file_buffers *buffers)
{
    char *link = buffers->saving; // its memory is not in use yet
    for (int i = 0; i < WEFT_LINKS_MAX; i++) {
        ssize_t length = readlink(buffers->target, link, WEFT_PATH_BYTES_MAX);
        if (length < 0) return true; // not a link, or opening it will fail
        size_t folder = link[0] == '/' ? 0 : folder_bytes(buffers->target);
        if (folder + (size_t)length >= WEFT_PATH_BYTES_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(buffers->target + folder, link, (size_t)length);
        buffers->target[folder + (size_t)length] = '\0';
    }
    errno = ELOOP;
    return false;
}

#if defined(__wasi__)

#define copy_mode(number, mode) ((void)(mode))

static bool open_saving(weft_file *file)
{
    file->lock = -1;
    file->number = open_again(file->buffers->saving, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    return file->number >= 0;
}

#else

// If mode is 0, there was no file whose permissions could be copied.
#define copy_mode(number, mode) ((void)((mode) != 0 && fchmod(number, mode)))

// Returns 0 if this process now owns an opened file: the file is locked, the name still leads to it
// (a process that had the lock before may have renamed it), and it has no second name through which
// it would be written. Returns EAGAIN if others use it. Otherwise returns the error that prevents
// these checks, and deletes the file, because this process may have created it. If the name no
// longer exists, nothing is deleted, because a new file may have taken the name.
static int lock_file(int number, const char *name)
{
    struct stat opened, named;
    if (flock(number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return EAGAIN;
    if (fstat(number, &opened) != 0 || lstat(name, &named) != 0) {
        int error = errno;
        if (error == ENOENT) return EAGAIN;
        unlink(name);
        return error;
    }
    bool own = S_ISREG(opened.st_mode) && opened.st_nlink == 1 && opened.st_dev == named.st_dev &&
               opened.st_ino == named.st_ino;
    return own ? 0 : EAGAIN;
}

// Two descriptors share the lock. So the one that is written can be closed, and the result checked,
// before the file is renamed.
static bool open_saving(weft_file *file)
{
    const char *name = file->buffers->saving;
    file->lock = open_again(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK); // no link, no pipe
    if (file->lock < 0) return false;
    int error = lock_file(file->lock, name);
    if (error == 0) {
        file->number = ftruncate(file->lock, 0) == 0 ? dup(file->lock) : -1;
        if (file->number >= 0) return true;
        error = errno;
        unlink(name);
    }
    close(file->lock);
    errno = error;
    return false;
}

#endif

// The new name is on the disk once its folder is flushed. Some folders cannot be opened, and some
// file systems cannot flush a folder; then the name reaches the disk a little later.
static bool flush_folder(weft_file_buffers *buffers)
{
    size_t length = folder_bytes(buffers->target);
    char *folder = buffers->saving; // its memory is not in use any more
    memcpy(folder, length == 0 ? "./" : buffers->target, length == 0 ? 2 : length);
    folder[length == 0 ? 2 : length] = '\0';
    int number = open_again(folder, O_RDONLY);
    if (number < 0) return errno == EACCES;
    bool flushed = flush_to_disk(number) || errno == EINVAL || errno == ENOTSUP;
    int error = errno;
    close(number);
    errno = error;
    return flushed;
}

#endif

// ------------------------------------------------------------------------------------------------
// Failures (only the first is reported), and reading or writing bytes

static bool fail_because(weft_file *file, const char *what, const char *why)
{
    if (!file->failed) {
        file->failed = what;
        file->why = why;
    }
    return false;
}

static bool fail_to(weft_file *file, const char *what)
{
    return fail_because(file, what, strerror(errno));
}

// Reads or writes `count` bytes. Writing does not change them.
static bool transfer(weft_file *file, bool writing, const unsigned char *bytes, size_t count)
{
    while (count != 0) {
        size_t some = count < FILE_CALL_BYTES_MAX ? count : FILE_CALL_BYTES_MAX;
        errno = EIO; // for a call that writes 0 bytes without an error
        long long done = writing
                             ? (long long)write_some(file->number, bytes, some)
                             : (long long)read_some(file->number, (void *)(uintptr_t)bytes, some);
        if (done < 0 && errno == EINTR) continue;
        if (!done && !writing)
            return fail_because(file, "be read", "it became shorter while it was read");
        if (done <= 0) return fail_to(file, writing ? "be written" : "be read");
        bytes += done;
        count -= (size_t)done;
    }
    return true;
}

static bool check_path(weft_file *file, const char *path, const char *what)
{
    if (!path) return fail_because(file, what, "the path is NULL");
    return path[0] != '\0' || fail_because(file, what, "the path is empty");
}

static bool check_plain(weft_file *file, unsigned mode, const char *what)
{
    if (IS_FOLDER(mode)) return fail_because(file, what, "it is a folder");
    return IS_PLAIN(mode) || fail_because(file, what, "it is not a regular file");
}

// ------------------------------------------------------------------------------------------------
// Writing

static bool write_waiting(weft_file *file)
{
    size_t count = file->waiting;
    file->waiting = 0;
    return transfer(file, true, file->buffers->waiting, count);
}

// A whole piece is written directly from its place. Smaller ones are collected until they fill a
// piece.
bool weft_file_write(void *to, const void *bytes, size_t count)
{
    weft_file *file = to;
    if (count == WEFT_FILE_PIECE_BYTES) return transfer(file, true, bytes, count);
    memcpy(file->buffers->waiting + file->waiting, bytes, count);
    file->waiting += count;
    return file->waiting != WEFT_FILE_PIECE_BYTES || write_waiting(file);
}

// Returns whether the old file may be replaced, or does not exist. Gets its permissions, to be
// copied.
static bool check_target(weft_file *file, unsigned *mode)
{
    struct stat old;
    const char *target = file->buffers->target;
    *mode = 0;
    if (stat(target, &old) != 0) { // it does not exist, or opening the new one will fail
        return errno != ENAMETOOLONG || fail_to(file, "be made");
    }
    if (!check_plain(file, old.st_mode, "be replaced")) return false;
    if (!may_write(target)) return fail_to(file, "be replaced");
    *mode = old.st_mode & 0777u;
    return true;
}

// The name of the new file begins with the path of the target, or with a part of it. Returns the
// length of this part in bytes. If `shorter` is set, the end of the name is cut to make room for
// the suffix and a digit, unless the name is too short for that. A UTF-8 character is never cut in
// two.
static size_t saving_stem(const char *target, bool shorter)
{
    const size_t all = strlen(target);
    size_t cut = all;
    while (shorter && cut > 0 && !IS_SEPARATOR(target[cut - 1])) {
        cut--;
        bool starts = ((unsigned char)target[cut] & 0xC0u) != 0x80u;
        if (starts && all - cut >= sizeof SAVING_SUFFIX) return cut; // its NUL counts for the digit
    }
    return all;
}

// If another process or user has taken a name, the next digit is tried. The name with the suffix
// can be too long even if the target's name is not.
static bool make_saving(weft_file *file)
{
    weft_file_buffers *buffers = file->buffers;
    bool shorter = false;
    for (int i = 1; i <= WEFT_SAVERS_MAX; i++) {
        char digit[2] = {i == 1 ? '\0' : (char)('0' + i), '\0'};
        size_t stem = saving_stem(buffers->target, shorter);
        snprintf(buffers->saving, sizeof buffers->saving, "%.*s" SAVING_SUFFIX "%s", (int)stem,
                 buffers->target, digit);
        if (strcmp(buffers->saving, buffers->target) == 0) continue;
        if (open_saving(file)) return true;
        if (shorter || !IS_TOO_LONG(errno)) continue;
        shorter = true;
        i--; // try this digit again
    }
    if (errno == EAGAIN)
        return fail_because(file, "be made", "too many processes save to it at once");
    return fail_to(file, "be made");
}

bool weft_file_open(weft_file *file, weft_heap *heap, const char *path)
{
    *file = (weft_file){.heap = heap};
    if (!check_path(file, path, "be made")) return false;
    size_t length = strlen(path);
    errno = ENAMETOOLONG;
    if (length >= WEFT_PATH_BYTES_MAX) return fail_to(file, "be made");
    file->buffers = weft_allocate(heap, sizeof *file->buffers);
    if (!file->buffers) return false;
    memcpy(file->buffers->target, path, length + 1);
    return true;
}

void weft_file_close(weft_file *file)
{
    weft_free(file->heap, file->buffers, sizeof *file->buffers);
}

bool weft_file_begin(weft_file *file)
{
    unsigned mode;
    if (!resolve_links(file->buffers)) return fail_to(file, "be made");
    if (!check_target(file, &mode) || !make_saving(file)) return false;
    copy_mode(file->number, mode);
    return true;
}

bool weft_file_end(weft_file *file, bool whole)
{
    whole = whole && write_waiting(file);
    if (whole && !flush_to_disk(file->number)) whole = fail_to(file, "be written");
    if (!close_file(file->number) && whole) whole = fail_to(file, "be written");
    if (whole && !replace_target(file->buffers)) whole = fail_to(file, "take its name");
    if (!whole) delete_file(file->buffers->saving);
    if (whole && !flush_folder(file->buffers)) whole = fail_to(file, "be flushed with its folder");
    if (file->lock >= 0) (void)close_file(file->lock);
    return whole;
}

// ------------------------------------------------------------------------------------------------
// Reading

static void *read_opened(weft_file *file, size_t *count)
{
    struct stat opened;
    if (fstat(file->number, &opened) != 0) {
        fail_to(file, "be read");
        return NULL;
    }
    if ((unsigned long long)opened.st_size >= SIZE_MAX) return NULL; // no memory is that large
    *count = (size_t)opened.st_size;
    unsigned char *bytes = (unsigned char *)weft_allocate(file->heap, *count + 1);
    if (!bytes || transfer(file, false, bytes, *count)) return bytes;
    weft_free(file->heap, bytes, *count + 1);
    return NULL;
}

// Opens only plain files, because opening a pipe would wait for a process that writes to it.
void *weft_file_read(weft_file *file, weft_heap *heap, const char *path, size_t *count)
{
    struct stat there;
    *file = (weft_file){.heap = heap};
    if (!check_path(file, path, "be opened")) return NULL;
    bool found = stat(path, &there) == 0;
    if (found && !check_plain(file, there.st_mode, "be read")) return NULL;
    file->number = found ? open_to_read(path) : -1;
    if (file->number < 0) {
        fail_to(file, "be opened");
        return NULL;
    }
    void *bytes = read_opened(file, count);
    (void)close_file(file->number); // the bytes are valid even if closing fails
    return bytes;
}
