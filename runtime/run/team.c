// Opens and closes a team: see team.h.
#include "team.h"

#include "../base/workers.h"
#include "../world/zone.h"

static bool lists_open(weft_team *team, const weft_plan *plan)
{
    weft_heap *heap = &team->world->heap;
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        uint32_t systems = plan->segments[i].system_count;
        if (systems > team->capacity) team->capacity = systems;
    }
    team->segment_count = plan->segment_count;
    return weft_array_open(heap, &team->sharing, team->segment_count, sizeof *team->sharing) &&
           weft_array_open(heap, &team->opened, team->capacity, sizeof *team->opened) &&
           weft_array_open(heap, &team->jobs, team->capacity, sizeof *team->jobs);
}

// Uses the game's executor, or starts threads of the world. Returns false if there is no memory.
static bool executor_open(weft_team *team, const weft_options *options, uint32_t workers)
{
    team->size = workers;
    team->executor = options->executor;
    if (options->executor.start) return true;
    team->workers = weft_workers_open(&team->world->heap, workers - 1);
    if (!team->workers) return false;
    team->size = 1 + weft_workers_count(team->workers);
    team->executor = weft_workers_executor(team->workers);
    return true;
}

void weft_team_close(weft_world *world)
{
    weft_team *team = world->run.team;
    weft_heap *heap = &world->heap;
    if (!team) return;
    weft_workers_close(heap, team->workers);
    weft_free(heap, team->sharing, team->segment_count * sizeof *team->sharing);
    weft_free(heap, team->opened, team->capacity * sizeof *team->opened);
    weft_free(heap, team->jobs, team->capacity * sizeof *team->jobs);
    weft_lock_close(heap, world->run.lock);
    weft_free(heap, team, sizeof *team);
    world->run.team = NULL;
    world->run.lock = NULL;
}

bool weft_team_open(weft_world *world, const weft_options *options)
{
    uint32_t workers = options->workers < WEFT_WORKERS_MAX ? options->workers : WEFT_WORKERS_MAX;
    if (workers < 2) return true;
    weft_team *team = (weft_team *)weft_allocate_zeroed(&world->heap, sizeof *team);
    if (!team) return false;
    world->run.team = team;
    team->world = world;
    world->run.lock = weft_lock_open(&world->heap);
    if (!world->run.lock || !lists_open(team, world->plan) ||
        !executor_open(team, options, workers)) {
        return false;
    }
    team->at_work_max = (int)team->size;
    if (team->size == 1) weft_team_close(world); // no thread could be started
    weft_world_observe(world);
    return true;
}

uint32_t weft_team_workers(const weft_world *world)
{
    return world->run.team ? world->run.team->size : 1;
}

void weft_team_run(weft_world *world, uint32_t helpers, void (*run)(void *argument), void *argument)
{
    const weft_executor *executor = &world->run.team->executor;
    world->now.in_parallel = true;
    executor->start(executor->user, helpers, run, argument);
    run(argument);
    executor->wait(executor->user);
    world->now.in_parallel = false;
}
