// Runs a world to its end and saves it half-way, or continues from that save. Prints hashes.
// JOURNEY is the header that gives the calls of the world common names.
#include JOURNEY

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct journey {
    journey_world *world;
    const char *save;
    uint32_t ticks;
    uint32_t ticks_a_line;
} journey;

// Where it is saved and loaded, the exact hash also tells of systems to which a load shows
// everything; so a world that has such a system is told by its plain hash there.
static void print_hashes(const journey *j, uint32_t tick)
{
    bool plain = JOURNEY_SHOWS_ALL && tick == j->ticks / 2;
    uint64_t hash = journey_hash(j->world);
    uint64_t exact = plain ? hash : journey_hash_exact(j->world);
    printf("%" PRIu32 ": %016" PRIx64 " %016" PRIx64 "\n", tick, hash, exact);
}

// Worlds may be full, and their hooks refused: so they are on every machine.
static bool run(const journey *j, uint32_t from, uint32_t to)
{
    for (uint32_t tick = from; tick < to; tick++) {
        if (tick % j->ticks_a_line == 0) print_hashes(j, tick);
        weft_status status = journey_tick(j->world, 0.25);
        if (status != WEFT_OK && status != WEFT_FULL && status != WEFT_REFUSED) return false;
    }
    return true;
}

static bool begin(const journey *j)
{
    return journey_begin(j->world) && run(j, 0, j->ticks / 2) &&
           journey_save(j->world, j->save) == WEFT_OK && run(j, j->ticks / 2, j->ticks);
}

static bool go_on(const journey *j)
{
    return journey_load(j->world, j->save) == WEFT_OK && run(j, j->ticks / 2, j->ticks);
}

static uint32_t number(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 10);
}

int main(int count, char **arguments)
{
    if (count != 6) {
        fputs("usage: journey begin|load SAVE TICKS TICKS_A_LINE WORKERS\n", stderr);
        return 2;
    }
    const bool load = strcmp(arguments[1], "load") == 0;
    journey j = {.world = journey_open(number(arguments[5])),
                 .save = arguments[2],
                 .ticks = number(arguments[3]),
                 .ticks_a_line = number(arguments[4])};
    if (!j.world) return 1;
    bool done = load ? go_on(&j) : begin(&j);
    if (done) print_hashes(&j, j.ticks);
    if (!done) fprintf(stderr, "journey: %s\n", journey_error(j.world));
    journey_close(j.world);
    return done ? 0 : 1;
}
