// Opens and closes the state of insight, and divides time into stretches with one writer.
#include "stretch.h"

#include "check.h"
#include "game.h"
#include "stop.h"
#include "trace.h"

#include "../base/bits.h"
#include "../record/hook.h"
#include "../value/fields.h"

#include <string.h>

// The numbers of the sets after those of the systems: everything that the current commands may
// write; the part of it that may already have a value; the states; all components; everything.
#define SET_OF_COMMANDS(schema) ((schema)->system_count)
#define SET_OF_VALUES(schema) ((schema)->system_count + 1)
#define SET_OF_STATES(schema) ((schema)->system_count + 2)
#define SET_OF_ENTITIES(schema) ((schema)->system_count + 3)
#define SET_OF_ALL(schema) ((schema)->system_count + 4)
#define SET_COUNT(schema) ((size_t)(schema)->system_count + 5)

static uint64_t *set_of(const weft_watching *w, uint32_t number)
{
    return w->written + (size_t)number * w->set_words;
}

// If a state contains the flag <system>_due, adds the state to the set that this system may write.
static void add_state_of(const weft_watching *w, const weft_schema *schema, uint32_t state)
{
    static const char due[] = "_due";
    const weft_singleton_info *info = &schema->singletons[state];
    for (uint32_t i = 0; i < info->field_count; i++) {
        const char *field = info->fields[i].name;
        const size_t length = strlen(field);
        if (length < sizeof due) continue; // `now` or `next`
        uint32_t system = weft_word_find(schema->systems, sizeof *schema->systems,
                                         schema->system_count, field, length - (sizeof due - 1));
        if (system != WEFT_NO_NAME) {
            weft_set_add(set_of(w, system), schema->component_count + state);
        }
    }
}

static void find_written(weft_watching *w, const weft_schema *schema, uint32_t state_count)
{
    const uint32_t owners = schema->component_count + schema->singleton_count;
    for (uint32_t i = 0; i < schema->system_count; i++) {
        const weft_system_info *system = &schema->systems[i];
        weft_written_add(schema, set_of(w, i), system->access, system->access_count);
    }
    for (uint32_t i = 0; i < schema->component_count; i++) {
        weft_set_add(set_of(w, SET_OF_ENTITIES(schema)), i);
    }
    for (uint32_t i = 1; i <= state_count; i++) {
        weft_set_add(set_of(w, SET_OF_STATES(schema)), owners - i);
        add_state_of(w, schema, schema->singleton_count - i);
    }
    memset(set_of(w, SET_OF_ALL(schema)), 0xFF, w->set_words * sizeof(uint64_t));
}

// Returns the size of the largest component whose fields are in separate columns.
static size_t largest_plain(const weft_schema *schema)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const weft_component_info *info = &schema->components[i];
        if (info->soa && info->size > bytes) bytes = info->size;
    }
    return bytes;
}

bool weft_insight_open(weft_world *world, const weft_options *options)
{
    const weft_schema *schema = world->plan->schema;
    weft_heap *heap = &world->heap;
    weft_watching *w = (weft_watching *)weft_allocate_zeroed(heap, sizeof *w);
    if (!w) return false;
    world->observers.watching = w;
    w->checks = options->checks;
    w->stops = options->checks_stop;
    w->set_words = weft_bits_words(schema->component_count + schema->singleton_count);
    size_t words = SET_COUNT(schema) * w->set_words;
    w->plain_bytes = largest_plain(schema) * WEFT_CHECKED_ROWS;
    if (!weft_array_open(heap, &w->written, words, sizeof *w->written) ||
        !weft_array_open(heap, &w->plain, w->plain_bytes, 1) ||
        !weft_array_open(heap, &w->checking, world->observers.insight->check_count,
                         sizeof *w->checking)) {
        return false;
    }
    find_written(w, schema, world->observers.insight->state_count);
    if (!weft_game_open(world)) return false;
    return options->watch == 0 || weft_tracing_open(world, options->watch);
}

void weft_insight_close(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    weft_watching *w = world->observers.watching;
    weft_heap *heap = &world->heap;
    if (!w) return;
    size_t words = SET_COUNT(schema) * w->set_words;
    weft_tracing_close(world);
    weft_stops_close(world);
    weft_game_close(world);
    for (uint32_t i = 0; w->checking && i < world->observers.insight->check_count; i++) {
        weft_region_free(heap, &w->checking[i].broken);
    }
    weft_free(heap, w->checking, world->observers.insight->check_count * sizeof *w->checking);
    weft_free(heap, w->plain, w->plain_bytes);
    weft_free(heap, w->written, words * sizeof *w->written);
    weft_free(heap, w, sizeof *w);
    world->observers.watching = NULL;
}

// Returns the number of the system with this name. Systems usually run in their order, so the
// search begins with the next one.
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

// Adds a set of the plan to a set of this file. Sets of the plan can have more words, for the tags
// of relations, which are ignored here.
static void add_set(const weft_watching *w, uint64_t *to, const uint64_t *set, uint32_t words)
{
    for (uint32_t i = 0; i < words && i < w->set_words; i++) to[i] |= set[i];
}

// Adds what a command may write: a component with everything that it requires and that requires it,
// or the components of a prefab. Spawned and despawned rows are found by their handles.
static void add_command(const weft_world *world, const weft_command *c)
{
    const weft_plan *plan = world->plan;
    const weft_watching *w = world->observers.watching;
    uint64_t *written = set_of(w, SET_OF_COMMANDS(plan->schema));
    uint64_t *values = set_of(w, SET_OF_VALUES(plan->schema));
    bool spawns = c->kind == WEFT_COMMAND_SPAWN || c->kind == WEFT_COMMAND_SPAWN_MANY;
    if (c->kind == WEFT_COMMAND_DESPAWN || weft_command_links(c) || c->what == WEFT_NONE) return;
    if (spawns || c->kind == WEFT_COMMAND_SET_PREFAB) {
        const weft_tree *tree = plan->prefabs[c->what].tree;
        const uint64_t *set = plan->prefabs[c->what].set;
        add_set(w, written, set, plan->set_words);
        if (!spawns) add_set(w, values, set, plan->set_words);
        for (uint32_t i = 1; tree && i < tree->part_count; i++)
            add_set(w, written, plan->prefabs[tree->parts[i].prefab].set, plan->set_words);
        return;
    }
    const weft_component_plan *component = &plan->components[c->what];
    add_set(w, written, component->closure, plan->set_words);
    add_set(w, written, component->required_by, plan->set_words);
    add_set(w, values, component->closure, plan->set_words);
    add_set(w, values, component->required_by, plan->set_words);
}

static void add_commands(const weft_world *world, const weft_commands *commands)
{
    for (size_t offset = 0; offset < commands->used;) {
        const weft_command *c = weft_command_at(commands, offset);
        add_command(world, c);
        offset += weft_command_bytes(world->plan, c);
    }
}

// Finds what the commands of a system may write, or the commands recorded outside of systems (name
// is NULL). The buffers are in the order in which systems run, and each part of a parallel system
// has its own.
static void find_commands(weft_world *world, const char *name)
{
    const weft_plan *plan = world->plan;
    const weft_system_info *system = plan->schema->systems;
    weft_watching *w = world->observers.watching;
    const weft_commands *buffer = world->commands.buffers;
    memset(set_of(w, SET_OF_COMMANDS(plan->schema)), 0, w->set_words * sizeof(uint64_t));
    memset(set_of(w, SET_OF_VALUES(plan->schema)), 0, w->set_words * sizeof(uint64_t));
    for (uint32_t i = 0; i < plan->recorder_count; i++) {
        const char *recorder = NULL;
        uint32_t buffers = plan->recorders[i].parallel ? WEFT_PARTS_MAX : 1;
        if (i != 0) {
            while (!system->commands) system++;
            recorder = (system++)->name;
        }
        for (uint32_t k = 0; k < buffers; k++, buffer++) {
            if (recorder == name) add_commands(world, buffer);
        }
    }
}

// Returns whether the game did not act in the current stretch: the stretch was between two phases
// of a tick, where only states change, or between the beginning of a phase and its first system.
static bool is_within(const weft_world *world)
{
    const weft_watching *w = world->observers.watching;
    if (w->game_acted) return false;
    bool in_phase = weft_is_phase(world->now.running);
    bool in_tick = w->begun_in == world->tick + 1 && world->run.ticking == w->begun_in;
    return in_phase || in_tick;
}

// Returns the number of the set that the writer of the current stretch may have written.
static uint32_t written_by(const weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    weft_watching *w = world->observers.watching;
    if (w->commands) return w->hooks ? SET_OF_ENTITIES(schema) : SET_OF_COMMANDS(schema);
    if (w->writer) return system_named(w, schema, w->writer);
    return is_within(world) ? SET_OF_STATES(schema) : SET_OF_ALL(schema);
}

bool weft_stretch_is_of_game(const weft_world *world)
{
    const weft_watching *w = world->observers.watching;
    return !w->writer && !w->commands && !is_within(world);
}

void weft_stretch_end(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    weft_watching *w = world->observers.watching;
    bool loaded = w->writer && !w->commands && strcmp(w->writer, WEFT_LOAD_WRITES) == 0;
    uint32_t number = written_by(world);
    const uint64_t *set = set_of(w, number);
    const bool of_game = weft_stretch_is_of_game(world);
    if (of_game && w->begun_at == weft_version(world)) set = w->acted;
    if (w->tracing) {
        bool some = number == SET_OF_COMMANDS(schema);
        const uint64_t *values = some ? set_of(w, SET_OF_VALUES(schema)) : set;
        weft_tracing_look(world, of_game ? w->acted : values, loaded);
    }
    if (w->checks && loaded) weft_checks_forget(world);
    if (w->checks) weft_checks_look(world, set);
    if (w->stop_count != 0) {
        bool rows = w->commands || number == SET_OF_ALL(schema);
        weft_stops_look(world, &(weft_stretch){.set = set, .rows = rows});
    }
}

void weft_insight_writer(weft_world *world, const char *name, bool commands)
{
    weft_watching *w = world->observers.watching;
    if (name && strcmp(name, WEFT_PHASE_BEGINS) == 0) {
        w->game_acted = weft_stretch_is_of_game(world);
        if (w->game_acted) return;
        name = NULL;
    }
    bool goes_on = name && name == w->writer && commands == w->commands; // parts of one turn
    if (goes_on || w->telling) return;
    weft_stretch_end(world);
    world->observers.given = WEFT_ROWS_UNKNOWN;
    world->observers.row = 0;
    w->game_acted = false;
    w->hooks = commands && name && strcmp(name, WEFT_HOOKS_WRITE) == 0;
    if (commands && !w->hooks) find_commands(world, name);
    w->writer = name;
    w->commands = commands;
    w->begun_in = world->run.ticking == world->tick + 1 ? world->run.ticking : 0;
    weft_game_begin(world);
}
