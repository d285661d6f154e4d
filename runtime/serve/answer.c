// A request becomes calls of methods, and their results an answer.
#include "answer.h"

#include "changes.h"
#include "edit.h"
#include "entities.h"
#include "events.h"
#include "gone.h"
#include "list.h"
#include "schema.h"
#include "state.h"
#include "writers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void serve_state_open(serve_state *state, weft_world *world, const weft_serve_options *options)
{
    memset(state, 0, sizeof *state);
    state->world = world;
    if (options) state->options = *options;
    state->clock.speed = 1;
}

void serve_state_close(serve_state *state)
{
    serve_turns_poll(state, INFINITY);
    serve_let_go(state);
    serve_events_close(state);
    serve_watch_end(state);
    serve_forget_memory(state);
    serve_lists_close(state);
}

// ------------------------------------------------------------------------------------------------
// Calls

typedef struct method {
    const char *name;
    serve_method *run;
    bool writes; // it is refused unless the server is writable
} method;

static const method METHODS[] = {
    {"schema", serve_schema, false},
    {"stats", serve_stats, false},
    {"entities", serve_entities, false},
    {"entity", serve_entity, false},
    {"gone", serve_gone, false},
    {"singleton", serve_singleton, false},
    {"systems", serve_systems, false},
    {"tables", serve_tables, false},
    {"messages", serve_messages, false},
    {"events", serve_events, false},
    {"remember", serve_remember, false},
    {"changes", serve_changes, false},
    {"writes", serve_writes, false},
    {"kept", serve_kept, false},
    {"watch", serve_watch, true},
    {"stops", serve_stops, false},
    {"stop_at", serve_stop_at, true},
    {"stop_forget", serve_stop_forget, true},
    {"set", serve_set, true},
    {"write", serve_write, true},
    {"add", serve_add_component, true},
    {"remove", serve_remove, true},
    {"spawn", serve_spawn, true},
    {"despawn", serve_despawn, true},
    {"attach", serve_attach, true},
    {"detach", serve_detach, true},
    {"switch", serve_switch, true},
    {"pause", serve_pause, true},
    {"speed", serve_speed, true},
    {"step", serve_step, true},
};

static const method *method_of(const char *name)
{
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
        if (strcmp(METHODS[i].name, name) == 0) return &METHODS[i];
    }
    return NULL;
}

// Notes a refusal by the world among the messages, since pages are to see those of each other. What
// only looks is not noted: a page asks for an entity that has ended again and again.
static void note(serve_call *call, const char *name)
{
    char line[600];
    const serve_state *state = call->state;
    if (call->code != SERVE_REFUSED && call->code != SERVE_READ_ONLY) return;
    if (state->messages != 0) { // the log hook of the game may have told it already
        const serve_message *last = &state->kept[(state->messages - 1) % WEFT_SERVE_MESSAGES_MAX];
        if (strncmp(last->text, call->why, sizeof last->text - 1) == 0) return;
    }
    snprintf(line, sizeof line, "%s: %s", name, call->why);
    serve_state_log(call->state, line);
}

static void run_method(serve_call *call, const char *name)
{
    const method *m = method_of(name);
    if (!m) {
        serve_refuse(call, SERVE_NO_METHOD, "there is no method '%.64s'", name);
        return;
    }
    if (m->writes && !call->state->options.writable) {
        serve_refuse(call, SERVE_READ_ONLY, "this server is read-only: '%s' is refused", name);
    } else {
        m->run(call);
    }
    if (m->writes && call->refused) note(call, name);
    if (m->writes && !call->refused) {
        call->state->edits++;
        serve_lists_renew(call->state);
    }
}

static void add_error(serve_text *out, serve_value id, int code, const char *why)
{
    serve_add(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    if (id.bytes != 0)
        serve_add_bytes(out, id.text, id.bytes);
    else
        serve_add(out, "null");
    serve_print(out, ",\"error\":{\"code\":%d,\"message\":", code);
    serve_add_string(out, why);
    serve_add(out, "}}");
}

static void answer_one(serve_state *state, serve_value request, serve_text *out)
{
    char name[64];
    serve_call call = {.state = state, .world = state->world, .out = out};
    serve_value id = serve_json_member(request, "id");
    char kind = serve_json_kind(id);
    bool sound = serve_json_string(serve_json_member(request, "method"), name, sizeof name) &&
                 (kind == '\0' || kind == '"' || kind == '0' || kind == 'n') && id.bytes <= 128;
    call.params = serve_json_member(request, "params");
    char params = serve_json_kind(call.params);
    if (!sound || (params != '\0' && params != '{')) {
        serve_add_comma(out);
        add_error(out, (serve_value){NULL, 0}, SERVE_INVALID_REQUEST,
                  "a request is an object with 'method', 'params' (an object) and 'id'");
        return;
    }
    size_t before = out->used;
    serve_add_comma(out);
    size_t start = out->used;
    serve_add(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    serve_add_bytes(out, id.text ? id.text : "null", id.text ? id.bytes : 4);
    serve_add(out, ",\"result\":");
    size_t result = out->used;
    run_method(&call, name);
    if (out->used == result) serve_add(out, "true");
    serve_add(out, "}");
    if (out->failed && !call.refused) {
        serve_refuse(&call, SERVE_TOO_LARGE, "the answer is longer than %u bytes",
                     WEFT_SERVE_ANSWER_MAX);
    }
    if (call.refused) {
        serve_cut(out, start);
        add_error(out, id, call.code, call.why);
    }
    if (kind == '\0') serve_cut(out, before); // a notification
}

static void answer_batch(serve_state *state, serve_value batch, serve_text *out)
{
    uint32_t count = 0;
    const char *at = NULL;
    serve_add(out, "[");
    size_t begun = out->used;
    for (serve_value one = serve_json_next(batch, &at); one.bytes != 0;
         one = serve_json_next(batch, &at)) {
        if (++count > SERVE_BATCH_MAX) break;
        answer_one(state, one, out);
    }
    if (count == 0 || count > SERVE_BATCH_MAX) {
        serve_add_comma(out);
        add_error(out, (serve_value){NULL, 0}, SERVE_INVALID_REQUEST,
                  "a batch has 1 to 64 requests");
    }
    if (out->used == begun)
        serve_cut(out, out->head);
    else
        serve_add(out, "]");
}

void serve_state_poll(serve_state *state, double now)
{
    serve_turns_poll(state, now);
    serve_events_poll(state, now);
    serve_lists_poll(state, now);
}

void serve_answer(serve_state *state, const char *request, size_t bytes, serve_text *answer)
{
    serve_value value;
    if (bytes == 0 || !serve_json_check(request, bytes, &value)) {
        add_error(answer, (serve_value){NULL, 0}, SERVE_PARSE_ERROR, "this is no JSON");
    } else if (serve_json_kind(value) == '[') {
        answer_batch(state, value, answer);
    } else {
        answer_one(state, value, answer);
    }
}
