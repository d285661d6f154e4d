// Values that break a rule: who broke them is reported.
#ifndef WEFT_INSIGHT_CHECK_H
#define WEFT_INSIGHT_CHECK_H

#include "watching.h"

// Looks at what holds of the components and singletons of a set (see weft_watching.written).
void weft_checks_look(weft_world *world, const uint64_t *set);

// Forgets which rules are known to be broken, so that they are reported again.
void weft_checks_forget(weft_world *world);

#endif
