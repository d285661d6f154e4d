// The door: a new connection waits here until the head of its first request has arrived. Only
// connections that show the token are passed on to the server. Others are refused here, or closed
// after two seconds. So strangers cannot use up the server's connections, and libwebsockets reads
// nothing that they send.
#ifndef WEFT_SERVE_DOOR_H
#define WEFT_SERVE_DOOR_H

#include "pass.h"

#define SERVE_GUESTS_MAX 256u   // guests that wait at the same time
#define SERVE_GUEST_SECONDS 2.0 // the longest time that a guest may wait
#define SERVE_GRACE_SECONDS 0.1 // silent guests are never closed earlier to make space

// A connection that waits. It is read from only after it was refused.
typedef struct serve_guest {
    int wire;
    double came;
    bool seen;    // a part of its head has arrived
    bool refused; // the refusal was sent, and the guest has not closed the connection yet
} serve_guest;

typedef struct serve_door {
    int wire; // the listening socket; -1 if closed
    int port;
    char token[SERVE_TOKEN_BYTES];
    double came; // time of the newest connection
    uint32_t count;
    serve_guest guests[SERVE_GUESTS_MAX]; // oldest first
} serve_door;

// Receives a connection whose first request is allowed. None of its bytes were consumed.
typedef void serve_enter(void *user, int wire);

// Listens on a port of this machine only; 0 means any free port. Returns false on failure; then
// close it.
bool serve_door_open(serve_door *door, uint16_t port);
void serve_door_close(serve_door *door);

// Checks all waiting guests and accepts new ones. Never blocks.
void serve_door_poll(serve_door *door, double now, serve_enter *enter, void *user);

// Waits up to `seconds`, or until there is something to check.
void serve_door_wait(const serve_door *door, double now, double seconds);

#endif
