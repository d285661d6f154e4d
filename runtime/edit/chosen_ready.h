// The memory that rows need before the first of them changes.
#ifndef WEFT_CHOSEN_READY_H
#define WEFT_CHOSEN_READY_H

#include "chosen.h"

// Takes all memory that the change needs. False: there is not enough.
bool weft_chosen_ready(const weft_all_change *c);

#endif
