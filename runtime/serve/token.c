#ifndef _GNU_SOURCE
#define _GNU_SOURCE // O_NOFOLLOW, O_CLOEXEC
#endif
#include "token.h"

#include "../world/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOKEN_DIGITS (SERVE_TOKEN_BYTES - 1) // of a token, in base 16

static bool refuse_file(weft_world *world, const char *file, const char *why)
{
    weft_report(world, WEFT_IO, "the token file '%.200s' %s", file, why);
    return false;
}

static bool make_random(serve_random random, char *token)
{
    unsigned char bytes[TOKEN_DIGITS / 2];
    if (!random.fill(random.user, bytes, sizeof bytes)) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

// Returns why a file must not be trusted, or NULL.
static const char *distrust_file(int from)
{
    struct stat about;
    if (fstat(from, &about) != 0) return strerror(errno);
    if (!S_ISREG(about.st_mode)) return "is not a file";
    if (about.st_uid != geteuid()) return "belongs to another user";
    if ((about.st_mode & 077) != 0) return "can be read or written by others: use chmod 600";
    return NULL;
}

// Returns whether a text is a token and at most a newline.
static bool reads_as_token(const char *text, size_t bytes)
{
    if (bytes == TOKEN_DIGITS + 1 && text[TOKEN_DIGITS] == '\n') bytes--;
    return bytes == TOKEN_DIGITS && strspn(text, "0123456789abcdef") == TOKEN_DIGITS;
}

static bool read_file(weft_world *world, const char *file, int from, char *token)
{
    char text[TOKEN_DIGITS + 3] = "";
    const char *why = distrust_file(from);
    if (why) return refuse_file(world, file, why);
    const ssize_t bytes = read(from, text, sizeof text - 1);
    if (bytes < 0) return refuse_file(world, file, strerror(errno));
    if (!reads_as_token(text, (size_t)bytes)) {
        return refuse_file(world, file,
                           "contains no token: remove it, so that a new one is written");
    }
    memcpy(token, text, TOKEN_DIGITS);
    token[TOKEN_DIGITS] = '\0';
    return true;
}

// Writes a token to a file that must not exist.
static bool write_file(weft_world *world, const char *file, const char *token)
{
    char line[TOKEN_DIGITS + 2];
    const int bytes = snprintf(line, sizeof line, "%s\n", token);
    int to = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (to < 0) return refuse_file(world, file, strerror(errno));
    bool done = write(to, line, (size_t)bytes) == bytes;
    const int error = errno;
    done = close(to) == 0 && done;
    if (done) return true;
    unlink(file);
    return refuse_file(world, file, strerror(error));
}

bool serve_token_make(weft_world *world, const char *file, serve_random random,
                      char token[SERVE_TOKEN_BYTES])
{
    if (file) {
        int from = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (from >= 0) {
            bool read = read_file(world, file, from, token);
            close(from);
            return read;
        }
        if (errno == ELOOP) return refuse_file(world, file, "is a link");
        if (errno != ENOENT) return refuse_file(world, file, strerror(errno));
    }
    if (!make_random(random, token)) {
        weft_report(world, WEFT_IO, "there are no random numbers for a token");
        return false;
    }
    return !file || write_file(world, file, token);
}
