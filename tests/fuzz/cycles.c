// Spawns and despawns two billion times, or as often as the argument says, with handles of 24 index
// bits and 8 generation bits. Checks that no handle is given twice: each handle of an index has a
// higher generation than the one before.
//
// program: worlds plain
// flags: hot
#define _POSIX_C_SOURCE 200809L // support/progress.h
#include "cycles.h"

#include "../support/progress.h"
#include "dice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(WEFT_HARD)
#define CYCLES_USUAL 50000u
#else
#define CYCLES_USUAL 3000000u
#endif

#define LIVING 1000u // at any time
#define INDICES ((uint32_t)1 << 24)
#define GENERATION_LAST 255u

static int wrong(const char *what, cycles_entity e)
{
    printf("%s: index %" PRIu32 ", generation %" PRIu32 "\n0 passed, 1 failed\n", what,
           e.bits & (INDICES - 1), e.bits >> 24);
    return 1;
}

// Records a new handle. Returns false if its index had this handle, or a later one, before.
static bool is_new(uint8_t *latest, cycles_entity e)
{
    uint32_t generation = e.bits >> 24;
    uint8_t *known = &latest[e.bits & (INDICES - 1)];
    if (generation <= *known) return false;
    *known = (uint8_t)generation;
    return true;
}

// Every index whose last generation is dead is retired, and no other.
static bool counts_agree(const cycles_world *w, const uint8_t *latest, const cycles_entity *living)
{
    uint32_t used_up = 0;
    weft_stats stats = cycles_stats(w);
    for (uint32_t i = 0; i < INDICES; i++) used_up += latest[i] == GENERATION_LAST;
    for (uint32_t i = 0; i < LIVING; i++) used_up -= living[i].bits >> 24 == GENERATION_LAST;
    return stats.indices_retired == used_up && stats.entities == LIVING;
}

static int seed_F13_no_handle_comes_twice(cycles_world *w, uint8_t *latest, uint64_t cycles)
{
    static cycles_entity living[LIVING];
    dice d = {1};
    for (uint64_t i = 0; i < cycles + LIVING; i++) {
        cycles_entity *e = &living[i < LIVING ? i : dice_below(&d, LIVING)];
        cycles_entity before = *e;
        if (i >= LIVING && !cycles_despawn(w, before)) return wrong("not despawned", before);
        *e = cycles_spawn(w);
        if (!is_new(latest, *e)) return wrong("this handle comes back", *e);
        if (cycles_alive(w, before)) return wrong("a dead handle is alive", before);
        if (!cycles_alive(w, *e)) return wrong("a new handle is dead", *e);
        progress_step("cycles", i + 1, cycles + LIVING);
    }
    if (!counts_agree(w, latest, living)) return wrong("the counts are wrong", living[0]);
    printf("%" PRIu64 " cycles, %" PRIu32 " indices used, %" PRIu32
           " retired\n1 passed, 0 failed\n",
           cycles, cycles_stats(w).indices, cycles_stats(w).indices_retired);
    return 0;
}

int main(int argc, char **argv)
{
    uint64_t cycles = argc > 1 ? strtoull(argv[1], NULL, 10) : CYCLES_USUAL;
    cycles_world *w = cycles_open(NULL);
    uint8_t *latest = (uint8_t *)calloc(INDICES, 1);
    int result = 1;
    if (w && latest) {
        result = seed_F13_no_handle_comes_twice(w, latest, cycles);
    } else {
        printf("no memory to test with\n");
    }
    cycles_close(w);
    free(latest);
    return result;
}
