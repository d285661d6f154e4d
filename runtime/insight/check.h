// Checks: finds values that break a rule, and reports the writer.
#ifndef WEFT_INSIGHT_CHECK_H
#define WEFT_INSIGHT_CHECK_H

#include "watching.h"

// Checks the rules of the components and singletons in a set (see weft_watching.written).
void weft_checks_look(weft_world *world, const uint64_t *set);

// Forgets which rules were broken before, so that they are reported again.
void weft_checks_forget(weft_world *world);

#endif
