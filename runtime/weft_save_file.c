// Files, by the C library and what the system adds: flushing to the disk, and replacing.
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L // fileno, fsync
#endif

#include "weft_save_file.h"

#include <errno.h>
#include <stdio.h>

#if defined(_WIN32)
#include <io.h>
#include <windows.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

#define BESIDE ".saving"

#if defined(_WIN32)

static bool flush_to_disk(FILE *stream)
{
    return _commit(_fileno(stream)) == 0;
}

static bool replace(const char *path, const char *by)
{
    if (MoveFileExA(by, path, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return true;
    errno = EACCES;
    return false;
}

#else

static bool flush_to_disk(FILE *stream)
{
    return fsync(fileno(stream)) == 0;
}

// The new name is on the disk once its folder is. Where folders cannot be flushed it soon will be.
static void flush_folder(weft_heap *heap, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 1;
    char *folder = (char *)weft_allocate(heap, length + 1);
    if (!folder) return;
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
    int file = open(folder, O_RDONLY);
    weft_free(heap, folder, length + 1);
    if (file < 0) return;
    fsync(file);
    close(file);
}

static bool replace(const char *path, const char *by)
{
    return rename(by, path) == 0;
}

#endif

static bool fail(weft_file *file, const char *what)
{
    if (!file->failed) {
        file->failed = what;
        file->error = errno;
    }
    return false;
}

bool weft_file_begin(weft_file *file, weft_heap *heap, const char *path)
{
    size_t length = strlen(path);
    *file = (weft_file){.heap = heap, .beside_bytes = length + sizeof BESIDE};
    file->beside = (char *)weft_allocate(heap, file->beside_bytes);
    if (!file->beside) return false;
    memcpy(file->beside, path, length);
    memcpy(file->beside + length, BESIDE, sizeof BESIDE);
    file->stream = fopen(file->beside, "wb");
    if (file->stream) return true;
    fail(file, "be made");
    weft_free(heap, file->beside, file->beside_bytes);
    return false;
}

bool weft_file_write(void *to, const void *bytes, size_t count)
{
    weft_file *file = (weft_file *)to;
    return fwrite(bytes, 1, count, (FILE *)file->stream) == count || fail(file, "be written");
}

bool weft_file_end(weft_file *file, const char *path, bool whole)
{
    FILE *stream = (FILE *)file->stream;
    if (whole && (fflush(stream) != 0 || !flush_to_disk(stream))) whole = fail(file, "be written");
    if (fclose(stream) != 0 && whole) whole = fail(file, "be written");
    if (whole && !replace(path, file->beside)) whole = fail(file, "take its name");
    if (!whole) remove(file->beside);
#if !defined(_WIN32)
    if (whole) flush_folder(file->heap, path);
#endif
    weft_free(file->heap, file->beside, file->beside_bytes);
    return whole;
}

// -1: it is none that can be read, such as a folder.
static long file_bytes(FILE *stream)
{
    if (fgetc(stream) == EOF && ferror(stream)) return -1;
    if (fseek(stream, 0, SEEK_END) != 0) return -1;
    long bytes = ftell(stream);
    return fseek(stream, 0, SEEK_SET) == 0 ? bytes : -1;
}

void *weft_file_read(weft_file *file, weft_heap *heap, const char *path, size_t *count)
{
    *file = (weft_file){.heap = heap};
    FILE *stream = fopen(path, "rb");
    void *bytes = NULL;
    if (!stream) fail(file, "be opened");
    if (!stream) return NULL;
    long length = file_bytes(stream);
    *count = length > 0 ? (size_t)length : 0;
    if (length < 0) {
        fail(file, "be read");
    } else {
        bytes = weft_allocate(heap, *count + 1); // so that an empty one is some memory too
    }
    if (bytes && fread(bytes, 1, *count, stream) != *count) {
        fail(file, "be read");
        weft_free(heap, bytes, *count + 1);
        bytes = NULL;
    }
    fclose(stream);
    return bytes;
}
