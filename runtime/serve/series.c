// Series: their texts, samples and jumps.
#include "series.h"

#include "../insight/place.h"
#include "../insight/watching.h"
#include "../value/fields.h"
#include "../world/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 4096u   // kept of each series
#define JUMPS_MAX 64u      // kept of each series
#define JUMP_TIMES 4.0     // a jump is larger than the mean change this many times
#define MEAN_POINTS 32u    // over which the mean change is taken, roughly
#define LEAST_CHANGES 8u   // that are known before a jump is reported
#define PIECE_ROWS 4096u   // tested between two looks at the clock
#define CREDIT_SHARE 0.01  // of the time, for all aggregates together
#define ASKED_SECONDS 10.0 // a series that was not requested for this long is dropped
#define TEXT_BYTES SERVE_EXPRESSION_MAX

typedef struct point {
    uint64_t tick;
    double value; // NAN if the value is missing
} point;

// A change that is large beside the changes before it.
typedef struct jump {
    uint64_t number; // of its point
    uint64_t from;   // ticks of the points around it
    uint64_t to;
    double change;
    bool known;         // `writer` was looked for
    const char *writer; // who changed the value most; NULL if that is not known
    bool commands;
    double by_writer; // its sum
} jump;

typedef struct serve_series {
    char of[TEXT_BYTES];
    double asked; // time of the last request; 0 if this place is free
    // One value; `path` is also that of an aggregate whose jumps have writers.
    char path[SERVE_PATH_MAX];
    weft_place_span span;
    weft_number_kind kind; // of the value
    bool jumps_count;      // enums and bools have no jumps
    uint64_t handle;       // 0 for a singleton
    void *plain;           // space for its component
    bool in_item;          // of an array or list, so that it may not exist
    serve_valued of_row;   // the value of an entity that is not in an item
    // An aggregate.
    bool many;
    serve_aggregate aggregate;
    bool passes;    // a pass is under way
    uint64_t since; // tick in which the pass began
    // The samples.
    uint64_t tick; // of the last sample
    uint64_t count;
    uint32_t changes; // between points that the mean is of
    double mean;      // size of these changes; the last ones count most
    uint64_t jump_count;
    jump jumps[JUMPS_MAX];
    point points[POINTS_MAX];
} serve_series;

static point *point_at(serve_series *s, uint64_t number)
{
    return &s->points[number % POINTS_MAX];
}

static uint64_t first_point(const serve_series *s)
{
    return s->count > POINTS_MAX ? s->count - POINTS_MAX : 0;
}

// ------------------------------------------------------------------------------------------------
// Samples

static double number_at(const serve_series *s, const void *value)
{
    const weft_number n = weft_number_load(s->kind, value, s->span.leaf.bytes);
    if (s->kind == WEFT_FLOAT) return n.f64;
    return s->kind == WEFT_SIGNED ? (double)n.i64 : (double)n.u64;
}

// Returns the plain struct that contains the value of a series, or NULL.
static const unsigned char *struct_of(const weft_world *world, const serve_series *s)
{
    const weft_plan *plan = world->plan;
    const weft_owner owner = s->span.owner;
    weft_place at;
    if (owner.singleton) {
        return (const unsigned char *)world + plan->schema->singletons[owner.of].offset;
    }
    if (!weft_find(&world->entities, plan->format, s->handle, &at)) return NULL;
    const weft_table *table = world->tables.items[at.table];
    if (!weft_row_has(plan, table, at.row, owner.of)) return NULL;
    return (const unsigned char *)weft_row_value(world, table, at.row, owner.of, s->plain);
}

// Returns the value of a component without copying it. Most values are like this.
static double row_value(const weft_world *world, const serve_series *s)
{
    weft_place at;
    if (!weft_find(&world->entities, world->plan->format, s->handle, &at)) return NAN;
    const unsigned char *found = serve_valued_find(world, &s->of_row, s->handle, at);
    return found ? number_at(s, found) : NAN;
}

// Returns a value that needs its whole struct: of a singleton, a relation, or an item.
WEFT_COLD static double struct_value(const weft_world *world, const serve_series *s)
{
    const weft_schema *schema = world->plan->schema;
    const unsigned char *plain = struct_of(world, s);
    if (!plain) return NAN;
    if (s->in_item &&
        !weft_leaf_exists(schema, weft_owner_fields(schema, s->span.owner), plain, s->span.first)) {
        return NAN;
    }
    return number_at(s, plain + s->span.first);
}

static double one_value(const weft_world *world, const serve_series *s)
{
    return s->of_row.program ? row_value(world, s) : struct_value(world, s);
}

// Finds who has changed the value most between the two points of a jump. Writes are stored only
// while the world is watched, and only the last ones.
static void find_writer(weft_world *world, const serve_series *s, jump *j)
{
    weft_write_sum sums[8];
    const weft_watching *watching = world->observers.watching;
    if (j->known || s->path[0] == '\0' || !watching || !watching->tracing) return;
    j->known = true;
    uint32_t found = weft_sum_writes(world, s->handle, s->path, j->from, j->to, sums,
                                     sizeof sums / sizeof *sums);
    if (found > sizeof sums / sizeof *sums) found = sizeof sums / sizeof *sums;
    for (uint32_t i = 0; i < found; i++) {
        if (sums[i].path[0] == '\0' || sums[i].change * j->change <= 0) continue;
        j->writer = sums[i].writer;
        j->commands = sums[i].commands;
        j->by_writer = sums[i].change;
        return;
    }
}

// Adds a change to the mean of the last ones. Returns whether it is a jump.
static bool count_change(serve_series *s, double change)
{
    if (!isfinite(change) || !s->jumps_count) return false;
    const double size = fabs(change);
    const bool jumps = size > JUMP_TIMES * s->mean && s->changes >= LEAST_CHANGES;
    if (s->changes < MEAN_POINTS) s->changes++;
    s->mean += (size - s->mean) / s->changes;
    return jumps;
}

// Adds the jump to the next point. Its writer is looked for now, because old writes are dropped.
WEFT_COLD static void add_jump(weft_world *world, serve_series *s, uint64_t tick, double change)
{
    jump *j = &s->jumps[s->jump_count++ % JUMPS_MAX];
    const uint64_t from = point_at(s, s->count - 1)->tick;
    *j = (jump){.number = s->count, .from = from, .to = tick, .change = change};
    find_writer(world, s, j);
}

static void add_point(weft_world *world, serve_series *s, uint64_t tick, double value)
{
    if (s->count != 0) {
        const double change = value - point_at(s, s->count - 1)->value;
        if (count_change(s, change)) add_jump(world, s, tick, change);
    }
    *point_at(s, s->count++) = (point){tick, value};
    s->tick = tick;
}

// Continues the pass of an aggregate as far as this poll allows.
static void work_on_pass(serve_state *state, serve_series *s)
{
    const double begun = serve_now();
    double now = begun;
    uint32_t piece = 1;
    if (state->slice_end == 0) state->slice_end = now + SERVE_SLICE_SECONDS;
    while (piece != 0 && state->rows_left != 0 && now < state->slice_end) {
        piece = serve_aggregate_run(state->world, &s->aggregate, PIECE_ROWS);
        state->rows_left -= piece < state->rows_left ? piece : state->rows_left;
        now = serve_now();
    }
    state->series_credit -= now - begun;
    if (piece != 0) return;
    s->passes = false;
    add_point(state->world, s, s->since, serve_aggregate_value(&s->aggregate));
}

WEFT_COLD static void sample_many(serve_state *state, serve_series *s)
{
    if (!s->passes) {
        bool known = s->count != 0 && s->tick == state->world->tick;
        bool late = state->slice_end != 0 && serve_now() >= state->slice_end;
        if (known || state->series_credit <= 0 || late || state->rows_left == 0) return;
        serve_aggregate_begin(state->world, &s->aggregate);
        s->since = state->world->tick;
        s->passes = true;
    }
    work_on_pass(state, s);
}

// Forgets all points. A load may set the tick back, and they then belong to another run of the
// world.
WEFT_COLD static void restart(serve_series *s)
{
    s->count = s->jump_count = 0;
    s->mean = 0;
    s->changes = 0;
    s->passes = false;
}

static void sample(serve_state *state, serve_series *s)
{
    const uint64_t tick = state->world->tick;
    if (s->count != 0 && tick < s->tick) restart(s);
    if (s->many)
        sample_many(state, s);
    else if (s->count == 0 || tick != s->tick)
        add_point(state->world, s, tick, one_value(state->world, s));
}

static void drop_series(serve_state *state, uint32_t i)
{
    serve_series *s = state->series[i];
    serve_aggregate_close(state->world, &s->aggregate);
    serve_valued_close(state->world, &s->of_row);
    free(s->plain);
    free(s);
    state->series[i] = state->series[--state->series_count];
}

// Samples all series. The series that begins changes, so that each aggregate gets its share.
static void sample_all(serve_state *state, double now)
{
    const double passed = now - state->series_looked;
    if (passed > 0) state->series_credit += passed * CREDIT_SHARE;
    if (state->series_credit > SERVE_SLICE_SECONDS) state->series_credit = SERVE_SLICE_SECONDS;
    state->series_looked = now;
    state->series_turn++;
    for (uint32_t i = 0; i < state->series_count; i++) {
        sample(state, state->series[(state->series_turn + i) % state->series_count]);
    }
}

void serve_series_poll(serve_state *state, double now)
{
    for (uint32_t i = state->series_count; i-- != 0;) {
        if (now - state->series[i]->asked > ASKED_SECONDS) drop_series(state, i);
    }
    if (state->series_count != 0) sample_all(state, now);
}

void serve_series_tick(serve_state *state)
{
    if (state->series_count == 0) return;
    state->rows_left = SERVE_SLICE_ROWS; // a slice for each tick, as if each had its own poll
    state->slice_end = 0;
    sample_all(state, serve_now());
}

void serve_series_close(serve_state *state)
{
    while (state->series_count != 0) drop_series(state, state->series_count - 1);
}

// ------------------------------------------------------------------------------------------------
// Texts

// Reads the path and the handle of `stock.amount[bread] of 9:4`, or the path of a singleton.
static bool read_one(serve_call *call, serve_series *s)
{
    static const char of[] = " of ";
    const weft_schema *schema = call->world->plan->schema;
    const char *behind = strstr(s->of, of);
    const size_t length = behind ? (size_t)(behind - s->of) : strlen(s->of);
    const char *handle = behind ? behind + sizeof of - 1 : "";
    if (length >= sizeof s->path) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'of': the path is too long");
    }
    snprintf(s->path, sizeof s->path, "%.*s", (int)length, s->of);
    if (!weft_place_find(call->world, s->path, &s->span)) return serve_refuse_world(call);
    s->in_item = strchr(s->path, '[') != NULL;
    if (!s->span.leaf.field || weft_kind_of(s->span.leaf.type) == WEFT_NO_NUMBER) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'of': '%.64s' is not a number", s->path);
    }
    s->kind = weft_kind_of(s->span.leaf.type);
    s->jumps_count = weft_type_is_number(s->span.leaf.type);
    if (s->span.owner.singleton) {
        return !behind ||
               serve_refuse(call, SERVE_INVALID_PARAMS,
                            "'of': '%.64s' is of a singleton, which has no handle", s->path);
    }
    if (!weft_handle_from_text(call->world->plan->format, handle, strlen(handle), &s->handle)) {
        return serve_refuse(call, SERVE_INVALID_PARAMS,
                            "'of': '%.64s' is of an entity: add ' of ' and its index:generation",
                            s->path);
    }
    if (!s->in_item && !s->span.owner.relation) {
        return serve_valued_open(call, "of", s->path, &s->of_row);
    }
    s->plain = malloc(schema->components[s->span.owner.of].size + 1u);
    return s->plain || serve_refuse(call, SERVE_TOO_LARGE, "no memory for a series");
}

static bool read_series(serve_call *call, serve_series *s)
{
    s->many = serve_aggregate_open(call, s->of, &s->aggregate);
    if (call->refused) return false;
    if (!s->many) return read_one(call, s);
    s->jumps_count = true;
    const bool of_all = s->aggregate.kind == SERVE_SUM_OF && s->aggregate.of_all;
    if (of_all) snprintf(s->path, sizeof s->path, "%s", s->of + sizeof "sum of " - 1);
    return true;
}

// Returns the series of a text, which begins now if it is new. Returns NULL if it is refused.
static serve_series *series_of(serve_call *call, const char *of)
{
    serve_state *state = call->state;
    for (uint32_t i = 0; i < state->series_count; i++) {
        if (strcmp(state->series[i]->of, of) == 0) return state->series[i];
    }
    if (state->series_count == SERVE_SERIES_MAX) {
        serve_refuse(call, SERVE_REFUSED,
                     "there are already %u charts: close one, and wait some seconds",
                     SERVE_SERIES_MAX);
        return NULL;
    }
    serve_series *s = (serve_series *)calloc(1, sizeof *s);
    if (!s) {
        serve_refuse(call, SERVE_TOO_LARGE, "no memory for a series");
        return NULL;
    }
    snprintf(s->of, sizeof s->of, "%s", of);
    if (state->series_count == 0) state->series_credit = SERVE_SLICE_SECONDS;
    if (state->series_count == 0) state->series_looked = serve_now();
    state->series[state->series_count++] = s;
    if (read_series(call, s)) return s;
    drop_series(state, state->series_count - 1);
    return NULL;
}

// ------------------------------------------------------------------------------------------------
// Answers

static void write_jump(serve_call *call, const jump *j)
{
    serve_text *out = call->out;
    serve_add_comma(out);
    serve_print(out, "{\"number\":%llu,\"from\":%llu,\"to\":%llu,\"change\":",
                (unsigned long long)j->number, (unsigned long long)j->from,
                (unsigned long long)j->to);
    serve_add_number(out, j->change);
    serve_add_name(out, "writer");
    if (j->writer)
        serve_add_string(out, j->writer);
    else
        serve_add(out, "null");
    serve_print(out, ",\"commands\":%s,\"by_writer\":", j->commands ? "true" : "false");
    serve_add_number(out, j->writer ? j->by_writer : NAN);
    serve_add(out, "}");
}

static void write_series(serve_call *call, serve_series *s, uint64_t first)
{
    serve_text *out = call->out;
    serve_print(out, "{\"tick\":%llu,\"next\":%llu,\"first\":%llu,\"points\":[",
                (unsigned long long)call->world->tick, (unsigned long long)s->count,
                (unsigned long long)first_point(s));
    for (uint64_t i = first; i < s->count; i++) {
        serve_add_comma(out);
        serve_print(out, "[%llu,", (unsigned long long)point_at(s, i)->tick);
        serve_add_number(out, point_at(s, i)->value);
        serve_add(out, "]");
    }
    serve_add(out, "],\"jumps\":[");
    const uint64_t dropped = s->jump_count > JUMPS_MAX ? s->jump_count - JUMPS_MAX : 0;
    for (uint64_t i = dropped; i < s->jump_count; i++) {
        jump *j = &s->jumps[i % JUMPS_MAX];
        if (j->number < first) continue;
        find_writer(call->world, s, j);
        write_jump(call, j);
    }
    serve_add(out, "]}");
}

void serve_series_of(serve_call *call)
{
    static WEFT_THREAD_LOCAL char of[TEXT_BYTES]; // too large for a stack
    double since = 0;
    if (!serve_take_string(call, "of", of, sizeof of) ||
        !serve_may_take_number(call, "since", 0, 9007199254740992.0, &since)) {
        return;
    }
    serve_series *s = series_of(call, of);
    if (!s) return;
    s->asked = serve_now();
    sample(call->state, s);
    uint64_t first = (uint64_t)since;
    if (first > s->count || first < first_point(s)) first = first_point(s);
    write_series(call, s, first);
}
