// Runs a random world with the given number of workers, and prints the hash of every n-th tick. On
// request it profiles the world, and checks that the zones are balanced and agree with the systems'
// own counts; then it also prints the counts of each system.
#include "wild_game.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 64, DEEP = 8, SYSTEMS = 256 };

// The zones of a thread lie in one another. Each thread writes to its own.
typedef struct thread_zones {
    weft_zone open[DEEP];
    uint32_t depth;
    uint64_t ns; // when the last of them began or ended
} thread_zones;

typedef struct trace {
    thread_zones threads[THREADS];
    atomic_uint shared[SYSTEMS]; // turns that are open
    weft_system_stats turns[SYSTEMS];
    atomic_uint zones;
} trace;

static void expect(bool holds, const char *what, const weft_zone *zone)
{
    if (holds) return;
    fprintf(stderr, "%s: kind %d, %s, part %u, thread %u, tick %" PRIu64 "\n", what,
            (int)zone->kind, zone->name, (unsigned)zone->part, (unsigned)zone->thread, zone->tick);
    exit(1);
}

static void on_begin(void *user, const weft_zone *zone)
{
    trace *t = (trace *)user;
    atomic_fetch_add(&t->zones, 1);
    if (zone->shared) {
        expect(zone->kind == WEFT_ZONE_SYSTEM, "only turns are shared", zone);
        expect(atomic_fetch_add(&t->shared[zone->number], 1) == 0, "a turn in a turn", zone);
        return;
    }
    expect(zone->thread < THREADS, "there are not so many threads", zone);
    thread_zones *own = &t->threads[zone->thread];
    expect(own->depth < DEEP, "too deep", zone);
    expect(own->ns <= zone->ns, "time went back", zone);
    expect(zone->kind != WEFT_ZONE_PHASE || own->depth == 0, "a phase inside of a zone", zone);
    own->ns = zone->ns;
    own->open[own->depth++] = *zone;
}

static void on_end(void *user, const weft_zone *zone)
{
    trace *t = (trace *)user;
    if (zone->kind == WEFT_ZONE_SYSTEM) {
        weft_system_stats *all = &t->turns[zone->number];
        expect(zone->turn.turns == 1, "no turn", zone);
        all->turns++;
        all->rows += zone->turn.rows;
        all->ns += zone->turn.ns;
        all->commands += zone->turn.commands;
        all->events += zone->turn.events;
    }
    if (zone->shared) {
        expect(atomic_fetch_sub(&t->shared[zone->number], 1) == 1, "a turn that is closed", zone);
        return;
    }
    thread_zones *own = &t->threads[zone->thread];
    expect(own->depth != 0, "nothing is open", zone);
    const weft_zone *begun = &own->open[--own->depth];
    expect(begun->kind == zone->kind && begun->number == zone->number && begun->part == zone->part,
           "another zone is open", zone);
    expect(own->ns <= zone->ns, "time went back", zone);
    own->ns = zone->ns;
}

static void print_counts(const wild_world *w, const trace *t)
{
    const weft_schema *schema = wild_schema();
    const weft_zone none = {.name = "the end"};
    for (uint32_t i = 0; i < THREADS; i++) expect(t->threads[i].depth == 0, "still open", &none);
    for (uint32_t i = 0; i < schema->system_count; i++) {
        const char *name = schema->systems[i].name;
        const weft_system_stats all = wild_system_stats(w, i);
        const weft_zone zone = {.kind = WEFT_ZONE_SYSTEM, .name = name};
        expect(memcmp(&all, &t->turns[i], sizeof all) == 0, "not what was told", &zone);
        for (uint32_t k = 0; k < wild_systems; k++) {
            if (strcmp(wild_counts[k].system, name) != 0) continue;
            expect(all.rows == atomic_load(&wild_counts[k].rows), "other rows", &zone);
            expect(all.events == atomic_load(&wild_counts[k].events), "other events", &zone);
        }
        printf("%s: %" PRIu64 " turns, %" PRIu64 " rows, %" PRIu64 " commands, %" PRIu64
               " events, %s\n",
               name, all.turns, all.rows, all.commands, all.events,
               (all.ns != 0) == (all.turns != 0) ? "timed" : "not timed");
    }
}

// Tells of hooks that answer each other in a circle: what applies their commands decides where they
// have got to then.
static void tell_circle(void *user, const char *line)
{
    (void)user;
    if (strstr(line, "in a circle")) fprintf(stderr, "%s\n", line);
}

int main(int count, char **arguments)
{
    static trace zones;
    if (count != 5) return 2;
    const uint32_t ticks = (uint32_t)strtoul(arguments[1], NULL, 10);
    const uint32_t workers = (uint32_t)strtoul(arguments[2], NULL, 10);
    const uint32_t each = (uint32_t)strtoul(arguments[3], NULL, 10);
    const bool measured = strcmp(arguments[4], "measured") == 0;
    weft_options options = {.workers = workers, .log = tell_circle};
    if (measured) options.profile = (weft_profile){on_begin, on_end, &zones, false};
    wild_world *w = wild_open(&options);
    if (!w) return 1;
    wild_populate(w);
    for (uint32_t i = 0; i < ticks; i++) {
        weft_status status = wild_go_on(w, 0.125);
        if (i % each != each - 1) continue;
        weft_stats now = wild_stats(w);
        printf("%u: %016" PRIx64 " status %d, %u entities in %u tables, dropped %" PRIu64
               ", lost %" PRIu64 " and %" PRIu64 "\n",
               (unsigned)i, wild_hash_exact(w), (int)status, (unsigned)now.entities,
               (unsigned)now.tables, now.commands_dropped, now.commands_lost, now.events_lost);
    }
    if (measured) print_counts(w, &zones);
    wild_close(w);
    return 0;
}
