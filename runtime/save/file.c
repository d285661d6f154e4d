// Files, by descriptors: every call that can fail is seen to, and a signal in between is none.
#include "disk.h" // first, for what it asks of the system's headers

#define CALL_BYTES_MAX ((size_t)1 << 30) // of one call that reads or writes

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
        keep_mode(file, mode);
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
