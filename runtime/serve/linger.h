// Connections whose answer was sent, until the client closes them. If a socket is closed while the
// client still sends, the system resets the connection and discards the rest of the answer. So the
// server only ends its sending side, and reads and drops the later bytes of the client.
#ifndef WEFT_SERVE_LINGER_H
#define WEFT_SERVE_LINGER_H

#include <stdbool.h>
#include <stdint.h>

#define SERVE_LINGER_MAX 64u      // connections that linger at the same time
#define SERVE_LINGER_SECONDS 30.0 // the longest time that a connection lingers

typedef struct serve_lingering {
    int wire;
    double came;
} serve_lingering;

// It begins as zeros.
typedef struct serve_linger {
    uint32_t count;
    serve_lingering all[SERVE_LINGER_MAX]; // oldest first
} serve_linger;

// Keeps a connection open after the caller has closed `wire`, by a copy of it. Ends its sending
// side. If there is no space, the oldest connection is closed.
void serve_linger_add(serve_linger *linger, int wire, double now);

// Drops received bytes. Closes the connections that their clients have closed, or that have
// lingered for too long. Never blocks.
void serve_linger_poll(serve_linger *linger, double now);

void serve_linger_close(serve_linger *linger);

// Reads and drops received bytes, 64 KiB at most. Returns false if the client has closed the
// connection.
bool serve_drain(int wire);

#endif
