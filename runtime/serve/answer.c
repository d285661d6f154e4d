// Turns a request into calls of methods, and their results into an answer.
#include "answer.h"

#include "bulk.h"
#include "changes.h"
#include "edit.h"
#include "entities.h"
#include "events.h"
#include "gone.h"
#include "list.h"
#include "map.h"
#include "names.h"
#include "params.h"
#include "referrers.h"
#include "schema.h"
#include "series.h"
#include "sources.h"
#include "spawn.h"
#include "state.h"
#include "sums.h"
#include "taken.h"
#include "timeline.h"
#include "tree.h"
#include "undo.h"
#include "writers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void serve_state_open(serve_state *state, weft_world *world, const weft_serve_options *options)
{
    memset(state, 0, sizeof *state);
    state->world = world;
    if (options) state->options = *options;
    state->clock.speed = 1;
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    state->started = (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

void serve_state_close(serve_state *state)
{
    serve_timeline_close(state);
    serve_turns_poll(state, INFINITY);
    serve_let_go(state);
    serve_events_close(state);
    serve_watch_end(state);
    serve_forget_memory(state);
    serve_series_close(state);
    serve_sources_close(state);
    serve_taken_forget(state);
    serve_names_close(state);
    serve_referrers_drop(state);
    serve_lists_close(state);
}

// ------------------------------------------------------------------------------------------------
// Calls

typedef struct method {
    const char *name;
    serve_method *run;
    bool writes; // refused unless the server is writable
    serve_param takes[SERVE_PARAMS_MAX];
} method;

static const method METHODS[] = {
    {"schema", serve_schema, false, {{NULL, 0, false}}},
    {"stats", serve_stats, false, {{NULL, 0, false}}},
    {"entities",
     serve_entities,
     false,
     {{"where", SERVE_STRING, false},
      {"sort", SERVE_STRING, false},
      {"descending", SERVE_BOOL, false},
      {"offset", SERVE_COUNT, false},
      {"limit", SERVE_COUNT, false},
      {"columns", SERVE_ARRAY, false}}},
    {"map",
     serve_map,
     false,
     {{"x", SERVE_STRING, true},
      {"y", SERVE_STRING, true},
      {"where", SERVE_STRING, false},
      {"value", SERVE_STRING, false},
      {"offset", SERVE_COUNT, false},
      {"limit", SERVE_COUNT, false},
      {"packed", SERVE_BOOL, false}}},
    {"entity", serve_entity, false, {{"id", SERVE_STRING, true}}},
    {"gone", serve_gone, false, {{"id", SERVE_STRING, true}}},
    {"referrers", serve_referrers, false, {{"id", SERVE_STRING, true}}},
    {"children",
     serve_children,
     false,
     {{"relation", SERVE_STRING, true},
      {"id", SERVE_STRING, true},
      {"after", SERVE_STRING, false},
      {"before", SERVE_STRING, false},
      {"limit", SERVE_COUNT, false}}},
    {"ancestors",
     serve_ancestors,
     false,
     {{"relation", SERVE_STRING, true}, {"id", SERVE_STRING, true}}},
    {"singleton", serve_singleton, false, {{"name", SERVE_STRING, true}}},
    {"systems", serve_systems, false, {{"count", SERVE_BOOL, false}}},
    {"tables", serve_tables, false, {{NULL, 0, false}}},
    {"messages", serve_messages, false, {{"since", SERVE_COUNT, false}}},
    {"events", serve_events, false, {{"since", SERVE_COUNT, false}}},
    {"remember", serve_remember, false, {{"where", SERVE_STRING, false}}},
    {"changes",
     serve_changes,
     false,
     {{"path", SERVE_STRING, false}, {"text", SERVE_STRING, false}}},
    {"writes",
     serve_writes,
     false,
     {{"path", SERVE_STRING, true},
      {"id", SERVE_STRING, false},
      {"limit", SERVE_COUNT, false},
      {"writer", SERVE_STRING, false},
      {"by_size", SERVE_BOOL, false},
      {"offset", SERVE_COUNT, false},
      {"until", SERVE_COUNT, false}}},
    {"sums",
     serve_sums,
     false,
     {{"path", SERVE_STRING, true}, {"id", SERVE_STRING, false}, {"ticks", SERVE_COUNT, false}}},
    {"kept", serve_kept, false, {{NULL, 0, false}}},
    {"watch", serve_watch, true, {{"on", SERVE_BOOL, false}}},
    {"stops", serve_stops, false, {{NULL, 0, false}}},
    {"stop_at", serve_stop_at, true, {{"when", SERVE_STRING, true}, {"skip", SERVE_COUNT, false}}},
    {"stop_set",
     serve_stop_set,
     true,
     {{"when", SERVE_STRING, true}, {"on", SERVE_BOOL, false}, {"skip", SERVE_COUNT, false}}},
    {"stop_forget", serve_stop_forget, true, {{"when", SERVE_STRING, true}}},
    {"series", serve_series_of, false, {{"of", SERVE_STRING, true}, {"since", SERVE_COUNT, false}}},
    {"sources", serve_sources, false, {{NULL, 0, false}}},
    {"record", serve_record, false, {{"ticks", SERVE_COUNT, false}}},
    {"timeline", serve_timeline, false, {{NULL, 0, false}}},
    {"set",
     serve_set,
     true,
     {{"path", SERVE_STRING, true},
      {"value", SERVE_STRING | SERVE_NUMBER | SERVE_BOOL | SERVE_NULL, true},
      {"id", SERVE_STRING, false},
      {"to", SERVE_STRING, false}}},
    {"write", serve_write, true, {{"id", SERVE_STRING, true}, {"components", SERVE_OBJECT, true}}},
    {"add",
     serve_add_component,
     true,
     {{"id", SERVE_STRING, true}, {"component", SERVE_STRING, true}}},
    {"remove", serve_remove, true, {{"id", SERVE_STRING, true}, {"component", SERVE_STRING, true}}},
    {"spawn",
     serve_spawn,
     true,
     {{"prefab", SERVE_STRING, false},
      {"components", SERVE_OBJECT, false},
      {"parts", SERVE_OBJECT, false}}},
    {"despawn", serve_despawn, true, {{"id", SERVE_STRING, true}}},
    {"attach",
     serve_attach,
     true,
     {{"id", SERVE_STRING, true},
      {"relation", SERVE_STRING, true},
      {"parent", SERVE_STRING, true}}},
    {"detach", serve_detach, true, {{"id", SERVE_STRING, true}, {"relation", SERVE_STRING, true}}},
    {"link",
     serve_link,
     true,
     {{"id", SERVE_STRING, true},
      {"link", SERVE_STRING, true},
      {"to", SERVE_STRING, true},
      {"value", SERVE_OBJECT, false}}},
    {"unlink",
     serve_unlink,
     true,
     {{"id", SERVE_STRING, true}, {"link", SERVE_STRING, true}, {"to", SERVE_STRING, true}}},
    {"bulk",
     serve_bulk,
     true,
     {{"ids", SERVE_ARRAY, true},
      {"change", SERVE_STRING, true},
      {"path", SERVE_STRING, false},
      {"value", SERVE_STRING | SERVE_NUMBER | SERVE_BOOL | SERVE_NULL, false},
      {"component", SERVE_STRING, false}}},
    {"undo", serve_undo, true, {{"number", SERVE_COUNT, true}}},
    {"switch", serve_switch, true, {{"system", SERVE_STRING, true}, {"on", SERVE_BOOL, false}}},
    {"pause", serve_pause, true, {{"paused", SERVE_BOOL, false}}},
    {"speed", serve_speed, true, {{"speed", SERVE_NUMBER, true}}},
    {"step", serve_step, true, {{"ticks", SERVE_COUNT, false}, {"phase", SERVE_STRING, false}}},
};

static const method *method_of(const char *name)
{
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
        if (strcmp(METHODS[i].name, name) == 0) return &METHODS[i];
    }
    return NULL;
}

// Adds a refusal of the world to the messages, so that all pages see it. Methods that only read are
// left out, because a page keeps asking for an entity that was despawned.
static void note(serve_call *call, const char *name)
{
    char line[600];
    const serve_state *state = call->state;
    if (call->code != SERVE_REFUSED && call->code != SERVE_READ_ONLY) return;
    if (state->messages != 0) { // the game's log hook may have logged it already
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
    } else if (serve_params_judge(call, name, m->takes)) {
        m->run(call);
    }
    if (m->writes && call->refused) note(call, name);
    if (m->writes && !call->refused) {
        call->state->edits++;
        serve_lists_renew(call->state);
        serve_referrers_drop(call->state);
    }
}

static void add_error(serve_text *out, weft_scanned id, int code, const char *why)
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

// The members of a request. Missing members have 0 bytes.
typedef struct serve_request {
    weft_scanned id;
    weft_scanned params;
    weft_scanned names; // true: the answer has the names of all entities in it
    char method[WEFT_SCAN_NAME_MAX];
} serve_request;

static bool is_id(weft_scanned id)
{
    char kind = weft_scan_kind(id);
    return (kind == '"' || kind == '0' || kind == 'n') && id.bytes <= SERVE_ID_MAX;
}

// Reads a request of JSON-RPC. Returns false if it is not one, if a member occurs twice, or if one
// is unknown.
static bool read_request(weft_scanned value, serve_request *read)
{
    enum { VERSION = 1, ID = 2, METHOD = 4, PARAMS = 8, NAMES = 16 };
    const char *at = NULL;
    uint32_t seen = 0;
    weft_scanned member;
    for (weft_scanned name = weft_scan_next_member(value, &at, &member); name.bytes != 0;
         name = weft_scan_next_member(value, &at, &member)) {
        uint32_t bit = 0;
        if (weft_scan_is(name, "jsonrpc") && weft_scan_is(member, "2.0")) bit = VERSION;
        if (weft_scan_is(name, "id") && is_id(member)) bit = ID;
        if (weft_scan_is(name, "method") &&
            weft_scan_string(member, read->method, sizeof read->method)) {
            bit = METHOD;
        }
        if (weft_scan_is(name, "params") && weft_scan_kind(member) == '{') bit = PARAMS;
        if (weft_scan_is(name, "names") && weft_scan_kind(member) == 't') bit = NAMES;
        if (bit == 0 || (seen & bit) != 0) return false;
        seen |= bit;
        if (bit == ID) read->id = member;
        if (bit == PARAMS) read->params = member;
        if (bit == NAMES) read->names = member;
    }
    return (seen & METHOD) != 0;
}

// Runs a call. Its result follows the head of its answer.
static void answer_call(serve_call *call, const serve_request *asked, size_t start)
{
    serve_text *out = call->out;
    run_method(call, asked->method);
    if (out->used == call->result && !out->failed) serve_add(out, "true");
    if (asked->names.bytes != 0 && !call->refused) {
        serve_names_add(call->state, out, call->result);
    }
    serve_add(out, "}");
    if (out->failed && !call->refused && out->starved) {
        serve_refuse(call, SERVE_TOO_LARGE, "no memory for the answer");
    } else if (out->failed && !call->refused) {
        serve_refuse(call, SERVE_TOO_LARGE,
                     "the answer, of all of a batch, is longer than %u bytes",
                     WEFT_SERVE_ANSWER_MAX);
    }
    if (!call->refused) return;
    serve_cut(out, start);
    add_error(out, asked->id, call->code, call->why);
}

static void answer_one(serve_state *state, weft_scanned value, serve_text *out)
{
    serve_request asked = {.method = ""};
    size_t before = out->used;
    serve_add_comma(out);
    if (!read_request(value, &asked)) {
        add_error(
            out, (weft_scanned){NULL, 0}, SERVE_INVALID_REQUEST,
            "a request is an object with 'jsonrpc' (\"2.0\"), 'method', 'params' (an object), "
            "'id' and 'names' (true), each once");
        return;
    }
    size_t start = out->used;
    weft_scanned id = asked.id;
    serve_add(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    serve_add_bytes(out, id.bytes != 0 ? id.text : "null", id.bytes != 0 ? id.bytes : 4);
    serve_add(out, ",\"result\":");
    serve_call call = {.state = state,
                       .world = state->world,
                       .params = asked.params,
                       .out = out,
                       .result = out->used};
    answer_call(&call, &asked, start);
    if (id.bytes == 0) serve_cut(out, before); // a notification
}

static uint32_t count_items(weft_scanned array)
{
    uint32_t count = 0;
    const char *at = NULL;
    while (count <= SERVE_BATCH_MAX && weft_scan_next(array, &at).bytes != 0) count++;
    return count;
}

// Answers all calls of a batch. Each leaves space for the refusals of later calls, and for the
// closing bracket, so that no call is carried out without an answer.
static void answer_batch(serve_state *state, weft_scanned batch, serve_text *out)
{
    uint32_t left = count_items(batch);
    const size_t limit = out->limit;
    const char *at = NULL;
    serve_add(out, "[");
    size_t begun = out->used;
    if (left == 0 || left > SERVE_BATCH_MAX) {
        add_error(out, (weft_scanned){NULL, 0}, SERVE_INVALID_REQUEST,
                  "a batch has 1 to 64 requests");
        left = 0;
    }
    while (left-- != 0) {
        out->limit = limit - 1 - left * SERVE_REFUSAL_BYTES;
        answer_one(state, weft_scan_next(batch, &at), out);
    }
    out->limit = limit;
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
    serve_referrers_poll(state, now);
    serve_series_poll(state, now);
    serve_timeline_poll(state, now);
}

void serve_answer(serve_state *state, const char *request, size_t bytes, serve_text *answer)
{
    weft_scanned value;
    if (bytes == 0 || !weft_scan_check(request, bytes, &value)) {
        add_error(answer, (weft_scanned){NULL, 0}, SERVE_PARSE_ERROR, "this is not JSON");
    } else if (weft_scan_kind(value) == '[') {
        answer_batch(state, value, answer);
    } else {
        answer_one(state, value, answer);
    }
}
