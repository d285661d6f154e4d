// Runs a random world and others that must have its state, tick by tick: one that never saves, and
// two that load what the first one saves. One of these is opened anew for each save. The other had
// other contents before the first save, and then loads every save over its state.
#include "wild_game.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST, PLAIN, USED, FRESH, COURSES };
enum { RECYCLE_EACH = 16 };

static const double SECONDS_A_TICK = 0.125;

// A world, and what its counters and those of the first world said when it became equal to that.
typedef struct course {
    const char *name;
    wild_world *world;
    uint32_t workers;
    bool loading; // hooks are not to record what the save has already
    weft_stats since;
    weft_stats first_since;
} course;

static void fail(const course *one, uint32_t tick, const char *what)
{
    fprintf(stderr, "tick %u: the %s world: %s\n", (unsigned)tick, one->name, what);
    exit(EXIT_FAILURE);
}

static void open_world(course *one)
{
    one->world = wild_open(&(weft_options){.workers = one->workers, .user = &one->loading});
    if (!one->world) fail(one, 0, "no memory");
}

static void load(course *one, const course *first, uint32_t tick, const void *bytes, size_t count)
{
    one->loading = true;
    if (wild_load_memory(one->world, bytes, count) != WEFT_OK) {
        fail(one, tick, wild_error(one->world));
    }
    one->loading = false;
    one->since = wild_stats(one->world);
    one->first_since = wild_stats(first->world);
}

static void compare(const course *first, const course *one, uint32_t tick)
{
    const weft_stats a = wild_stats(first->world);
    const weft_stats b = wild_stats(one->world);
    const weft_stats *from = &one->first_since;
    const weft_stats *since = &one->since;
    if (wild_hash_exact(first->world) != wild_hash_exact(one->world)) {
        fail(one, tick, "another hash");
    }
    if (a.commands_dropped - from->commands_dropped !=
            b.commands_dropped - since->commands_dropped ||
        a.commands_lost - from->commands_lost != b.commands_lost - since->commands_lost ||
        a.events_lost - from->events_lost != b.events_lost - since->events_lost) {
        fail(one, tick, "another number of commands or events went nowhere");
    }
}

// A world that has just been loaded saves what it was loaded from.
static void compare_saves(const course *one, uint32_t tick, const void *bytes, size_t count)
{
    void *again;
    size_t again_count;
    if (wild_save_memory(one->world, &again, &again_count) != WEFT_OK) {
        fail(one, tick, wild_error(one->world));
    }
    if (again_count != count || memcmp(again, bytes, count) != 0) {
        fail(one, tick, "saves something else than it was loaded from");
    }
    free(again);
}

// Recorded outside of systems: applied by what saves, else before the next phase.
static void record(wild_world *w, uint32_t tick)
{
    wild_cmd *cmd = wild_commands(w);
    for (uint32_t i = 0; i < tick % 5; i++) {
        wild_entity child = wild_cmd_p1_spawn(cmd, NULL);
        wild_cmd_under_attach(cmd, child, wild_cmd_p0_spawn(cmd, NULL));
        wild_cmd_t0_set(cmd, child);
    }
}

static void load_all(course all[COURSES], uint32_t tick)
{
    void *bytes;
    size_t count;
    record(all[FIRST].world, tick);
    record(all[PLAIN].world, tick);
    if (tick % 2 == 0) wild_flush(all[FIRST].world); // as saving does, if there is space for all
    if (wild_save_memory(all[FIRST].world, &bytes, &count) != WEFT_OK &&
        wild_save_memory(all[FIRST].world, &bytes, &count) != WEFT_OK) {
        fail(&all[FIRST], tick, wild_error(all[FIRST].world));
    }
    if (all[FRESH].world) wild_close(all[FRESH].world);
    open_world(&all[FRESH]);
    for (uint32_t i = USED; i < COURSES; i++) {
        load(&all[i], &all[FIRST], tick, bytes, count);
        compare(&all[FIRST], &all[i], tick);
        compare_saves(&all[i], tick, bytes, count);
    }
    for (uint32_t i = 0; i < COURSES; i++) wild_switch_unsaved(all[i].world);
    free(bytes);
}

// A step that all of them do. The one that never saves is told late what could not be applied.
typedef weft_status (*deed)(wild_world *w, double dt);

static void do_all(course all[COURSES], uint32_t tick, deed what)
{
    weft_status first = WEFT_OK;
    for (uint32_t i = 0; i < COURSES; i++) {
        weft_status status = what(all[i].world, SECONDS_A_TICK);
        if (i == FIRST) first = status;
        if (i != PLAIN && status != first) fail(&all[i], tick, "another status");
        if (i != FIRST) compare(&all[FIRST], &all[i], tick);
    }
}

// The phases of a tick that is none, with a load between two of them.
static void do_phases(course all[COURSES], uint32_t tick)
{
    do_all(all, tick, wild_run_one);
    do_all(all, tick, wild_run_two);
    load_all(all, tick);
    do_all(all, tick, wild_run_three);
}

// Brings retired indices back.
static weft_status recycle(wild_world *w, double dt)
{
    (void)dt;
    wild_recycle(w);
    return WEFT_OK;
}

static void report(const wild_world *w)
{
    weft_stats now = wild_stats(w);
    printf("%u entities in %u tables, dropped %" PRIu64 ", lost %" PRIu64 " and %" PRIu64
           ", retired %u\n",
           (unsigned)now.entities, (unsigned)now.tables, now.commands_dropped, now.commands_lost,
           now.events_lost, (unsigned)now.indices_retired);
}

int main(int count, char **arguments)
{
    if (count != 5) return 2;
    const uint32_t ticks = (uint32_t)strtoul(arguments[1], NULL, 10);
    const uint32_t each = (uint32_t)strtoul(arguments[2], NULL, 10);
    const uint32_t saving = (uint32_t)strtoul(arguments[3], NULL, 10);
    const uint32_t loading = (uint32_t)strtoul(arguments[4], NULL, 10);
    course all[COURSES] = {
        [FIRST] = {.name = "first", .workers = saving},
        [PLAIN] = {.name = "plain", .workers = loading},
        [USED] = {.name = "used", .workers = loading},
        [FRESH] = {.name = "fresh", .workers = loading},
    };
    for (uint32_t i = 0; i < FRESH; i++) {
        open_world(&all[i]);
        wild_populate(all[i].world);
    }
    for (uint32_t i = 0; i < 7; i++) wild_go_on(all[USED].world, SECONDS_A_TICK / 3);
    for (uint32_t tick = 0; tick < ticks; tick++) {
        if (tick % each == 0) load_all(all, tick);
        if (tick % each == each / 2) do_phases(all, tick);
        do_all(all, tick, wild_go_on);
        if (tick % RECYCLE_EACH == 0) do_all(all, tick, recycle);
    }
    report(all[FIRST].world);
    for (uint32_t i = 0; i < COURSES; i++) wild_close(all[i].world);
    return EXIT_SUCCESS;
}
