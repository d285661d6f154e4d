// Sends the zones that the game writes to its trace to Tracy as well, by the functions in
// runtime/trace/README.md. The linker calls this in place of weft_trace_profile (--wrap).
#include "trace/weft_trace.h"

#include "sink.c" // as it stands there

weft_profile __real_weft_trace_profile(weft_trace *trace);
weft_profile __wrap_weft_trace_profile(weft_trace *trace);

static weft_profile file;

static void both_begin(void *user, const weft_zone *zone)
{
    file.begin(user, zone);
    on_begin(user, zone);
}

static void both_end(void *user, const weft_zone *zone)
{
    on_end(user, zone);
    file.end(user, zone);
}

weft_profile __wrap_weft_trace_profile(weft_trace *trace)
{
    file = __real_weft_trace_profile(trace);
    return (weft_profile){.begin = both_begin, .end = both_end, .user = file.user};
}
