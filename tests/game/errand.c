// Starts and ends the jobs of villagers.
#include "errand.h"

void errand_end(colony_worker *worker)
{
    worker->job = COLONY_JOB_IDLE;
    worker->source = COLONY_NONE;
    worker->destination = COLONY_NONE;
    worker->claimed = COLONY_NONE;
}

bool errand_go(colony_worker *worker, colony_walker *walker, colony_job job,
               const colony_position *goal)
{
    if (goal == NULL) {
        errand_end(worker);
        return false;
    }
    worker->job = job;
    walker->goal = (colony_spot){goal->x, goal->y};
    return true;
}
