// The inspector of a world in a browser: a server on this machine, with a page that shows and
// changes the world, and JSON-RPC for programs. runtime/serve/RPC.md describes the requests.
//
// The game keeps its own loop. It polls the server between two ticks, and asks it how much time may
// pass:
//
//     weft_serve *server = weft_serve_open(colony_world_base(w), &(weft_serve_options){
//         .writable = true, .tick = tick, .user = w});
//     printf("%s\n", weft_serve_url(server)); // open this in a browser
//     while (playing) {
//         weft_serve_poll(server, 0);
//         colony_advance(w, weft_serve_seconds(server, seconds_since_last_frame));
//     }
//     weft_serve_close(server); // before the world
//
// Nothing needs to be registered, because the tables of the schema describe everything. Values are
// changed by the calls that change values by name. If these refuse a change, the server refuses the
// request with their message.
//
// It is safe to leave on. The server listens on 127.0.0.1 only. It answers requests with the token,
// which is new each time unless `token_file` keeps it. It refuses requests from other pages (Origin), or under another host name
// (Host, against DNS rebinding). Without `writable` the world can only be read. A page that reads
// its answers too slowly loses its connection when they take too much memory. Connections that do
// not show the token within two seconds are closed, and do not count against the limit of
// connections.
//
// Make all calls on the thread that the world belongs to, while no phase or hook runs. A server
// starts no threads. While no page is open, a poll only reads a clock, and checks one socket ten
// times a second.
//
// Link libwebsockets, and weft_json.c as well as weft.c.
#ifndef WEFT_SERVE_H
#define WEFT_SERVE_H

#include "weft_serve_options.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_SERVE_CLIENTS_MAX 64u                          // connections at once
#define WEFT_SERVE_WAITING_MAX (2u * WEFT_SERVE_ANSWER_MAX) // bytes that a page has not fetched yet

typedef struct weft_serve weft_serve;

// Opens a server for a world, which must stay open longer than the server. `options` may be NULL
// for the defaults. Returns NULL if the port is in use, the token file is refused, or there is no
// memory; weft_world_error gives the reason.
weft_serve *weft_serve_open(weft_world *world, const weft_serve_options *options);
void weft_serve_close(weft_serve *server); // does nothing for NULL

// Returns the address of the page with the token: "http://127.0.0.1:40123/?token=…". Programs send
// the token with each request, in the address or as `Authorization: Bearer …`.
const char *weft_serve_url(const weft_serve *server);

// Answers requests, and waits up to `seconds` for new ones. With 0 it does not wait, and checks at
// most a hundred times a second. If a request changes the world, this is a structural change.
void weft_serve_poll(weft_serve *server, double seconds);

// Returns the number of open connections.
uint32_t weft_serve_clients(const weft_serve *server);

// Returns the clock. The game may read and write it at any time between polls.
weft_serve_clock *weft_serve_time(weft_serve *server);

// Returns by how many seconds to advance the world when `seconds` have passed: 0 while it is
// paused, otherwise `seconds` times the speed. Steps do not count: `tick` runs them.
double weft_serve_seconds(const weft_serve *server, double seconds);

// Stores a line for pages. Call it in the game's log hook, so that pages see refusals too.
void weft_serve_log(weft_serve *server, const char *line);

WEFT_EXTERN_C_END

#endif
