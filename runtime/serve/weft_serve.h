// A world, shown to a browser: a server on this machine alone, with a page that looks at the world
// and touches it, and JSON-RPC for programs. Its calls are in runtime/serve/RPC.md.
//
// The game's loop stays its own. It polls the server between two ticks, and asks it how much time
// is to pass:
//
//     weft_serve *server = weft_serve_open(colony_world_base(w), &(weft_serve_options){
//         .writable = true, .tick = tick, .user = w});
//     printf("%s\n", weft_serve_url(server)); // to be opened in a browser
//     while (playing) {
//         weft_serve_poll(server, 0);
//         colony_advance(w, weft_serve_seconds(server, seconds_since_last_frame));
//     }
//     weft_serve_close(server); // before the world
//
// Nothing is registered: the tables of the schema say all there is to say. Values are changed by
// the calls that change them by name, so what those refuse is refused here in their words.
//
// It is safe to leave on. The server listens on 127.0.0.1; it answers whoever has the token, which
// is new each time; a request from another page (Origin) or by another name (Host, as in DNS
// rebinding) is refused; and without `writable` the world can be looked at, and nothing else. A
// slow or dead page loses its connection when its answers take too much memory. Connections that do
// not show the token within two seconds are closed, and take none from those that do.
//
// All calls are made by the thread that the world belongs to, while no phase and no hook runs. A
// server makes no threads. While no page is open a poll costs reading a clock, and a look at one
// socket ten times a second.
//
// It needs libwebsockets, and weft_json.c besides weft.c.
#ifndef WEFT_SERVE_H
#define WEFT_SERVE_H

#include "weft_serve_options.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_SERVE_CLIENTS_MAX 64u                          // connections at once
#define WEFT_SERVE_WAITING_MAX (2u * WEFT_SERVE_ANSWER_MAX) // bytes that a page has yet to fetch

typedef struct weft_serve weft_serve;

// Opens a server for a world, which has to stay open longer. NULL: the port is taken, or there is
// no memory; the words are in weft_world_error. Options may be NULL, which means all defaults.
weft_serve *weft_serve_open(weft_world *world, const weft_serve_options *options);
void weft_serve_close(weft_serve *server); // does nothing for NULL

// Returns where the page is, with the token: "http://127.0.0.1:40123/?token=…". Programs send the
// token with each request, in the address or as `Authorization: Bearer …`.
const char *weft_serve_url(const weft_serve *server);

// Answers what pages and programs have asked, and waits up to so many seconds for them to ask, or
// less; with 0 it does not wait, and looks at most a hundred times a second. It is a structural
// change if one of them makes one.
void weft_serve_poll(weft_serve *server, double seconds);

// Returns how many connections are open.
uint32_t weft_serve_clients(const weft_serve *server);

// Returns the clock, which the game may read and write at any time between polls.
weft_serve_clock *weft_serve_time(weft_serve *server);

// Returns how many seconds the world is to advance where `seconds` have passed: 0 while it is
// paused, else as many times the speed. Steps are not in it: `tick` runs them.
double weft_serve_seconds(const weft_serve *server, double seconds);

// Keeps a line for pages to read. A game calls it in its log hook, and so do pages see refusals.
void weft_serve_log(weft_serve *server, const char *line);

WEFT_EXTERN_C_END

#endif
