// Events as systems emit them: while a page asks for them, the end of each turn is told here, and
// what it has staged is copied. They are written as JSON when they are fetched.
#include "events.h"

#include "../record/event.h"
#include "../run/measure.h"
#include "../weft_json.h"
#include "../world/zone.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

static void keep(serve_state *state, uint32_t system, uint32_t event, const void *value)
{
    const size_t bytes = state->world->plan->events[event].size;
    serve_event *kept = &state->events[state->event_count++ % SERVE_EVENTS_MAX];
    *kept = (serve_event){.tick = state->world->tick, .system = system, .event = event};
    kept->whole = bytes <= sizeof kept->value;
    if (kept->whole) memcpy(kept->value, value, bytes);
}

// Copies what a turn has emitted. Several threads may end turns at once.
static void on_turn(void *user, uint32_t system)
{
    serve_state *state = (serve_state *)user;
    weft_world *world = state->world;
    const weft_profiler *p = world->profiler;
    weft_world_lock(world);
    for (uint32_t e = 0; e < p->emits_count; e++) {
        const weft_emits *emits = &p->emits[e];
        if (emits->system != system) continue;
        for (uint32_t i = 0; i < emits->stages.count; i++) {
            const weft_stage *stage = &world->stages[emits->stages.first + i * emits->stages.step];
            const size_t bytes = world->plan->events[emits->event].size;
            for (uint32_t k = 0; k < stage->count; k++) {
                keep(state, system, emits->event, stage->values.base + k * bytes);
            }
        }
    }
    weft_world_unlock(world);
}

// Has events kept from here on. False: no memory.
static bool hear_events(serve_call *call)
{
    serve_state *state = call->state;
    if (!state->events) {
        state->events = (serve_event *)calloc(SERVE_EVENTS_MAX, sizeof *state->events);
    }
    serve_count_turns(call);
    if (!state->events || !call->world->profiler) return false;
    call->world->profiler->on_turn = on_turn;
    call->world->profiler->on_turn_user = state;
    return true;
}

void serve_events(serve_call *call)
{
    double since = 0;
    const serve_state *state = call->state;
    const weft_schema *schema = call->world->plan->schema;
    if (!serve_may_take_number(call, "since", 0, 9007199254740992.0, &since)) return;
    if (!hear_events(call)) {
        serve_refuse(call, SERVE_REFUSED, "no memory to keep events");
        return;
    }
    uint64_t first = (uint64_t)since;
    if (state->event_count > first + SERVE_EVENTS_MAX) {
        first = state->event_count - SERVE_EVENTS_MAX;
    }
    serve_add(call->out, "[");
    for (uint64_t i = first; i < state->event_count; i++) {
        const serve_event *kept = &state->events[i % SERVE_EVENTS_MAX];
        serve_add_comma(call->out);
        serve_print(call->out, "{\"number\":%llu,\"tick\":%llu,\"system\":%u,\"event\":",
                    (unsigned long long)(i + 1), (unsigned long long)kept->tick, kept->system);
        serve_add_string(call->out, schema->events[kept->event].name);
        serve_add_name(call->out, "value");
        if (kept->whole) {
            weft_json_event_write(call->world, kept->event, kept->value, serve_add_piece,
                                  call->out);
        } else {
            serve_add(call->out, "null");
        }
        serve_add(call->out, "}");
    }
    serve_add(call->out, "]");
}
