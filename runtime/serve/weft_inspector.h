// The inspector without a server: a request of JSON-RPC comes in as text, and its answer goes out.
// It is for programs that reach a page, or whoever asks, in a way of their own, as a game in
// WebAssembly does. README.md has the calls; weft_serve.h is the inspector behind a socket.
//
//     weft_inspector *inspector = weft_inspector_open(colony_world_base(w), NULL);
//     const char *answer = weft_inspector_answer(inspector, text, strlen(text), &bytes);
//
// All calls are made by the thread that the world belongs to, while no phase and no hook runs. It
// needs weft_json.c besides weft.c, and weft_serve.c, with -DWEFT_NO_SOCKETS where there is no
// libwebsockets.
#ifndef WEFT_INSPECTOR_H
#define WEFT_INSPECTOR_H

#include "weft_serve_options.h"

WEFT_EXTERN_C_BEGIN

typedef struct weft_inspector weft_inspector;

// Opens an inspector of a world, which has to stay open longer. Of the options, which may be NULL,
// the port means nothing here. NULL: no memory.
weft_inspector *weft_inspector_open(weft_world *world, const weft_serve_options *options);
void weft_inspector_close(weft_inspector *inspector); // does nothing for NULL

// Answers a request, which may be any bytes, and sets the length of the answer. It is valid until
// the next call, and a NUL stands behind it; "" where JSON-RPC wants no answer. The length may be
// NULL. Returns NULL if there is no memory. It is a structural change if the request makes one.
const char *weft_inspector_answer(weft_inspector *inspector, const char *request, size_t bytes,
                                  size_t *answer_bytes);

// These are what weft_serve_time, weft_serve_seconds and weft_serve_log are for a server.
weft_serve_clock *weft_inspector_time(weft_inspector *inspector);
double weft_inspector_seconds(const weft_inspector *inspector, double seconds);
void weft_inspector_log(weft_inspector *inspector, const char *line);

WEFT_EXTERN_C_END

#endif
