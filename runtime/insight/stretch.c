// Opens what is kept of a world that is looked into, and cuts time into stretches of one writer.
#include "check.h"
#include "stop.h"
#include "trace.h"

#include "../base/bits.h"

#include <string.h>

// Adds what a system or a query may write.
static void add_written(const weft_schema *schema, uint64_t *set, const weft_access *access,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        weft_access_kind kind = access[i].kind;
        if (kind == WEFT_ACCESS_WRITE || kind == WEFT_ACCESS_LOOKUP_WRITE) {
            weft_set_add(set, access[i].of);
        } else if (kind == WEFT_ACCESS_SINGLETON_WRITE) {
            weft_set_add(set, schema->component_count + access[i].of);
        } else if (kind == WEFT_ACCESS_QUERY) {
            const weft_query_info *query = &schema->queries[access[i].of];
            add_written(schema, set, query->access, query->access_count);
        }
    }
}

// The numbers of two sets behind those of systems: what commands write, and all there is.
#define SET_OF_ENTITIES(schema) ((schema)->system_count)
#define SET_OF_ALL(schema) ((schema)->system_count + 1)

static uint64_t *set_of(const weft_watching *w, uint32_t system)
{
    return w->written + (size_t)system * w->set_words;
}

static void find_written(weft_watching *w, const weft_schema *schema)
{
    for (uint32_t i = 0; i < schema->system_count; i++) {
        const weft_system_info *system = &schema->systems[i];
        add_written(schema, set_of(w, i), system->access, system->access_count);
    }
    for (uint32_t i = 0; i < schema->component_count; i++) {
        weft_set_add(set_of(w, SET_OF_ENTITIES(schema)), i);
    }
    memset(set_of(w, SET_OF_ALL(schema)), 0xFF, w->set_words * sizeof(uint64_t));
}

static size_t largest_plain(const weft_schema *schema)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < schema->component_count; i++) {
        if (schema->components[i].size > bytes) bytes = schema->components[i].size;
    }
    return bytes;
}

bool weft_insight_open(weft_world *world, const weft_options *options)
{
    const weft_schema *schema = world->plan->schema;
    weft_heap *heap = &world->heap;
    weft_watching *w = (weft_watching *)weft_allocate_zeroed(heap, sizeof *w);
    if (!w) return false;
    world->watching = w;
    w->checks = options->checks;
    w->stops = options->checks_stop;
    w->set_words = weft_bits_words(schema->component_count + schema->singleton_count);
    size_t words = ((size_t)schema->system_count + 2) * w->set_words;
    w->plain_bytes = largest_plain(schema);
    if (!weft_array_open(heap, &w->written, words, sizeof *w->written) ||
        !weft_array_open(heap, &w->plain, w->plain_bytes, 1) ||
        !weft_array_open(heap, &w->checking, world->insight->check_count, sizeof *w->checking)) {
        return false;
    }
    find_written(w, schema);
    return options->watch == 0 || weft_tracing_open(world, options->watch);
}

void weft_insight_close(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    weft_watching *w = world->watching;
    weft_heap *heap = &world->heap;
    if (!w) return;
    size_t words = ((size_t)schema->system_count + 2) * w->set_words;
    weft_tracing_close(world);
    weft_stops_close(world);
    for (uint32_t i = 0; w->checking && i < world->insight->check_count; i++) {
        weft_region_free(heap, &w->checking[i].broken);
    }
    weft_free(heap, w->checking, world->insight->check_count * sizeof *w->checking);
    weft_free(heap, w->plain, w->plain_bytes);
    weft_free(heap, w->written, words * sizeof *w->written);
    weft_free(heap, w, sizeof *w);
    world->watching = NULL;
}

// Returns the number of the system that has a name. Systems have their turns in their order.
static uint32_t system_named(weft_watching *w, const weft_schema *schema, const char *name)
{
    for (uint32_t i = 0; i < schema->system_count; i++) {
        uint32_t system = (w->next + i) % schema->system_count;
        if (strcmp(schema->systems[system].name, name) == 0) {
            w->next = system + 1;
            return system;
        }
    }
    return SET_OF_ALL(schema);
}

// Says whether nothing can have written in the stretch at hand: that of the game between two phases
// of a tick.
static bool is_empty(const weft_world *world)
{
    const weft_watching *w = world->watching;
    bool in_tick = w->begun_in == world->tick + 1 && world->ticking == w->begun_in;
    return !w->writer && !w->commands && in_tick && !world->insight->has_states;
}

// Looks at what the writer of the stretch at hand may have written.
static void end_stretch(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    weft_watching *w = world->watching;
    bool turn = w->writer && !w->commands;
    bool loaded = turn && strcmp(w->writer, WEFT_LOAD_WRITES) == 0;
    uint32_t number = w->commands ? SET_OF_ENTITIES(schema) : SET_OF_ALL(schema);
    if (turn) number = system_named(w, schema, w->writer);
    const uint64_t *set = set_of(w, number);
    if (w->tracing) weft_tracing_look(world, set, number >= SET_OF_ENTITIES(schema));
    if (w->checks && loaded) weft_checks_forget(world);
    if (w->checks) weft_checks_look(world, set);
    if (w->stop_count != 0) weft_stops_look(world, set);
}

void weft_insight_writer(weft_world *world, const char *name, bool commands)
{
    weft_watching *w = world->watching;
    bool goes_on = name && name == w->writer && commands == w->commands; // part by part
    if (goes_on || w->telling) return;
    if (!is_empty(world)) end_stretch(world);
    w->writer = name;
    w->commands = commands;
    w->begun_in = world->ticking == world->tick + 1 ? world->ticking : 0;
}
