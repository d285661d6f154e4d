// The options of an inspector, whether it is behind a socket (weft_serve.h) or without one
// (weft_inspector.h). Either header includes this one.
#ifndef WEFT_SERVE_OPTIONS_H
#define WEFT_SERVE_OPTIONS_H

#include "../weft_reflect.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_SERVE_REQUEST_MAX (256u * 1024u)      // bytes of a request
#define WEFT_SERVE_ANSWER_MAX (8u * 1024u * 1024u) // bytes of an answer
#define WEFT_SERVE_MESSAGES_MAX 256u               // lines that are kept; older ones are forgotten

// All zero are the defaults: any free port, and nothing but looking.
typedef struct weft_serve_options {
    uint16_t port; // 0: any that is free
    bool writable; // the world may be changed, and time be stopped
    // Runs one tick, for `step`; NULL: that is refused.
    weft_status (*tick)(void *user);
    // Runs one phase, by its index in the schema, for `step` with a phase; NULL: that is refused.
    weft_status (*phase)(void *user, uint32_t phase);
    void *user; // is passed to both
    // <world>_insight() of <world>_insight.h, so that pages may begin to watch who writes what
    // (weft_watch); NULL: that is refused, unless the game has asked for it by weft_options.
    const struct weft_insight *insight;
} weft_serve_options;

// The time of the game as pages see it. Pages and the game both write it.
typedef struct weft_serve_clock {
    bool paused;
    double speed; // 1: as fast as the game lets it pass; 0.01 to 1000
} weft_serve_clock;

WEFT_EXTERN_C_END

#endif
