// The options of an inspector with a server (weft_serve.h) or without one (weft_inspector.h). Both
// headers include this one.
#ifndef WEFT_SERVE_OPTIONS_H
#define WEFT_SERVE_OPTIONS_H

#include "../weft_reflect.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_SERVE_REQUEST_MAX (256u * 1024u)      // bytes of a request
#define WEFT_SERVE_ANSWER_MAX (8u * 1024u * 1024u) // bytes of an answer
#define WEFT_SERVE_MESSAGES_MAX 256u               // lines that are kept; older ones are dropped

// All zero means the defaults: any free port, a new token, and read-only.
typedef struct weft_serve_options {
    uint16_t port; // 0 for any free port
    // A file that keeps the token, so that with the same port a later start has the same address,
    // and open pages connect to it. It is made with mode 0600 if it does not exist, and refused if
    // other users can read or write it. NULL: a new token each time.
    const char *token_file;
    bool writable; // pages may change the world, and pause its time
    // Runs one tick, for the request `step`; if NULL, that is refused.
    weft_status (*tick)(void *user);
    // Runs one phase, by its index in the schema, for `step` with a phase; if NULL, that is
    // refused.
    weft_status (*phase)(void *user, uint32_t phase);
    void *user; // passed to both
    // The result of <world>_insight() in <world>_insight.h, which lets pages start watching
    // (weft_watch). If NULL, this is refused; watching must then be enabled by weft_options.
    const struct weft_insight *insight;
    // The folders of the game's sources and schemas, with colons between them ("src:schema"), so
    // that pages name the file and line of each system. Relative to the folder in which the game was
    // started. They are read when a page first asks, and only lines and paths are sent. NULL: none.
    const char *source;
    // The address that opens a file in the editor of the user, with {path} and {line}, for example
    // "vscode://file{path}:{line}". NULL: pages copy path and line instead.
    const char *editor;
} weft_serve_options;

// The time of the game as pages see it. Pages and the game can both change it.
typedef struct weft_serve_clock {
    bool paused;
    double speed; // 1 for the normal speed of the game; 0.01 to 1000
} weft_serve_clock;

WEFT_EXTERN_C_END

#endif
