// Events as systems emit them. While a page requests them, the world passes the events that it
// gathers to this file. Between two calls, only as many are copied as one call returns. The rest is
// counted, so that a storm of events costs a tick no more than a page can show. Events are
// converted to JSON when they are fetched.
#include "events.h"

#include "../record/event.h"
#include "../value/handles.h"
#include "../weft_json.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

typedef struct serve_hearing {
    weft_event_tap tap;
    uint64_t count;    // of all events so far
    uint64_t kept;     // of the copied ones, whose place wraps around
    uint64_t asked_at; // `kept` at the last request
    double asked;      // time of the last request
    serve_event events[SERVE_EVENTS_MAX];
} serve_hearing;

static uint64_t note_name(void *state, uint64_t handle)
{
    serve_names_note((serve_state *)state, handle);
    return handle;
}

// Remembers the names of entities in an event, which may be despawned before it is fetched.
static void note_names(serve_state *state, const serve_event *kept)
{
    const weft_schema *schema = state->world->plan->schema;
    const weft_event_info *info = &schema->events[kept->event];
    unsigned char value[SERVE_EVENT_BYTES];
    if (!kept->whole) return;
    memcpy(value, kept->value, state->world->plan->events[kept->event].size);
    weft_fields_change(schema, info->fields, info->field_count, value, note_name, state);
}

// Copies events. Called while the world's lock is held.
static void gathered(void *user, uint32_t event, uint32_t stage, const void *values, uint32_t count)
{
    serve_state *state = (serve_state *)user;
    serve_hearing *h = state->hearing;
    const size_t bytes = state->world->plan->events[event].size;
    uint32_t left = SERVE_EVENTS_MAX - (uint32_t)(h->kept - h->asked_at);
    for (uint32_t i = 0; i < count && i < left; i++) {
        serve_event *to = &h->events[h->kept++ % SERVE_EVENTS_MAX];
        to->number = h->count + i + 1;
        to->tick = state->world->tick;
        to->stage = stage;
        to->event = event;
        to->whole = bytes <= sizeof to->value;
        if (to->whole) memcpy(to->value, (const unsigned char *)values + i * bytes, bytes);
        note_names(state, to);
    }
    h->count += count;
}

// Returns the system that is emitter number `stage` of an event, in the order of the schedule.
static uint32_t emitter_of(const weft_schema *schema, uint32_t event, uint32_t stage)
{
    for (uint32_t s = 0; s < schema->system_count; s++) {
        const weft_system_info *system = &schema->systems[s];
        for (uint32_t a = 0; a < system->access_count; a++) {
            bool emits = system->access[a].kind == WEFT_ACCESS_EMITS;
            if (emits && system->access[a].of == event && stage-- == 0) return s;
        }
    }
    return 0;
}

// Starts keeping events, or continues. Returns false if there is no memory.
static bool hear_events(serve_state *state)
{
    if (!state->hearing) {
        state->hearing = (serve_hearing *)calloc(1, sizeof *state->hearing);
        if (!state->hearing) return false;
        state->hearing->tap = (weft_event_tap){gathered, state};
    }
    state->hearing->asked_at = state->hearing->kept;
    state->hearing->asked = serve_now();
    state->world->events.tap = &state->hearing->tap;
    return true;
}

void serve_events_poll(serve_state *state, double now)
{
    if (!state->hearing || now - state->hearing->asked < SERVE_COUNT_SECONDS) return;
    state->world->events.tap = NULL;
}

void serve_events_close(serve_state *state)
{
    if (state->hearing) state->world->events.tap = NULL;
    free(state->hearing);
    state->hearing = NULL;
}

static void add_event(serve_call *call, const serve_event *kept)
{
    const weft_schema *schema = call->world->plan->schema;
    serve_text *out = call->out;
    serve_add_comma(out);
    serve_print(out, "{\"number\":%llu,\"tick\":%llu,\"system\":%u,\"event\":",
                (unsigned long long)kept->number, (unsigned long long)kept->tick,
                emitter_of(schema, kept->event, kept->stage));
    serve_add_string(out, schema->events[kept->event].name);
    serve_add_name(out, "value");
    if (kept->whole) {
        weft_json_event_write(call->world, kept->event, kept->value, serve_add_piece, out);
    } else {
        serve_add(out, "null");
    }
    serve_add(out, "}");
}

void serve_events(serve_call *call)
{
    double since = 0;
    if (!serve_may_take_number(call, "since", 0, 9007199254740992.0, &since)) return;
    if (!hear_events(call->state)) {
        serve_refuse(call, SERVE_REFUSED, "no memory to keep events");
        return;
    }
    const serve_hearing *h = call->state->hearing;
    uint64_t first = h->kept > SERVE_EVENTS_MAX ? h->kept - SERVE_EVENTS_MAX : 0;
    serve_add(call->out, "[");
    for (uint64_t i = first; i < h->kept; i++) {
        const serve_event *kept = &h->events[i % SERVE_EVENTS_MAX];
        if (kept->number > (uint64_t)since) add_event(call, kept);
    }
    serve_add(call->out, "]");
}
