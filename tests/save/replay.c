// Runs a random world, and beside it worlds that have loaded what it saves: after every tick all of
// them are the same. One is opened anew for each save; the other had a course of its own until the
// first one, and then loads every save over what it was.
#include "wild_game.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COURSES = 3, RECYCLE_EACH = 16 };

static const double SECONDS_A_TICK = 0.125;

// A world, and what its counters said when all of them were the same.
typedef struct course {
    const char *name;
    wild_world *world;
    uint32_t workers;
    bool loading; // hooks are not to record what the save has already
    weft_stats since;
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

static void load(course *one, uint32_t tick, const void *bytes, size_t count)
{
    one->loading = true;
    if (wild_load_memory(one->world, bytes, count) != WEFT_OK) {
        fail(one, tick, wild_error(one->world));
    }
    one->loading = false;
    one->since = wild_stats(one->world);
}

static void compare(const course *one, const course *other, uint32_t tick)
{
    if (wild_hash_exact(one->world) != wild_hash_exact(other->world)) {
        fail(other, tick, "another hash");
    }
    weft_stats a = wild_stats(one->world);
    weft_stats b = wild_stats(other->world);
    if (a.commands_dropped - one->since.commands_dropped !=
            b.commands_dropped - other->since.commands_dropped ||
        a.commands_lost - one->since.commands_lost !=
            b.commands_lost - other->since.commands_lost ||
        a.events_lost - one->since.events_lost != b.events_lost - other->since.events_lost) {
        fail(other, tick, "another number of commands or events went nowhere");
    }
}

// What a world saves that has just been loaded is what it was loaded from.
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

static void load_both(course *kept, course *used, course *fresh, uint32_t tick)
{
    void *bytes;
    size_t count;
    if (wild_save_memory(kept->world, &bytes, &count) != WEFT_OK) {
        fail(kept, tick, wild_error(kept->world));
    }
    kept->since = wild_stats(kept->world);
    if (fresh->world) wild_close(fresh->world);
    open_world(fresh);
    load(used, tick, bytes, count);
    load(fresh, tick, bytes, count);
    compare_saves(used, tick, bytes, count);
    compare_saves(fresh, tick, bytes, count);
    free(bytes);
}

// One tick of all; now and then retired indices come back.
static void tick_all(course *const all[COURSES], uint32_t tick)
{
    weft_status first = WEFT_OK;
    for (uint32_t i = 0; i < COURSES; i++) {
        if (tick % RECYCLE_EACH == 0) wild_recycle(all[i]->world);
        weft_status status = wild_tick(all[i]->world, SECONDS_A_TICK);
        if (i == 0) first = status;
        if (status != first) fail(all[i], tick, "another status");
        if (i != 0) compare(all[0], all[i], tick);
    }
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
    course kept = {.name = "first", .workers = (uint32_t)strtoul(arguments[3], NULL, 10)};
    course used = {.name = "used", .workers = (uint32_t)strtoul(arguments[4], NULL, 10)};
    course fresh = {.name = "fresh", .workers = used.workers};
    course *const all[COURSES] = {&kept, &used, &fresh};
    open_world(&kept);
    open_world(&used);
    wild_populate(kept.world);
    wild_populate(used.world);
    for (uint32_t i = 0; i < 7; i++) wild_tick(used.world, SECONDS_A_TICK / 3);
    for (uint32_t tick = 0; tick < ticks; tick++) {
        if (tick % each == 0) {
            load_both(&kept, &used, &fresh, tick);
            compare(&kept, &used, tick);
            compare(&kept, &fresh, tick);
        }
        tick_all(all, tick);
    }
    report(kept.world);
    for (uint32_t i = 0; i < COURSES; i++) wild_close(all[i]->world);
    return EXIT_SUCCESS;
}
