// Runs calls that must fail an assert, each in a process of its own. The including file must
// request POSIX. On Windows and in WebAssembly no process can be forked, so no call is made.
#ifndef ASSERTS_H
#define ASSERTS_H

#include <stdbool.h>

#if defined(NDEBUG) || defined(_WIN32) || defined(__wasm__)
#define HAS_DEATHS 0
#else
#define HAS_DEATHS 1
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

// Returns whether the call fails an assert with these words; prints other words. Release builds
// (NDEBUG) have no asserts: there it returns true and calls nothing.
static inline bool asserts_saying(void (*call)(void *context), void *context, const char *words)
{
#if !HAS_DEATHS
    (void)call;
    (void)context;
    (void)words;
    return true;
#else
    char said[1024];
    size_t length = 0;
    ssize_t bytes;
    int status = 0;
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0) return false;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        if (dup2(ends[1], STDERR_FILENO) < 0) _exit(2);
        call(context);
        _exit(0);
    }
    close(ends[1]);
    while ((bytes = read(ends[0], said + length, sizeof said - 1 - length)) > 0) {
        length += (size_t)bytes;
    }
    said[length] = '\0';
    close(ends[0]);
    bool aborted = child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
                   WTERMSIG(status) == SIGABRT;
    if (aborted && strstr(said, words)) return true;
    fprintf(stderr, "not '%s' but: %s\n", words, said);
    return false;
#endif
}

#endif
