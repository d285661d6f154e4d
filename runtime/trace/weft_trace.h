// A trace: what a world tells of itself (weft_options.profile), in a file that the page
// ui.perfetto.dev opens, and chrome://tracing. README.md shows how a game uses it.
//
//   weft_trace *trace = weft_trace_open("colony.trace", colony_schema());
//   colony_world *w = colony_open(&(weft_options){.profile = weft_trace_profile(trace)});
//   …
//   colony_close(w);
//   if (!weft_trace_close(trace)) …
//
// The file is a JSON array of trace events, a line each. If the program dies before it is closed,
// what was written by then can be opened nevertheless.
#ifndef WEFT_TRACE_H
#define WEFT_TRACE_H

#include "../weft.h"

WEFT_EXTERN_C_BEGIN

typedef struct weft_trace weft_trace;

// Begins a file, in place of what was there. NULL: it cannot be written, as errno tells, or there
// is no memory.
weft_trace *weft_trace_open(const char *path, const weft_schema *schema);

// Returns the profile for the options of a world of that schema, or of several worlds; of NULL one
// that tells and counts nothing. A zone takes about a microsecond, and two lines of 120 bytes.
weft_profile weft_trace_profile(weft_trace *trace);

// Ends the file, when no world tells it anything any more. False: not all of it was written, as
// errno tells. NULL is fine.
bool weft_trace_close(weft_trace *trace);

WEFT_EXTERN_C_END

#endif
