// The inspector without a server: a request of JSON-RPC is passed in as text, and its answer is
// returned. Use it in programs that connect to a page in another way, for example a game in
// WebAssembly. RPC.md describes the requests; weft_serve.h is the inspector with a server.
//
//     weft_inspector *inspector = weft_inspector_open(colony_world_base(w), NULL);
//     const char *answer = weft_inspector_answer(inspector, text, strlen(text), &bytes);
//
// Make all calls on the thread that the world belongs to, while no phase or hook runs. Link
// weft_json.c and weft_serve.c as well as weft.c. Without libwebsockets, compile weft_serve.c with
// -DWEFT_NO_SOCKETS.
#ifndef WEFT_INSPECTOR_H
#define WEFT_INSPECTOR_H

#include "weft_serve_options.h"

WEFT_EXTERN_C_BEGIN

typedef struct weft_inspector weft_inspector;

// Opens an inspector of a world, which must stay open longer than the inspector. `options` may be
// NULL; the port, the token file and the sources are ignored. Returns NULL if there is no memory.
weft_inspector *weft_inspector_open(weft_world *world, const weft_serve_options *options);
void weft_inspector_close(weft_inspector *inspector); // does nothing for NULL

// Answers a request, which may be any bytes, and sets the length of the answer (unless answer_bytes
// is NULL). The answer ends with a NUL and is valid until the next call. It is "" if JSON-RPC
// requires no answer. Returns NULL if there is no memory. If the request changes the world, this is
// a structural change.
const char *weft_inspector_answer(weft_inspector *inspector, const char *request, size_t bytes,
                                  size_t *answer_bytes);

// Like weft_serve_time, weft_serve_seconds and weft_serve_log for a server.
weft_serve_clock *weft_inspector_time(weft_inspector *inspector);
double weft_inspector_seconds(const weft_inspector *inspector, double seconds);
void weft_inspector_log(weft_inspector *inspector, const char *line);

WEFT_EXTERN_C_END

#endif
