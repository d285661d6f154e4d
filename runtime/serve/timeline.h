// Recordings: the zones of a few ticks in a row, for the timeline of a page.
#ifndef WEFT_SERVE_TIMELINE_H
#define WEFT_SERVE_TIMELINE_H

#include "rpc.h"

#define SERVE_RECORDED_TICKS_MAX 20u
#define SERVE_RECORDED_MAX 65536u   // begins and ends of zones; later ones are only counted
#define SERVE_RECORDED_SECONDS 10.0 // a recording is freed this long after the last request for it

serve_method serve_record;
serve_method serve_timeline;

// Ends a recording that has its ticks, and frees one that no page asks for.
void serve_timeline_poll(serve_state *state, double now);

void serve_timeline_close(serve_state *state);

#endif
