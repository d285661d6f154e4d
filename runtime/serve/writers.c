// Last writes and stops: the calls of weft_insight.h for pages. A stop pauses the time of the game,
// and keeps the write that made it true.
#include "writers.h"

#include "../insight/place.h"
#include "../insight/watching.h"
#include "../weft_insight.h"
#include "../world/report.h"

#include <stdio.h>
#include <string.h>

#define WRITES_MAX 100u // listed for one path

// Adds what a write has added to a number, or null.
void serve_add_change(serve_text *out, double change)
{
    serve_add_name(out, "change");
    serve_add_number(out, change);
}

static void add_write(serve_call *call, const weft_write *write)
{
    static const char *const kinds[] = {"value", "added", "removed", "event", "despawned"};
    WEFT_NAMES_ALL(kinds, WEFT_WRITE_DESPAWNED);
    static const char *const rows[] = {"unknown", "one", "several"};
    WEFT_NAMES_ALL(rows, WEFT_ROWS_SEVERAL);
    char path[WEFT_WRITE_TEXT_BYTES * 2];
    serve_text *out = call->out;
    const char *dot = write->path[0] == '\0' || write->path[0] == '[' ? "" : ".";
    snprintf(path, sizeof path, "%.63s%s%s", write->owner, dot, write->path);
    serve_print(out, "{\"tick\":%llu,\"number\":%llu,\"writer\":", (unsigned long long)write->tick,
                (unsigned long long)write->number);
    serve_add_string(out, write->writer);
    serve_print(out, ",\"commands\":%s,\"kind\":\"%s\",\"id\":", write->commands ? "true" : "false",
                kinds[write->kind]);
    serve_add_handle(call, write->handle);
    serve_add_name(out, "row");
    serve_add_handle(call, write->row);
    serve_print(out, ",\"rows\":\"%s\"", rows[write->given]);
    serve_add_name(out, "path");
    serve_add_string(out, path);
    serve_add_name(out, "before");
    serve_add_string(out, write->before);
    serve_add_name(out, "after");
    serve_add_string(out, write->after);
    serve_add_change(out, write->change);
    serve_add(out, "}");
}

// Refuses a call if the world is not watched.
static bool is_watched(serve_call *call)
{
    if (call->world->observers.watching && call->world->observers.watching->tracing) return true;
    return serve_refuse(call, SERVE_REFUSED, "nothing is watched: %s, see weft_insight.h",
                        call->state->options.insight
                            ? "'watch' begins that"
                            : "the game sets weft_serve_options.insight for that, or opens its "
                              "world with weft_options.insight and .watch");
}

static bool begin_watch(serve_call *call)
{
    serve_state *state = call->state;
    if (call->world->observers.watching && call->world->observers.watching->tracing) return true;
    if (!state->options.insight) return is_watched(call);
    if (weft_watch(call->world, state->options.insight, SERVE_WRITES_KEPT) != WEFT_OK) {
        return serve_refuse_world(call);
    }
    state->watches = true;
    return true;
}

void serve_watch(serve_call *call)
{
    bool on = true;
    serve_state *state = call->state;
    const uint64_t bytes = call->world->heap.bytes;
    if (!serve_may_take_bool(call, "on", &on)) return;
    if (on && !begin_watch(call)) return;
    if (!on && !state->watches && call->world->observers.watching &&
        call->world->observers.watching->tracing) {
        serve_refuse(call, SERVE_REFUSED, "the game has enabled it with weft_options.watch");
        return;
    }
    if (!on) serve_watch_end(state);
    const uint64_t now = call->world->heap.bytes;
    serve_print(call->out, "{\"on\":%s,\"bytes\":%s%llu}", on ? "true" : "false",
                now < bytes ? "-" : "",
                (unsigned long long)(now < bytes ? bytes - now : now - bytes));
}

bool serve_take_written(serve_call *call, char path[SERVE_PATH_MAX], uint64_t *handle)
{
    weft_place_span span;
    bool of_entity = weft_scan_member(call->params, "id").bytes != 0;
    *handle = 0;
    if (!is_watched(call) || !serve_take_string(call, "path", path, SERVE_PATH_MAX) ||
        (of_entity && !serve_take_handle(call, "id", handle))) {
        return false;
    }
    if (!weft_place_find(call->world, path, &span)) return serve_refuse_world(call);
    if (!span.owner.singleton && !of_entity) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'id' is missing: '%.64s' is of an entity",
                            path);
    }
    if (span.owner.singleton && of_entity) {
        return serve_refuse(call, SERVE_INVALID_PARAMS,
                            "'%.64s' is of a singleton, which has no 'id'", path);
    }
    return true;
}

// Reads the filter of `writes`. `writer` is space for the name.
static bool take_filter(serve_call *call, weft_write_filter *filter, char writer[SERVE_PATH_MAX])
{
    double until = 0, offset = 0;
    bool named = weft_scan_member(call->params, "writer").bytes != 0;
    if (!serve_may_take_string(call, "writer", writer, SERVE_PATH_MAX) ||
        !serve_may_take_number(call, "until", 0, 9007199254740992.0, &until) ||
        !serve_may_take_number(call, "offset", 0, 4294967295.0, &offset) ||
        !serve_may_take_bool(call, "by_size", &filter->by_size)) {
        return false;
    }
    if (named) filter->writer = writer;
    filter->until = (uint64_t)until;
    filter->skip = (uint32_t)offset;
    return true;
}

void serve_writes(serve_call *call)
{
    char path[SERVE_PATH_MAX], writer[SERVE_PATH_MAX];
    uint64_t handle;
    double limit = 20;
    weft_write writes[WRITES_MAX];
    weft_write_filter filter = {.skip = 0};
    if (!serve_take_written(call, path, &handle) || !take_filter(call, &filter, writer) ||
        !serve_may_take_number(call, "limit", 1, WRITES_MAX, &limit)) {
        return;
    }
    uint32_t found = weft_find_writes(call->world, handle, path, &filter, writes, (uint32_t)limit);
    serve_add(call->out, "[");
    for (uint32_t i = 0; i < found; i++) {
        serve_add_comma(call->out);
        add_write(call, &writes[i]);
    }
    serve_add(call->out, "]");
}

void serve_kept(serve_call *call)
{
    uint64_t tick;
    if (!is_watched(call)) return;
    bool all = weft_writes_kept(call->world, &tick);
    if (tick == UINT64_MAX) {
        serve_refuse(call, SERVE_REFUSED, "there was no memory to keep writes");
        return;
    }
    serve_print(call->out, "{\"since\":%llu,\"all\":%s}", (unsigned long long)tick,
                all ? "true" : "false");
}

// ------------------------------------------------------------------------------------------------
// Stops

// Describes a write in words.
static void print_write(const weft_write *write, char *line, size_t bytes)
{
    switch (write->kind) {
    case WEFT_WRITE_ADDED:
        snprintf(line, bytes, "added %s", write->owner);
        break;
    case WEFT_WRITE_REMOVED:
        snprintf(line, bytes, "removed %s", write->owner);
        break;
    case WEFT_WRITE_EVENT:
        snprintf(line, bytes, "emitted %s: %s", write->owner, write->after);
        break;
    case WEFT_WRITE_DESPAWNED:
        snprintf(line, bytes, "despawned it");
        break;
    case WEFT_WRITE_VALUE:
        snprintf(line, bytes, "wrote %s, which was %s",
                 write->after[0] != '\0' ? write->after : "nothing",
                 write->before[0] != '\0' ? write->before : "nothing");
        break;
    }
}

// The hook of all stops. `write` has made the stop true.
static void on_stop(void *user, const weft_write *write)
{
    char line[400];
    char did[200];
    char whose[60] = "";
    serve_stop *stop = (serve_stop *)user;
    serve_state *state = stop->state;
    stop->count++;
    stop->last = *write;
    if (stop->skip != 0) {
        stop->skip--;
        return;
    }
    state->stopped++;
    state->clock.paused = true;
    print_write(write, did, sizeof did);
    if (write->row != 0) {
        const weft_handle_text row = weft_handle_as_text(state->world->plan->format, write->row);
        snprintf(whose, sizeof whose, ", in the row of %s", row.text);
    }
    snprintf(line, sizeof line, "stopped at %s: %s%s %s%s", stop->when,
             write->commands ? "commands of " : "", write->writer, did, whose);
    serve_state_log(state, line);
}

static serve_stop *stop_at(serve_state *state, const char *when)
{
    for (uint32_t i = 0; i < SERVE_STOPS_MAX; i++) {
        if (strcmp(state->stops[i].when, when) == 0) return &state->stops[i];
    }
    return NULL;
}

// Adds the state of a stop and the cost of evaluating it.
static void add_view(serve_call *call, const char *when)
{
    weft_stop_view view;
    serve_text *out = call->out;
    if (weft_stop_see(call->world, when, &view) != WEFT_OK) return;
    serve_add_name(out, "holds");
    serve_add(out, view.holds ? "true" : "false");
    serve_print(out, ",\"rows\":%llu,\"systems\":%u,\"behind\":", (unsigned long long)view.rows,
                view.systems);
    serve_add_string(out, view.behind);
    serve_add_name(out, "note");
    if (view.note[0] != '\0')
        serve_add_string(out, view.note);
    else
        serve_add(out, "null");
}

// Adds a new stop. Returns false if it is refused.
static bool add_stop(serve_call *call, const char *when)
{
    serve_state *state = call->state;
    serve_stop *stop = stop_at(state, "");
    if (!stop) {
        return serve_refuse(call, SERVE_REFUSED, "there are already %u stops: forget one first",
                            SERVE_STOPS_MAX);
    }
    if (weft_stop_at(call->world, when, on_stop, stop) != WEFT_OK) return serve_refuse_world(call);
    *stop = (serve_stop){.state = state};
    memcpy(stop->when, when, strlen(when) + 1);
    return true;
}

// Adds a stop with its counts and, if it is on, its state.
static void add_stop_view(serve_call *call, const serve_stop *stop)
{
    serve_text *out = call->out;
    serve_add(out, "{\"when\":");
    serve_add_string(out, stop->when);
    serve_print(out,
                ",\"on\":%s,\"skip\":%u,\"count\":%llu,\"last\":", stop->off ? "false" : "true",
                (unsigned)stop->skip, (unsigned long long)stop->count);
    if (stop->count != 0)
        add_write(call, &stop->last);
    else
        serve_add(out, "null");
    if (!stop->off) add_view(call, stop->when);
    serve_add(out, "}");
}

// Switches a stop on or off. Returns false if it is refused: the entity may have been despawned.
static bool switch_stop(serve_call *call, serve_stop *stop, bool on)
{
    if (on != stop->off) return true;
    if (on && weft_stop_at(call->world, stop->when, on_stop, stop) != WEFT_OK) {
        return serve_refuse_world(call);
    }
    if (!on) weft_stop_at(call->world, stop->when, NULL, NULL);
    stop->off = !on;
    return true;
}

// Reads the optional params of a stop that changes.
static bool set_stop(serve_call *call, serve_stop *stop)
{
    bool on = !stop->off;
    double skip = stop->skip;
    if (!serve_may_take_bool(call, "on", &on) ||
        !serve_may_take_number(call, "skip", 0, 1000000, &skip) || !switch_stop(call, stop, on)) {
        return false;
    }
    stop->skip = (uint32_t)skip;
    return true;
}

void serve_stop_at(serve_call *call)
{
    char when[SERVE_STOP_BYTES];
    double skip = 0;
    if (!is_watched(call) || !serve_take_string(call, "when", when, sizeof when) ||
        !serve_may_take_number(call, "skip", 0, 1000000, &skip)) {
        return;
    }
    bool known = when[0] != '\0' && stop_at(call->state, when);
    if (!known && !add_stop(call, when)) return;
    if (!switch_stop(call, stop_at(call->state, when), true)) return;
    if (set_stop(call, stop_at(call->state, when))) {
        add_stop_view(call, stop_at(call->state, when));
    }
}

// Returns the stop that the params name. Refuses the call if no page has set it.
static serve_stop *named_stop(serve_call *call)
{
    char when[SERVE_STOP_BYTES];
    if (!is_watched(call) || !serve_take_string(call, "when", when, sizeof when)) return NULL;
    serve_stop *stop = when[0] == '\0' ? NULL : stop_at(call->state, when);
    if (!stop) serve_refuse(call, SERVE_REFUSED, "the page does not stop at '%.128s'", when);
    return stop;
}

void serve_stop_set(serve_call *call)
{
    serve_stop *stop = named_stop(call);
    if (stop && set_stop(call, stop)) add_stop_view(call, stop);
}

static void forget_stop(serve_state *state, serve_stop *stop)
{
    if (!stop->off) weft_stop_at(state->world, stop->when, NULL, NULL);
    stop->when[0] = '\0';
}

void serve_stop_forget(serve_call *call)
{
    serve_stop *stop = named_stop(call);
    if (stop) forget_stop(call->state, stop);
}

void serve_watch_end(serve_state *state)
{
    for (uint32_t i = 0; i < SERVE_STOPS_MAX; i++) {
        if (state->stops[i].when[0] == '\0') continue;
        forget_stop(state, &state->stops[i]);
    }
    if (state->watches) weft_watch(state->world, state->options.insight, 0);
    state->watches = false;
}

void serve_stops(serve_call *call)
{
    const serve_state *state = call->state;
    if (!is_watched(call)) return;
    serve_add(call->out, "[");
    for (uint32_t i = 0; i < SERVE_STOPS_MAX; i++) {
        const serve_stop *stop = &state->stops[i];
        if (stop->when[0] == '\0') continue;
        serve_add_comma(call->out);
        add_stop_view(call, stop);
    }
    serve_add(call->out, "]");
}
