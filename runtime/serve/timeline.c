// Records the zones of a few ticks. The world notifies this file of zones only while ticks are
// recorded, and the memory of a recording is freed when no page asks for it.
#include "timeline.h"

#include "../base/clock.h"
#include "../run/sampler.h"

#include <stdatomic.h>
#include <stdlib.h>

// The begin or end of a zone.
typedef struct serve_boundary {
    uint64_t ns; // since the recording began
    uint64_t rows;
    uint32_t number;
    uint32_t part;
    uint32_t thread;
    uint8_t tick; // since the first of the recording
    uint8_t kind;
    bool begins;
    bool shared;
} serve_boundary;

struct serve_recording {
    weft_profile profile;
    bool runs;
    uint64_t number; // counts recordings, so that a page sees whether it is its own
    uint64_t first;  // tick
    uint32_t ticks;  // requested
    uint32_t done;   // ticks that have been recorded
    uint64_t begun_ns;
    double asked;      // time of the last request
    atomic_uint count; // of boundaries, including those without space
    serve_boundary boundaries[SERVE_RECORDED_MAX];
};

// Any thread that runs systems calls this. Each call writes to a place of its own, and the places
// are read between two phases.
static void take_boundary(struct serve_recording *r, const weft_zone *zone, bool begins)
{
    const uint64_t tick = zone->tick - r->first;
    if (tick >= r->ticks) return; // the game runs on until the next poll
    const unsigned place = atomic_fetch_add_explicit(&r->count, 1, memory_order_relaxed);
    if (place >= SERVE_RECORDED_MAX) return;
    r->boundaries[place] = (serve_boundary){.ns = zone->ns - r->begun_ns,
                                            .rows = zone->turn.rows,
                                            .number = zone->number,
                                            .part = zone->part,
                                            .thread = zone->thread,
                                            .tick = (uint8_t)tick,
                                            .kind = (uint8_t)zone->kind,
                                            .begins = begins,
                                            .shared = zone->shared};
}

static void recorded_begin(void *user, const weft_zone *zone)
{
    take_boundary((struct serve_recording *)user, zone, true);
}

static void recorded_end(void *user, const weft_zone *zone)
{
    take_boundary((struct serve_recording *)user, zone, false);
}

// Counts the ticks of a recording, and ends it after the last of them, or if a load has brought an
// earlier tick.
static void follow_recording(serve_state *state)
{
    struct serve_recording *r = state->recording;
    const uint64_t tick = state->world->tick;
    if (!r->runs) return;
    const bool back = tick < r->first + r->done;
    if (!back) r->done = tick - r->first < r->ticks ? (uint32_t)(tick - r->first) : r->ticks;
    if (!back && r->done < r->ticks) return;
    r->runs = !weft_profiler_record(state->world, NULL, state->counted != 0);
}

void serve_timeline_poll(serve_state *state, double now)
{
    if (!state->recording) return;
    follow_recording(state);
    if (now - state->recording->asked >= SERVE_RECORDED_SECONDS) serve_timeline_close(state);
}

void serve_timeline_close(serve_state *state)
{
    struct serve_recording *r = state->recording;
    if (!r) return;
    if (r->runs && !weft_profiler_record(state->world, NULL, state->counted != 0)) return;
    free(r);
    state->recording = NULL;
}

void serve_record(serve_call *call)
{
    double ticks = 1;
    serve_state *state = call->state;
    if (!serve_may_take_number(call, "ticks", 1, SERVE_RECORDED_TICKS_MAX, &ticks)) return;
    serve_timeline_close(state);
    struct serve_recording *r = NULL;
    if (!state->recording) r = (struct serve_recording *)calloc(1, sizeof *r);
    if (r) {
        r->profile = (weft_profile){.begin = recorded_begin, .end = recorded_end, .user = r};
        r->number = ++state->recordings;
        r->first = state->world->tick;
        r->ticks = (uint32_t)ticks;
        r->begun_ns = weft_now_ns();
        r->asked = serve_now();
        r->runs = weft_profiler_record(state->world, &r->profile, false);
    }
    if (r && r->runs) {
        state->recording = r;
        serve_print(call->out, "{\"number\":%llu}", (unsigned long long)r->number);
        return;
    }
    free(r);
    serve_refuse(call, SERVE_REFUSED, "ticks cannot be recorded now: %s",
                 weft_world_is_running(state->world) ? "a phase runs" : "there is no memory");
}

static void add_boundary(serve_text *out, const serve_boundary *one)
{
    serve_add_comma(out);
    serve_print(out, "[%d,%u,%u,%u,%u,%u,%llu,%d,%llu]", one->begins, one->kind,
                (unsigned)one->number, (unsigned)one->part, (unsigned)one->thread, one->tick,
                (unsigned long long)one->ns, one->shared, (unsigned long long)one->rows);
}

void serve_timeline(serve_call *call)
{
    struct serve_recording *r = call->state->recording;
    serve_text *out = call->out;
    if (!r) {
        serve_add(out, "null");
        return;
    }
    r->asked = serve_now();
    follow_recording(call->state);
    const unsigned count = atomic_load(&r->count);
    const unsigned kept = count < SERVE_RECORDED_MAX ? count : SERVE_RECORDED_MAX;
    serve_print(
        out,
        "{\"recording\":%s,\"number\":%llu,\"first\":%llu,\"ticks\":%u,\"done\":%u,\"left_off\":%u",
        r->runs ? "true" : "false", (unsigned long long)r->number, (unsigned long long)r->first,
        (unsigned)r->ticks, (unsigned)r->done, count - kept);
    serve_add(out, ",\"boundaries\":[");
    for (unsigned i = 0; !r->runs && i < kept; i++) add_boundary(out, &r->boundaries[i]);
    serve_add(out, "]}");
}
