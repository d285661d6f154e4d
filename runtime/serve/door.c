#ifndef _GNU_SOURCE
#define _GNU_SOURCE // accept4
#endif
#include "door.h"

#include "linger.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Connections that the system keeps until they are accepted. It is more than one poll accepts, so
// that a crowd of strangers does not keep others from connecting.
#define BACKLOG 512
// After this time, waiting ends to check guests with a partial head again (poll() does not report
// more bytes while some are unread), and a full door.
#define LOOK_AGAIN_SECONDS 0.01

bool serve_door_open(serve_door *door, uint16_t port)
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(port)};
    socklen_t bytes = sizeof own;
    const int on = 1;
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    door->wire = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (door->wire < 0) return false;
    setsockopt(door->wire, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(door->wire, (struct sockaddr *)&own, sizeof own) != 0 ||
        listen(door->wire, BACKLOG) != 0 ||
        getsockname(door->wire, (struct sockaddr *)&own, &bytes) != 0) {
        return false;
    }
    door->port = ntohs(own.sin_port);
    return true;
}

void serve_door_close(serve_door *door)
{
    for (uint32_t i = 0; i < door->count; i++) close(door->guests[i].wire);
    if (door->wire >= 0) close(door->wire);
    door->count = 0;
    door->wire = -1;
}

// ------------------------------------------------------------------------------------------------
// One guest

// What happens to a guest after a check.
typedef enum fate { STAYS, LEAVES, ENTERS } fate;

// Sends a refusal, and ends the sending side. Then reads until the guest closes the connection,
// because closing earlier would discard the answer.
static fate refuse(serve_guest *guest, const char *status, const char *why)
{
    char answer[512];
    const int bytes = snprintf(answer, sizeof answer,
                               "HTTP/1.1 %s\r\ncontent-type: text/plain; charset=utf-8\r\n"
                               "x-content-type-options: nosniff\r\ncache-control: no-store\r\n"
                               "content-length: %zu\r\nconnection: close\r\n\r\n%s\n",
                               status, strlen(why) + 1, why);
    guest->refused = true;
    bool told = send(guest->wire, answer, (size_t)bytes, MSG_NOSIGNAL | MSG_DONTWAIT) == bytes;
    return told && shutdown(guest->wire, SHUT_WR) == 0 ? STAYS : LEAVES;
}

// Checks a guest by the head of its request. The head is not consumed, because the server reads it
// again.
static fate look_at(const serve_door *door, serve_guest *guest)
{
    char head[SERVE_HEAD_MAX];
    serve_pass pass;
    if (guest->refused) return serve_drain(guest->wire) ? STAYS : LEAVES;
    const ssize_t bytes = recv(guest->wire, head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
    if (bytes < 0) return errno == EAGAIN || errno == EINTR ? STAYS : LEAVES;
    if (bytes == 0) return LEAVES;
    guest->seen = true;
    const char *end = (const char *)memmem(head, (size_t)bytes, "\r\n\r\n", 4);
    if (!end && bytes < (ssize_t)sizeof head) return STAYS;
    if (!end) return refuse(guest, "431 Request Header Fields Too Large", "the head is too long");
    if (!serve_pass_read(head, (size_t)(end - head) + 4, &pass)) {
        return refuse(guest, "400 Bad Request", "this is not an HTTP/1.1 request");
    }
    const char *status = "403 Forbidden";
    const char *why = serve_pass_refusal(&pass, door->port, door->token);
    if (!why) why = serve_pass_flaw(&pass, &status);
    return why ? refuse(guest, status, why) : ENTERS;
}

// Checks a guest. Returns true if it must wait longer. Otherwise passes its connection on, or
// closes it, and returns false.
static bool attend(serve_door *door, serve_guest *guest, double now, serve_enter *enter, void *user)
{
    fate found = look_at(door, guest);
    if (found == STAYS && now - guest->came < SERVE_GUEST_SECONDS) return true;
    if (found == ENTERS)
        enter(user, guest->wire);
    else
        close(guest->wire);
    return false;
}

// ------------------------------------------------------------------------------------------------
// All of them

static void remove_guest(serve_door *door, uint32_t number)
{
    serve_guest *at = &door->guests[number];
    memmove(at, at + 1, (door->count - number - 1) * sizeof *at);
    door->count--;
}

// Chooses whom to disconnect when the door is full: the oldest guest that was refused, else the
// oldest that has sent a part of a head, else the oldest. A guest that has sent nothing is safe for
// SERVE_GRACE_SECONDS, because an honest client may need that long between its connection and its
// request. Returns the number of guests if all of them are safe.
static uint32_t choose_out(const serve_door *door, double now)
{
    uint32_t partial = door->count;
    for (uint32_t i = 0; i < door->count; i++) {
        if (door->guests[i].refused) return i;
        if (door->guests[i].seen && partial == door->count) partial = i;
    }
    if (partial < door->count) return partial;
    return now - door->guests[0].came < SERVE_GRACE_SECONDS ? door->count : 0;
}

static bool somebody_connects(const serve_door *door)
{
    struct pollfd listening = {.fd = door->wire, .events = POLLIN};
    return poll(&listening, 1, 0) > 0;
}

// Makes space for one more guest. If the door is full, a guest is hung up on only because somebody
// else connects. Returns false if nobody does, or if everyone who waits is safe.
static bool make_way(serve_door *door, double now)
{
    if (door->count < SERVE_GUESTS_MAX) return true;
    const uint32_t out = choose_out(door, now);
    if (out == door->count || !somebody_connects(door)) return false;
    close(door->guests[out].wire);
    remove_guest(door, out);
    return true;
}

void serve_door_poll(serve_door *door, double now, serve_enter *enter, void *user)
{
    uint32_t stay = 0;
    for (uint32_t i = 0; i < door->count; i++) {
        serve_guest guest = door->guests[i];
        if (attend(door, &guest, now, enter, user)) door->guests[stay++] = guest;
    }
    door->count = stay;
    // While there is no space, connections wait in the system's backlog.
    for (uint32_t i = 0; i < SERVE_GUESTS_MAX && make_way(door, now); i++) {
        serve_guest guest = {.came = now};
        guest.wire = accept4(door->wire, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (guest.wire < 0) return;
        door->came = now;
        if (attend(door, &guest, now, enter, user)) door->guests[door->count++] = guest;
    }
}

void serve_door_wait(const serve_door *door, double now, double seconds)
{
    struct pollfd wires[SERVE_GUESTS_MAX + 1] = {{.fd = door->wire, .events = POLLIN}};
    nfds_t count = 1;
    if (door->count == SERVE_GUESTS_MAX) {
        wires[0].fd = -1; // new connections wait until a guest may be disconnected
        if (seconds > LOOK_AGAIN_SECONDS) seconds = LOOK_AGAIN_SECONDS;
    }
    for (uint32_t i = 0; i < door->count; i++) {
        const serve_guest *guest = &door->guests[i];
        const double left = guest->came + SERVE_GUEST_SECONDS - now;
        if (left < seconds) seconds = left > 0 ? left : 0;
        if (guest->seen && !guest->refused) {
            if (seconds > LOOK_AGAIN_SECONDS) seconds = LOOK_AGAIN_SECONDS;
        } else {
            wires[count++] = (struct pollfd){.fd = guest->wire, .events = POLLIN};
        }
    }
    poll(wires, count, (int)((seconds < 3600 ? seconds : 3600) * 1000 + 0.999));
}
