// The world as a whole: counters, time, systems, memory, messages.
#include "state.h"

#include "series.h"

#include "../insight/watching.h"
#include "../run/held.h"
#include "../run/lifecycle.h"
#include "../run/sampler.h"
#include "../run/system.h"
#include "../store/tables.h"
#include "../weft_reflect.h"
#include "../world/report.h"
#include "../world/rows.h"

#include <math.h>
#include <string.h>

static void add_number(serve_text *out, const char *name, uint64_t number)
{
    serve_add_name(out, name);
    serve_print(out, "%llu", (unsigned long long)number);
}

static void add_bool(serve_text *out, const char *name, bool value)
{
    serve_add_name(out, name);
    serve_add(out, value ? "true" : "false");
}

// ------------------------------------------------------------------------------------------------
// Systems that are switched off

// Returns the switch that the schema gives a system, or NULL.
static bool *switch_of(const weft_world *world, uint32_t system)
{
    const weft_plan *plan = world->plan;
    for (uint32_t i = 0; i < plan->switch_count + plan->unsaved_switch_count; i++) {
        if (plan->switch_systems[i] == system) return &weft_world_switches(world)[i];
    }
    return NULL;
}

// Returns whether a system has its turns: by its switch, or if it has none, unless a page has
// switched it off.
static bool is_on(const weft_world *world, uint32_t system)
{
    const bool *off = switch_of(world, system);
    return off ? !*off : !weft_system_is_held(world, system);
}

// Adds the names of the systems that are switched off, or of the first of them.
static void add_off(serve_call *call)
{
    const weft_schema *schema = call->world->plan->schema;
    uint32_t count = 0;
    serve_add_name(call->out, "off");
    serve_add(call->out, "[");
    for (uint32_t i = 0; i < schema->system_count; i++) {
        if (is_on(call->world, i) || count++ >= SERVE_OFF_MAX) continue;
        serve_add_comma(call->out);
        serve_add_string(call->out, schema->systems[i].name);
    }
    serve_add(call->out, "]");
    add_number(call->out, "off_count", count);
}

// ------------------------------------------------------------------------------------------------
// Counters and time

// Adds the phase that ran last, if phases were stepped and their tick has not ended.
static void add_phase(serve_call *call)
{
    const serve_state *state = call->state;
    serve_add_name(call->out, "phase");
    if (state->phase != 0 && state->phase_tick == call->world->tick)
        serve_print(call->out, "%u", state->phase - 1);
    else
        serve_add(call->out, "null");
}

void serve_stats(serve_call *call)
{
    serve_text *out = call->out;
    const serve_state *state = call->state;
    weft_stats stats = weft_world_stats(call->world);
    serve_add(out, "{\"world\":");
    serve_add_string(out, call->world->plan->schema->name);
    add_number(out, "tick", call->world->tick);
    add_bool(out, "writable", state->options.writable);
    add_bool(out, "can_step", state->options.writable && state->options.tick != NULL);
    add_bool(out, "can_step_phase", state->options.writable && state->options.phase != NULL);
    add_bool(out, "watched",
             call->world->observers.watching && call->world->observers.watching->tracing);
    add_bool(out, "can_watch", state->options.writable && state->options.insight != NULL);
    add_bool(out, "remembered", state->memory != NULL);
    add_bool(out, "can_end_watch", state->options.writable && state->watches);
    add_bool(out, "paused", state->clock.paused);
    add_number(out, "stopped", state->stopped);
    add_phase(call);
    serve_add_name(out, "speed");
    serve_add_number(out, state->clock.speed);
    add_number(out, "entities", stats.entities);
    add_number(out, "indices", stats.indices);
    add_number(out, "indices_free", stats.indices_free);
    add_number(out, "indices_retired", stats.indices_retired);
    add_number(out, "tables", stats.tables);
    add_number(out, "workers", stats.workers);
    add_number(out, "bytes", stats.bytes_allocated);
    add_number(out, "ticks_dropped", stats.ticks_dropped);
    add_number(out, "commands_dropped", stats.commands_dropped);
    add_number(out, "commands_lost", stats.commands_lost);
    add_number(out, "events_lost", stats.events_lost);
    add_number(out, "messages", state->messages);
    add_number(out, "started", state->started);
    add_off(call);
    add_number(out, "edits", state->edits);
    serve_add(out, "}");
}

double serve_state_seconds(const serve_state *state, double seconds)
{
    return state->clock.paused ? 0 : seconds * state->clock.speed;
}

void serve_pause(serve_call *call)
{
    bool paused = true;
    if (serve_may_take_bool(call, "paused", &paused)) call->state->clock.paused = paused;
}

void serve_speed(serve_call *call)
{
    serve_may_take_number(call, "speed", 0.01, 1000, &call->state->clock.speed);
}

static void step_phase(serve_call *call)
{
    uint32_t phase;
    const weft_schema *schema = call->world->plan->schema;
    const weft_serve_options *options = &call->state->options;
    weft_names phases = WEFT_NAMES("phase", NULL, schema->phases, schema->phase_count);
    if (!serve_take_name(call, "phase", phases, &phase)) return;
    if (!options->phase) {
        serve_refuse(call, SERVE_REFUSED, "this game runs no single phases");
        return;
    }
    call->state->clock.paused = true;
    weft_profiler_sample_phase(call->world, phase);
    if (options->phase(options->user, phase) != WEFT_OK) serve_refuse_world(call);
    call->state->phase = phase + 1 < schema->phase_count ? phase + 1 : 0; // the last one ends it
    call->state->phase_tick = call->world->tick;
}

static void step_ticks(serve_call *call, uint64_t *done)
{
    double ticks = 1;
    const weft_serve_options *options = &call->state->options;
    double start = serve_now();
    const uint64_t stopped = call->state->stopped;
    if (!serve_may_take_number(call, "ticks", 1, 1000000, &ticks)) return;
    if (!options->tick) {
        serve_refuse(call, SERVE_REFUSED, "this game does not let others run its ticks");
        return;
    }
    call->state->clock.paused = true;
    while (*done < (uint64_t)ticks && (*done == 0 || serve_now() - start < SERVE_STEP_SECONDS)) {
        weft_profiler_sample(call->world, ticks == 1);
        if (options->tick(options->user) != WEFT_OK) {
            serve_refuse_world(call);
            return;
        }
        (*done)++;
        serve_series_tick(call->state);
        if (call->state->stopped != stopped) return;
    }
}

void serve_step(serve_call *call)
{
    uint64_t done = 0;
    const uint64_t stopped = call->state->stopped;
    bool of_phase = weft_scan_member(call->params, "phase").bytes != 0;
    if (of_phase && weft_scan_member(call->params, "ticks").bytes != 0)
        serve_refuse(call, SERVE_INVALID_PARAMS, "a step is of 'ticks' or of a 'phase', not both");
    else if (of_phase)
        step_phase(call);
    else
        step_ticks(call, &done);
    serve_print(call->out, "{\"ticks\":%llu,\"tick\":%llu,\"stopped\":%s}",
                (unsigned long long)done, (unsigned long long)call->world->tick,
                call->state->stopped != stopped ? "true" : "false");
}

// ------------------------------------------------------------------------------------------------
// Systems

static const char *switch_words(const weft_world *world, uint32_t system)
{
    const bool *off = switch_of(world, system);
    bool saved = off && off - weft_world_switches(world) < world->plan->switch_count;
    return saved ? "saved" : off ? "unsaved" : "none";
}

// Adds the numbers of the systems that wait for a system.
static void add_followers(serve_text *out, const weft_system_plan *system)
{
    serve_add(out, ",\"before\":[");
    for (uint32_t i = 0; i < system->follower_count; i++) {
        serve_add_comma(out);
        serve_print(out, "%u", system->followers[i]);
    }
    serve_add(out, "]");
}

// Returns whether commands are applied in a phase directly before a system: it begins a segment,
// and the system before it is in the same phase.
static bool is_behind_flush(const weft_plan *plan, uint32_t system)
{
    const weft_system_info *info = &plan->schema->systems[system];
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        const weft_segment_plan *segment = &plan->segments[i];
        if (segment->first == system && segment->system_count != 0) {
            return system != 0 && info[-1].phase == info->phase;
        }
    }
    return false;
}

// Adds the counts of a system's turns, if they are counted.
static void add_counts(serve_call *call, uint32_t system)
{
    const weft_world *world = call->world;
    if (!world->profiler && !world->observers.sampler) return;
    weft_system_stats stats = weft_world_system_stats(world, system);
    add_number(call->out, "ticks", weft_profiler_ticks(world));
    add_number(call->out, "one_in", world->observers.sampler ? WEFT_SAMPLE_TICKS : 1);
    add_number(call->out, "turns", stats.turns);
    add_number(call->out, "rows", stats.rows);
    add_number(call->out, "ns", stats.ns);
    add_number(call->out, "commands", stats.commands);
    add_number(call->out, "events", stats.events);
}

static void count_turns(serve_call *call)
{
    if (!weft_profiler_count(call->world, true)) return;
    weft_profiler_sample(call->world, false);
    call->state->counted = serve_now();
}

void serve_turns_poll(serve_state *state, double now)
{
    bool rests = now - state->counted >= SERVE_COUNT_SECONDS;
    if (state->counted == 0) return;
    if (!rests) weft_profiler_sample(state->world, false);
    if (rests && weft_profiler_count(state->world, false)) state->counted = 0;
}

void serve_systems(serve_call *call)
{
    const weft_plan *plan = call->world->plan;
    serve_text *out = call->out;
    bool count = false;
    if (!serve_may_take_bool(call, "count", &count)) return;
    if (count) count_turns(call);
    serve_add(out, "[");
    for (uint32_t i = 0; i < plan->schema->system_count; i++) {
        const weft_system_info *system = &plan->schema->systems[i];
        serve_add_comma(out);
        serve_add(out, "{\"name\":");
        serve_add_string(out, system->name);
        add_number(out, "phase", system->phase);
        add_bool(out, "flush", is_behind_flush(plan, i));
        if (i < plan->system_count) add_followers(out, &plan->systems[i]);
        add_bool(out, "on", is_on(call->world, i));
        serve_print(out, ",\"switch\":\"%s\"", switch_words(call->world, i));
        add_counts(call, i);
        serve_add(out, "}");
    }
    serve_add(out, "]");
}

void serve_switch(serve_call *call)
{
    uint32_t system;
    bool on = true;
    const weft_schema *schema = call->world->plan->schema;
    weft_names systems = WEFT_NAMES("system", NULL, schema->systems, schema->system_count);
    if (!serve_take_name(call, "system", systems, &system) ||
        !serve_may_take_bool(call, "on", &on)) {
        return;
    }
    bool *off = switch_of(call->world, system);
    if (off) {
        *off = !on;
        return;
    }
    call->state->holds = true;
    if (!weft_system_hold(call->world, system, !on)) {
        serve_refuse(call, SERVE_REFUSED, "'%s' cannot be switched now: %s",
                     schema->systems[system].name,
                     weft_world_is_running(call->world) ? "a phase runs" : "there is no memory");
    }
}

void serve_let_go(serve_state *state)
{
    if (state->holds) weft_systems_let_go(state->world);
}

// ------------------------------------------------------------------------------------------------
// Memory

static void add_table(serve_call *call, const weft_table *table)
{
    const weft_schema *schema = call->world->plan->schema;
    serve_text *out = call->out;
    serve_add_comma(out);
    serve_add(out, "{\"components\":[");
    for (uint32_t i = 0; i < schema->component_count; i++) {
        if (!weft_set_has(table->set, i)) continue;
        serve_add_comma(out);
        serve_add_string(out, schema->components[i].name);
    }
    serve_add(out, "]");
    add_number(out, "rows", table->count);
    add_number(out, "capacity", table->capacity);
    add_number(out, "bytes", table->rows_bytes);
    serve_add(out, "}");
}

static void add_store(serve_call *call, uint32_t store)
{
    const weft_plan *plan = call->world->plan;
    const weft_sparse *sparse = &call->world->sparse[store];
    serve_text *out = call->out;
    serve_add_comma(out);
    serve_add(out, "{\"component\":");
    serve_add_string(out, plan->schema->components[plan->sparse_components[store]].name);
    add_number(out, "rows", weft_sparse_count(sparse));
    add_number(out, "capacity", sparse->capacity);
    add_number(out, "bytes", (uint64_t)sparse->capacity * (sparse->size + sizeof(uint32_t)));
    serve_add(out, "}");
}

static void add_index(serve_call *call, const weft_index_info *one)
{
    const weft_component_info *of = &call->world->plan->schema->components[one->component];
    static const char *const kinds[] = {"grid", "hash", "ordered"};
    WEFT_NAMES_ALL(kinds, WEFT_INDEX_ORDERED);
    weft_index_stats stats = weft_index_stats_by_name(call->world, one->name);
    serve_text *out = call->out;
    serve_add_comma(out);
    serve_add(out, "{\"name\":");
    serve_add_string(out, one->name);
    serve_print(out, ",\"kind\":\"%s\",\"of\":", kinds[one->kind]);
    serve_add_string(out, of->name);
    serve_add(out, ",\"fields\":[");
    for (uint32_t i = 0; i < one->field_count; i++) {
        serve_add_comma(out);
        serve_add_string(out, of->fields[one->fields[i]].name);
    }
    serve_add(out, "]");
    add_bool(out, "made", stats.made);
    add_number(out, "rows", stats.entities);
    add_number(out, "bytes", stats.bytes);
    serve_add(out, "}");
}

void serve_tables(serve_call *call)
{
    const weft_schema *schema = call->world->plan->schema;
    const weft_query *all = &call->world->lists.every_table;
    serve_add(call->out, "{\"tables\":[");
    for (uint32_t i = 0; i < all->count; i++) add_table(call, all->tables[i]);
    serve_add(call->out, "],\"sparse\":[");
    for (uint32_t i = 0; i < call->world->plan->sparse_count; i++) add_store(call, i);
    serve_add(call->out, "],\"indexes\":[");
    for (uint32_t i = 0; i < schema->index_count; i++) add_index(call, &schema->indexes[i]);
    serve_add(call->out, "]");
    add_number(call->out, "bytes", call->world->heap.bytes);
    serve_add(call->out, "}");
}

// ------------------------------------------------------------------------------------------------
// Messages

void serve_messages(serve_call *call)
{
    double since = 0;
    const serve_state *state = call->state;
    if (!serve_may_take_number(call, "since", 0, 9007199254740992.0, &since)) return;
    uint64_t first = (uint64_t)since;
    if (state->messages > first + WEFT_SERVE_MESSAGES_MAX) {
        first = state->messages - WEFT_SERVE_MESSAGES_MAX;
    }
    serve_add(call->out, "[");
    for (uint64_t i = first; i < state->messages; i++) {
        const serve_message *message = &state->kept[i % WEFT_SERVE_MESSAGES_MAX];
        serve_add_comma(call->out);
        serve_print(call->out,
                    "{\"number\":%llu,\"tick\":%llu,\"text\":", (unsigned long long)message->number,
                    (unsigned long long)message->tick);
        serve_add_string(call->out, message->text);
        serve_add(call->out, "}");
    }
    serve_add(call->out, "]");
}
