// A request becomes calls of methods, and their results an answer.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // clock_gettime
#endif
#include "rpc.h"

#include "../plan/fields.h"
#include "../world/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double serve_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void serve_state_open(serve_state *state, weft_world *world, const weft_serve_options *options)
{
    memset(state, 0, sizeof *state);
    state->world = world;
    if (options) state->options = *options;
    state->clock.speed = 1;
}

void serve_state_close(serve_state *state)
{
    serve_state_rest(state, INFINITY);
    serve_stops_end(state);
    serve_forget_memory(state);
    free(state->events);
    serve_sorted_forget(state);
}

double serve_state_seconds(const serve_state *state, double seconds)
{
    return state->clock.paused ? 0 : seconds * state->clock.speed;
}

void serve_state_log(serve_state *state, const char *line)
{
    serve_message *message = &state->kept[state->messages % WEFT_SERVE_MESSAGES_MAX];
    message->number = ++state->messages;
    message->tick = state->world->tick;
    size_t length = strlen(line);
    if (length >= sizeof message->text) length = sizeof message->text - 1;
    memcpy(message->text, line, length);
    message->text[length] = '\0';
}

// ------------------------------------------------------------------------------------------------
// Refusals

bool serve_refuse(serve_call *call, int code, const char *format, ...)
{
    if (call->refused) return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call->why, sizeof call->why, format, arguments);
    va_end(arguments);
    call->refused = true;
    call->code = code;
    return false;
}

bool serve_refuse_world(serve_call *call)
{
    return serve_refuse(call, SERVE_REFUSED, "%s", weft_world_error(call->world));
}

// ------------------------------------------------------------------------------------------------
// Params

bool serve_may_take_string(serve_call *call, const char *name, char *string, size_t capacity)
{
    serve_value value = serve_json_member(call->params, name);
    return serve_json_kind(value) == '\0' || serve_json_kind(value) == 'n' ||
           serve_json_string(value, string, capacity) ||
           serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' is to be a string of less than %zu bytes",
                        name, capacity);
}

bool serve_take_string(serve_call *call, const char *name, char *string, size_t capacity)
{
    if (serve_json_kind(serve_json_member(call->params, name)) != '"') {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' is missing, or no string", name);
    }
    return serve_may_take_string(call, name, string, capacity);
}

bool serve_may_take_number(serve_call *call, const char *name, double low, double high,
                           double *number)
{
    double found;
    serve_value value = serve_json_member(call->params, name);
    if (serve_json_kind(value) == '\0') return true;
    if (!serve_json_number(value, &found) || !(found >= low && found <= high)) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' is to be a number from %g to %g",
                            name, low, high);
    }
    *number = found;
    return true;
}

bool serve_may_take_bool(serve_call *call, const char *name, bool *value)
{
    char kind = serve_json_kind(serve_json_member(call->params, name));
    if (kind == '\0') return true;
    *value = kind == 't';
    return kind == 't' || kind == 'f' ||
           serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' is to be true or false", name);
}

bool serve_handle_from_text(const weft_world *world, const char *text, uint64_t *handle)
{
    uint64_t index, generation;
    int end = 0;
    const weft_format f = world->plan->format;
    if (strspn(text, "0123456789:") != strlen(text) || strlen(text) > 21) return false;
    if (sscanf(text, "%10" SCNu64 ":%10" SCNu64 "%n", &index, &generation, &end) != 2) return false;
    if (text[end] != '\0' || index > weft_index_mask(f) || generation == 0 ||
        generation > weft_generation_max(f)) {
        return false;
    }
    *handle = weft_handle(f, (uint32_t)index, (uint32_t)generation);
    return true;
}

bool serve_take_handle(serve_call *call, const char *name, uint64_t *handle)
{
    char text[32];
    return serve_take_string(call, name, text, sizeof text) &&
           (serve_handle_from_text(call->world, text, handle) ||
            serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' is to be \"index:generation\"", name));
}

bool serve_take_component(serve_call *call, uint32_t *component)
{
    char name[SERVE_PATH_MAX];
    if (!serve_take_string(call, "component", name, sizeof name)) return false;
    int found = weft_component_index(call->world->plan->schema, name);
    if (found < 0) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "there is no component '%.64s'", name);
    }
    *component = (uint32_t)found;
    return true;
}

bool serve_take_relation(serve_call *call, uint32_t *relation)
{
    char name[SERVE_PATH_MAX];
    const weft_schema *schema = call->world->plan->schema;
    if (!serve_take_string(call, "relation", name, sizeof name)) return false;
    *relation =
        weft_name_find(schema->relations, sizeof *schema->relations, schema->relation_count, name);
    return *relation != WEFT_NO_NAME ||
           serve_refuse(call, SERVE_INVALID_PARAMS, "there is no relation '%.64s'", name);
}

void serve_add_handle(serve_call *call, uint64_t handle)
{
    if (handle == 0)
        serve_add(call->out, "null");
    else
        serve_print(call->out, "\"%s\"",
                    weft_handle_as_text(call->world->plan->format, handle).text);
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
    {"singleton", serve_singleton, false},
    {"systems", serve_systems, false},
    {"tables", serve_tables, false},
    {"messages", serve_messages, false},
    {"events", serve_events, false},
    {"remember", serve_remember, false},
    {"changes", serve_changes, false},
    {"writes", serve_writes, false},
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

static void run_method(serve_call *call, const char *name)
{
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
        if (strcmp(METHODS[i].name, name) != 0) continue;
        if (METHODS[i].writes && !call->state->options.writable) {
            serve_refuse(call, SERVE_READ_ONLY, "this server is read-only: '%s' is refused", name);
        } else {
            METHODS[i].run(call);
        }
        if (METHODS[i].writes && !call->refused) {
            call->state->edits++;
            serve_sorted_forget(call->state);
        }
        return;
    }
    serve_refuse(call, SERVE_NO_METHOD, "there is no method '%.64s'", name);
}

// Notes a refusal by the world among the messages, since pages are to see those of each other.
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
        note(&call, name);
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

void serve_answer(serve_state *state, const char *request, size_t bytes, serve_text *answer)
{
    serve_value value;
    serve_state_rest(state, serve_now());
    if (bytes == 0 || !serve_json_check(request, bytes, &value)) {
        add_error(answer, (serve_value){NULL, 0}, SERVE_PARSE_ERROR, "this is no JSON");
    } else if (serve_json_kind(value) == '[') {
        answer_batch(state, value, answer);
    } else {
        answer_one(state, value, answer);
    }
}
