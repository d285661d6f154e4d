// Writes zones as lines of JSON. Each line is one call of stdio, so lines of different threads are
// not mixed.
#include "../base/features.h" // first

#include "weft_trace.h"

#include "../base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define BUFFER_BYTES ((size_t)1 << 20)

struct weft_trace {
    FILE *file;
    uint64_t begun_ns;
    int error; // errno of the first failed write, or 0; any thread may set it
};

static void check(weft_trace *trace, int written)
{
    if (written < 0) trace->error = errno != 0 ? errno : EIO;
}

static const char *category_of(weft_zone_kind kind)
{
    if (kind == WEFT_ZONE_PHASE) return "phase";
    if (kind == WEFT_ZONE_SYSTEM) return "system";
    return kind == WEFT_ZONE_PART ? "part" : "world";
}

// Each line has the time in microseconds, and the thread, numbered from 1, because the page treats
// thread 0 as the idle thread.
#define HEAD "{\"ph\":\"%s\",\"pid\":1,\"tid\":%" PRIu32 ",\"ts\":%" PRIu64 ".%03u"

#define NAME ",%s%" PRIu32 "%s,\"cat\":\"%s\",\"name\":\"%s\""

// The id of a turn that several threads share distinguishes it from others at the same time. It
// must be an id within the process ("id2"), because the page shows turns with a global id
// separately from all threads.
static const char *const before_id[] = {"\"id\":\"", "\"id2\":{\"local\":\""};
static const char *const behind_id[] = {"\"", "\"}"};

static void on_begin(void *user, const weft_zone *zone)
{
    weft_trace *trace = (weft_trace *)user;
    uint64_t ns = zone->ns - trace->begun_ns;
    check(trace,
          fprintf(trace->file,
                  ",\n" HEAD NAME ",\"args\":{\"tick\":%" PRIu64 ",\"part\":%" PRIu32 "}}",
                  zone->shared ? "b" : "B", zone->thread + 1, ns / 1000, (unsigned)(ns % 1000),
                  before_id[zone->shared], zone->number, behind_id[zone->shared],
                  category_of(zone->kind), zone->name, zone->tick, zone->part));
}

static void on_end(void *user, const weft_zone *zone)
{
    weft_trace *trace = (weft_trace *)user;
    uint64_t ns = zone->ns - trace->begun_ns;
    const weft_system_stats *turn = &zone->turn;
    check(trace, fprintf(trace->file,
                         ",\n" HEAD NAME ",\"args\":{\"rows\":%" PRIu64 ",\"ns\":%" PRIu64
                         ",\"commands\":%" PRIu64 ",\"events\":%" PRIu64 "}}",
                         zone->shared ? "e" : "E", zone->thread + 1, ns / 1000,
                         (unsigned)(ns % 1000), before_id[zone->shared], zone->number,
                         behind_id[zone->shared], category_of(zone->kind), zone->name, turn->rows,
                         turn->ns, turn->commands, turn->events));
}

weft_trace *weft_trace_open(const char *path, const weft_schema *schema)
{
    weft_trace *trace = (weft_trace *)calloc(1, sizeof *trace);
    if (!trace) return NULL;
    trace->file = fopen(path, "w");
    if (!trace->file) {
        free(trace);
        return NULL;
    }
    setvbuf(trace->file, NULL, _IOFBF, BUFFER_BYTES);
    trace->begun_ns = weft_now_ns();
    check(trace, fprintf(trace->file,
                         "[\n{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"process_name\","
                         "\"args\":{\"name\":\"%s\"}}",
                         schema->name));
    return trace;
}

weft_profile weft_trace_profile(weft_trace *trace)
{
    if (!trace) return (weft_profile){.begin = NULL};
    return (weft_profile){.begin = on_begin, .end = on_end, .user = trace};
}

bool weft_trace_close(weft_trace *trace)
{
    if (!trace) return true;
    check(trace, fputs("\n]\n", trace->file) >= 0 ? 0 : -1);
    if (ferror(trace->file) && trace->error == 0) trace->error = EIO;
    int error = trace->error;
    if (fclose(trace->file) != 0 && error == 0) error = errno;
    free(trace);
    errno = error;
    return error == 0;
}
