// Trials: which of two forms of a loop is faster.
//
// Whether one loop that does the work of several systems is faster than a loop for each depends on
// what the compiler makes of both: it may make vector code of each small loop and none of the large
// one. Only the processor knows, so both forms run in turn while the game runs, and the faster one
// is kept. Both give the same bits, so nothing that a system does depends on it.
//
//     run     0 1 0 1 … (12) | the faster one … | 0 1 0 1 0 1 | the faster one …
//             measured       |   60 runs        | again       |   120 runs, then 240, …
//
// Data changes, and with it which form is faster, so the trial is repeated: soon at first, then
// ever more rarely, since the slower form may take several times as long.
#ifndef WEFT_TRIAL_H
#define WEFT_TRIAL_H

#include "../base/compiler.h"

#define WEFT_TRIAL_RUNS 12u        // the first runs are measured, half of them with each form,
#define WEFT_TRIAL_AGAIN_RUNS 6u   // and so many when the trial is repeated
#define WEFT_TRIAL_WAIT_MIN 60u    // runs until then at first; twice as many each time,
#define WEFT_TRIAL_WAIT_MAX 3840u  // up to this
#define WEFT_TRIAL_ROWS_LEAST 256u // of fewer rows a clock cannot tell: they take the second form

// All zero: no trial has begun.
typedef struct weft_trial {
    uint64_t rows;          // of the run that began the first trial
    uint64_t measured;      // rows of the run at work, if it is measured; else 0
    uint32_t begun_ns;      // when that began
    uint32_t left;          // runs that are still to be measured
    uint32_t waits;         // runs until the trial is repeated
    uint32_t wait;          // how many these were at first
    bool form;              // of the last run that was measured
    bool best;              // the form that was faster in the last trial that ended
    uint64_t least_cost[2]; // by form: of the runs measured in this trial
} weft_trial;

// Begins a run over `rows` rows and sets `measured`. Returns the form that the run takes. A trial
// begins anew if there are more than twice or fewer than half as many rows as before.
bool weft_trial_begin(weft_trial *t, uint64_t rows);

// Ends a run that is measured, which has taken so long.
void weft_trial_end(weft_trial *t, uint32_t took_ns);

#endif
