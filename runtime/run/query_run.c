// Runs the parts of a query on several threads. A thread claims the next part by counting up.
#include "query_run.h"

#include "../world/report.h"
#include "parts.h"
#include "team.h"

#include <stdatomic.h>

typedef struct shared_walk {
    const weft_query_run *run;
    uint32_t count;
    atomic_uint claimed; // parts claimed, plus attempts after the last part
    weft_part parts[WEFT_PARTS_MAX];
} shared_walk;

static void run_parts(void *argument)
{
    shared_walk *w = (shared_walk *)argument;
    for (;;) {
        uint32_t part = atomic_fetch_add(&w->claimed, 1);
        if (part >= w->count) return;
        w->run->part(w->run, &w->parts[part]);
    }
}

weft_status weft_query_run_parts(const weft_query_run *run, const char *call)
{
    weft_world *world = run->world;
    shared_walk w;
    if (weft_busy(world, call)) return WEFT_BUSY;
    w.run = run;
    w.count = weft_parts_cut(run->query, run->unit_rows, WEFT_PART_ROWS_MIN, w.parts);
    atomic_init(&w.claimed, 0);
    uint32_t threads = weft_team_workers(world);
    if (w.count < threads) threads = w.count;
    weft_world_runs(world, WEFT_QUERY_RUNS);
    if (threads > 1) {
        weft_team_run(world, threads - 1, run_parts, &w);
    } else {
        run_parts(&w);
    }
    weft_world_rests(world);
    return WEFT_OK;
}
