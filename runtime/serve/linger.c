#ifndef _GNU_SOURCE
#define _GNU_SOURCE // F_DUPFD_CLOEXEC
#endif
#include "linger.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define DRAIN_TIMES 16 // so that a client that never stops sending cannot hold up a poll

bool serve_drain(int wire)
{
    char lost[4096];
    for (int i = 0; i < DRAIN_TIMES; i++) {
        const ssize_t bytes = recv(wire, lost, sizeof lost, MSG_DONTWAIT);
        if (bytes < 0) return errno == EAGAIN || errno == EINTR;
        if (bytes == 0) return false;
    }
    return true;
}

static void close_oldest(serve_linger *linger)
{
    close(linger->all[0].wire);
    linger->count--;
    memmove(linger->all, linger->all + 1, linger->count * sizeof *linger->all);
}

void serve_linger_add(serve_linger *linger, int wire, double now)
{
    const int copy = fcntl(wire, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return; // too many files are open: it is closed at once
    shutdown(copy, SHUT_WR);
    if (linger->count == SERVE_LINGER_MAX) close_oldest(linger);
    linger->all[linger->count++] = (serve_lingering){.wire = copy, .came = now};
}

void serve_linger_poll(serve_linger *linger, double now)
{
    uint32_t stay = 0;
    for (uint32_t i = 0; i < linger->count; i++) {
        const serve_lingering one = linger->all[i];
        if (serve_drain(one.wire) && now - one.came < SERVE_LINGER_SECONDS)
            linger->all[stay++] = one;
        else
            close(one.wire);
    }
    linger->count = stay;
}

void serve_linger_close(serve_linger *linger)
{
    for (uint32_t i = 0; i < linger->count; i++) close(linger->all[i].wire);
    linger->count = 0;
}
