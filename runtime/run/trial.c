// Finds out which of two forms of a loop is faster: see trial.h.
#include "trial.h"

static void restart(weft_trial *t, uint32_t runs)
{
    t->left = runs;
    t->form = true;
    t->least_cost[0] = UINT64_MAX;
    t->least_cost[1] = UINT64_MAX;
}

bool weft_trial_begin(weft_trial *t, uint64_t rows)
{
    bool differs = rows > 2 * t->rows || t->rows > 2 * rows;
    t->measured = 0;
    if (rows < WEFT_TRIAL_ROWS_LEAST) return true;
    if (differs) {
        *t = (weft_trial){.rows = rows, .wait = WEFT_TRIAL_WAIT_MIN, .best = true};
        restart(t, WEFT_TRIAL_RUNS);
    } else if (t->left == 0 && t->waits-- == 0) {
        t->wait = t->wait < WEFT_TRIAL_WAIT_MAX ? 2 * t->wait : t->wait;
        restart(t, WEFT_TRIAL_AGAIN_RUNS);
    }
    if (t->left == 0) return t->best;
    t->form = !t->form;
    t->measured = rows;
    return t->form;
}

void weft_trial_end(weft_trial *t, uint32_t took_ns)
{
    uint64_t cost = ((uint64_t)took_ns << 16) / t->measured;
    uint64_t *least = &t->least_cost[t->form];
    if (cost < *least) *least = cost;
    t->measured = 0;
    if (--t->left != 0) return;
    t->best = t->least_cost[1] <= t->least_cost[0];
    t->waits = t->wait;
}
