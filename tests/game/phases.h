// Runs one phase of the colony at a time, when the inspector's page steps it.
#ifndef COLONY_PHASES_H
#define COLONY_PHASES_H

#include "colony.h"
#include "hours.h"

// Runs the phase with this number. The world is passed as weft_serve_options.user.
static inline weft_status phases_run(void *world, uint32_t number)
{
    static weft_status (*const run[])(colony_world * w, double dt) = {
        colony_run_orders, colony_run_sense, colony_run_decide,
        colony_run_act,    colony_run_live,  colony_run_record,
    };
    return run[number]((colony_world *)world, HOURS_A_TICK);
}

#endif
