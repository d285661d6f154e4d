// Starts and ends the jobs of villagers, for all systems that do so.
//
// A worker without a job has no source, no destination and no claim.
#ifndef ERRAND_H
#define ERRAND_H

#include "colony_position.h"
#include "colony_walker.h"
#include "colony_worker.h"

#include <stdbool.h>

// Makes the worker idle: it will look for something else to do at the next tick.
void errand_end(colony_worker *worker);

// Sends the worker to `goal` to do `job` there. If `goal` is NULL because it was removed, makes the
// worker idle and returns false.
bool errand_go(colony_worker *worker, colony_walker *walker, colony_job job,
               const colony_position *goal);

#endif
