// A trace: writes what a world reports to weft_options.profile to a file that the page
// ui.perfetto.dev (or chrome://tracing) opens. README.md shows how a game uses it.
//
//   weft_trace *trace = weft_trace_open("colony.trace", colony_schema());
//   colony_world *w = colony_open(&(weft_options){.profile = weft_trace_profile(trace)});
//   …
//   colony_close(w);
//   if (!weft_trace_close(trace)) …
//
// The file is a JSON array of trace events, one a line. If the program dies before the file is
// closed, everything written until then can still be opened.
#ifndef WEFT_TRACE_H
#define WEFT_TRACE_H

#include "../weft.h"

WEFT_EXTERN_C_BEGIN

typedef struct weft_trace weft_trace;

// Creates or replaces a file. Returns NULL if it cannot be written (errno gives the reason) or if
// there is no memory.
weft_trace *weft_trace_open(const char *path, const weft_schema *schema);

// Returns the profile for the options of one or several worlds of the schema. For NULL it returns a
// profile that reports and counts nothing. A zone costs about a microsecond and two lines of 120
// bytes.
weft_profile weft_trace_profile(weft_trace *trace);

// Closes the file; no world may use it any more. Returns false if not everything was written; errno
// gives the reason. NULL is allowed.
bool weft_trace_close(weft_trace *trace);

WEFT_EXTERN_C_END

#endif
