// Trials: find out which of two forms of a loop is faster.
//
// One loop that does the work of several systems is not always faster than one loop for each: for
// example, the compiler may make vector code from each small loop but not from the large one. So
// the runtime measures both forms while the game runs, and keeps the faster one. Both compute the
// same bits, so the result does not depend on the choice.
//
//     run     0 1 0 1 … (12) | the faster one … | 0 1 0 1 0 1 | the faster one …
//             measured       |   60 runs        | again       |   120 runs, then 240, …
//
// The trial is repeated because the data may change, and with it the faster form. It is repeated
// soon at first and then ever more rarely, because the slower form may take several times as long.
#ifndef WEFT_TRIAL_H
#define WEFT_TRIAL_H

#include "../base/compiler.h"

#define WEFT_TRIAL_RUNS 12u        // the first runs are measured, half of them with each form,
#define WEFT_TRIAL_AGAIN_RUNS 6u   // and this number when the trial is repeated
#define WEFT_TRIAL_WAIT_MIN 60u    // runs until the first repetition; doubled each time
#define WEFT_TRIAL_WAIT_MAX 3840u  // up to this
#define WEFT_TRIAL_ROWS_LEAST 256u // fewer rows cannot be measured: they use the second form

// All zero: no trial has begun.
typedef struct weft_trial {
    uint64_t rows;          // of the run that began the first trial
    uint64_t measured;      // rows of the current run if it is measured, otherwise 0
    uint32_t begun_ns;      // when the current run began
    uint32_t left;          // runs left to measure
    uint32_t waits;         // runs until the trial is repeated
    uint32_t wait;          // the initial value of waits
    bool form;              // of the last run that was measured
    bool best;              // the form that was faster in the last trial that ended
    uint64_t least_cost[2]; // by form: least time a row in this trial
} weft_trial;

// Begins a run over `rows` rows and sets `measured`. Returns the form that the run must use. The
// trial starts again if the number of rows has more than doubled or halved.
bool weft_trial_begin(weft_trial *t, uint64_t rows);

// Ends a measured run, which took took_ns.
void weft_trial_end(weft_trial *t, uint32_t took_ns);

#endif
