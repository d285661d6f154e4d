// Shared by the tests of random numbers: the casino, and the counts of its systems.
#ifndef CASINO_TEST_H
#define CASINO_TEST_H

#include "casino.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

extern uint32_t coins_seeded; // coins that were seeded when their hook was called

static inline casino_world *opened(uint64_t seed, uint32_t workers)
{
    return casino_open(&(weft_options){.seed = seed, .workers = workers});
}

#endif
