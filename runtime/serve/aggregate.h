// An aggregate over the entities of an expression: how many there are, or the sum, the least, the
// greatest or the mean of a value of theirs. A pass over the rows may take several polls, and the
// world can run in between.
#ifndef WEFT_SERVE_AGGREGATE_H
#define WEFT_SERVE_AGGREGATE_H

#include "valued.h"
#include "walk.h"

#include "../select/select.h"

typedef enum serve_aggregate_kind {
    SERVE_COUNT_OF,
    SERVE_SUM_OF,
    SERVE_LEAST_OF,
    SERVE_GREATEST_OF,
    SERVE_MEAN_OF,
} serve_aggregate_kind;

// It begins as zeros.
typedef struct serve_aggregate {
    serve_aggregate_kind kind;
    weft_select select; // contains the program of the expression
    serve_valued of;    // without a program if entities are counted
    bool of_all;        // entities that have the value: there is no expression
    serve_walk walk;    // where the pass continues
    uint64_t count;     // so far in this pass
    double sum, least, greatest;
} serve_aggregate;

// Reads `count of EXPRESSION`, or `sum of PATH` and the like, perhaps followed by `where
// EXPRESSION`. Returns false if the text does not begin like this. If it does but is wrong, also
// refuses the call. Close it in any case.
bool serve_aggregate_open(serve_call *call, const char *text, serve_aggregate *aggregate);
void serve_aggregate_close(weft_world *world, serve_aggregate *aggregate);

void serve_aggregate_begin(const weft_world *world, serve_aggregate *aggregate);

// Tests up to about `most` rows, and returns how many, or 0 if the pass has ended.
uint32_t serve_aggregate_run(const weft_world *world, serve_aggregate *aggregate, uint32_t most);

// Returns the result of a pass that has ended; NAN if there is no value.
double serve_aggregate_value(const serve_aggregate *aggregate);

#endif
