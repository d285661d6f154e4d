// Each function replaces the C library's function of that name.
//
// libs: -Wl,--wrap=open,--wrap=dup,--wrap=flock,--wrap=ftruncate,--wrap=fchmod
// libs: -Wl,--wrap=write,--wrap=fstat,--wrap=lstat,--wrap=read,--wrap=fsync
// libs: -Wl,--wrap=close,--wrap=rename,--wrap=unlink
#define _DEFAULT_SOURCE

#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int __real_open(const char *path, int flags, ...);
int __real_dup(int number);
int __real_flock(int number, int operation);
int __real_ftruncate(int number, off_t length);
int __real_fstat(int number, struct stat *found);
int __real_lstat(const char *path, struct stat *found);
int __real_fchmod(int number, mode_t mode);
ssize_t __real_write(int number, const void *bytes, size_t count);
ssize_t __real_read(int number, void *bytes, size_t count);
int __real_fsync(int number);
int __real_close(int number);
int __real_rename(const char *from, const char *to);
int __real_unlink(const char *path);

int __wrap_open(const char *path, int flags, ...);
int __wrap_dup(int number);
int __wrap_flock(int number, int operation);
int __wrap_ftruncate(int number, off_t length);
int __wrap_fstat(int number, struct stat *found);
int __wrap_lstat(const char *path, struct stat *found);
int __wrap_fchmod(int number, mode_t mode);
ssize_t __wrap_write(int number, const void *bytes, size_t count);
ssize_t __wrap_read(int number, void *bytes, size_t count);
int __wrap_fsync(int number);
int __wrap_close(int number);
int __wrap_rename(const char *from, const char *to);
int __wrap_unlink(const char *path);

static disk now;
static disk_seen seen;
static unsigned calls; // that may have been the one
static bool last;      // the current call is the one to harm
static size_t written;
static int writing; // the descriptor that was written to last

void disk_begin(const disk *d)
{
    now = d ? *d : (disk){.call = NULL};
    seen = (disk_seen){.fired = false};
    calls = 0;
    written = 0;
    writing = -1;
}

disk_seen disk_end(void)
{
    now = (disk){.call = NULL};
    return seen;
}

// It has space for the calls of one save.
static void note(char what)
{
    size_t count = strlen(seen.order);
    if (count != 0 && what == 'w' && seen.order[count - 1] == 'w') return;
    if (count < sizeof seen.order - 1) seen.order[count] = what;
}

static bool is_folder(int number)
{
    struct stat there;
    return __real_fstat(number, &there) == 0 && S_ISDIR(there.st_mode);
}

static void die(void)
{
    kill(getpid(), SIGKILL);
}

// Returns whether this call is harmed.
static bool is_harmed(const char *call)
{
    if (!now.call || (now.call[0] != '\0' && strcmp(now.call, call) != 0)) return false;
    calls++;
    return now.each ? calls >= now.turn : calls == now.turn;
}

// Returns whether this call fails, with its reason in errno.
static bool fails(const char *call)
{
    bool again = now.on && seen.fired;
    last = is_harmed(call);
    seen.fired |= last;
    if (last && now.harm == DISK_KILLS_BEFORE) die();
    if (now.harm != DISK_FAILS || (!last && !again)) return false;
    errno = now.error;
    return true;
}

// Returns the result of a call that did not fail, unless the process must die after it.
static int done(int result)
{
    if (last && now.harm == DISK_KILLS_BEHIND) die();
    return result;
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? (mode_t)va_arg(arguments, int) : 0;
    va_end(arguments);
    if (fails("open")) return -1;
    int number = __real_open(path, flags, mode);
    seen.open += number >= 0;
    return done(number);
}

int __wrap_dup(int number)
{
    if (fails("dup")) return -1;
    int other = __real_dup(number);
    seen.open += other >= 0;
    return done(other);
}

int __wrap_flock(int number, int operation)
{
    return fails("flock") ? -1 : done(__real_flock(number, operation));
}

int __wrap_ftruncate(int number, off_t length)
{
    return fails("ftruncate") ? -1 : done(__real_ftruncate(number, length));
}

int __wrap_fstat(int number, struct stat *found)
{
    return fails("fstat") ? -1 : done(__real_fstat(number, found));
}

int __wrap_lstat(const char *path, struct stat *found)
{
    if (fails("lstat")) return -1;
    int result = __real_lstat(path, found);
    if (last && now.harm == DISK_NAMES_OTHER_DEVICE) found->st_dev++;
    if (last && now.harm == DISK_NAMES_OTHER_FILE) found->st_ino++;
    return done(result);
}

int __wrap_fchmod(int number, mode_t mode)
{
    return fails("fchmod") ? -1 : done(__real_fchmod(number, mode));
}

static size_t part_of(size_t count)
{
    return now.piece != 0 && now.piece < count ? now.piece : count;
}

ssize_t __wrap_write(int number, const void *bytes, size_t count)
{
    if (fails("write")) return -1;
    if (last && now.harm == DISK_DOES_NOTHING) return 0;
    count = part_of(count);
    if (now.space != 0 && count > now.space - written) count = now.space - written;
    if (now.space != 0 && count == 0) {
        seen.fired = true;
        errno = ENOSPC;
        return -1;
    }
    ssize_t result = __real_write(number, bytes, count);
    if (result > 0) {
        written += (size_t)result;
        seen.writes++;
        writing = number;
        note('w');
    }
    done(0);
    return result;
}

ssize_t __wrap_read(int number, void *bytes, size_t count)
{
    if (fails("read")) return -1;
    if (last && now.harm == DISK_DOES_NOTHING) return 0;
    return __real_read(number, bytes, part_of(count));
}

int __wrap_fsync(int number)
{
    if (fails("fsync")) return -1;
    int result = __real_fsync(number);
    if (result == 0 && is_folder(number)) note('f');
    if (result == 0 && number == writing) note('s');
    return done(result);
}

// Closes the file even if it reports that a write failed.
int __wrap_close(int number)
{
    bool failed = fails("close");
    int error = errno;
    int result = __real_close(number);
    seen.open -= result == 0;
    if (number == writing) {
        note('c');
        writing = -1;
    }
    errno = error;
    return failed ? -1 : done(result);
}

int __wrap_rename(const char *from, const char *to)
{
    if (fails("rename")) return -1;
    int result = __real_rename(from, to);
    seen.renamed |= result == 0;
    if (result == 0) note('n');
    return done(result);
}

int __wrap_unlink(const char *path)
{
    return fails("unlink") ? -1 : done(__real_unlink(path));
}
