// Runs a random world with the workers asked for, and prints what came of every so manieth tick.
#include "wild_game.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    if (count != 4) return 2;
    const uint32_t ticks = (uint32_t)strtoul(arguments[1], NULL, 10);
    const uint32_t workers = (uint32_t)strtoul(arguments[2], NULL, 10);
    const uint32_t each = (uint32_t)strtoul(arguments[3], NULL, 10);
    wild_world *w = wild_open(&(weft_options){.workers = workers});
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
    wild_close(w);
    return 0;
}
