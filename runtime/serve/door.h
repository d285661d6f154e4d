// The door: connections wait here until the head of their first request has come. Those that show
// the token go on to the server, and nobody else does: others are answered here, or hung up on
// after two seconds. So strangers take no connection from whoever has the token, and libwebsockets
// reads nothing that they send.
#ifndef WEFT_SERVE_DOOR_H
#define WEFT_SERVE_DOOR_H

#include "pass.h"

#define SERVE_GUESTS_MAX 256u   // guests that wait at the same time
#define SERVE_GUEST_SECONDS 2.0 // the longest time that a guest may wait
#define SERVE_GRACE_SECONDS 0.1 // for which silent guests are never closed to make space

// A connection that waits. It is read from only once it was refused.
typedef struct serve_guest {
    int wire;
    double came;
    bool seen;    // a part of its head has come
    bool refused; // it was told so, and has yet to hang up
} serve_guest;

typedef struct serve_door {
    int wire; // listens; -1: it is not open
    int port;
    char token[SERVE_TOKEN_BYTES];
    double came; // when a connection came last
    uint32_t count;
    serve_guest guests[SERVE_GUESTS_MAX]; // the oldest first
} serve_door;

// Is given a connection whose first request may go on, with all that it has sent.
typedef void serve_enter(void *user, int wire);

// Listens on this port of this machine alone; 0: on any that is free. False: it cannot; closing
// closes what is open.
bool serve_door_open(serve_door *door, uint16_t port);
void serve_door_close(serve_door *door);

// Looks who waits and who has come. It never waits itself.
void serve_door_poll(serve_door *door, double now, serve_enter *enter, void *user);

// Waits so many seconds, or until there is something to look at.
void serve_door_wait(const serve_door *door, double now, double seconds);

#endif
