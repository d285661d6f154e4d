// The naive model of the event `rumor` of fuzz.toml: each hearer has a list of the values that it
// has not heard yet.
#ifndef RUMORS_H
#define RUMORS_H

#include "values.h"

#define RUMORS_MAX 40u // `max` in the schema

// The systems that emit it, and those that hear it, as they run.
typedef enum teller { TELLER_INFECT, TELLER_LONE, TELLER_HAUNT, TELLERS } teller;
typedef enum hearer {
    HEARER_CENSUS,
    HEARER_FLICKER,
    HEARER_SLOW,
    HEARER_HAUNT,
    HEARERS,
    NO_HEARER = HEARERS
} hearer;

typedef struct rumor_list {
    fuzz_rumor items[RUMORS_MAX];
    uint32_t count;
    uint32_t fresh; // the last ones: from the phase that runs
} rumor_list;

// The rumors that a system has emitted and no system has seen yet.
typedef struct told_rumors {
    rumor_list kept;
    uint32_t lost; // that there was no space for
    weft_status trouble;
} told_rumors;

typedef struct rumors {
    told_rumors told[TELLERS];
    rumor_list unheard[HEARERS];
    uint64_t lost;
    weft_status trouble; // of the phase that runs
} rumors;

// `no_memory`: the world was denied memory meanwhile.
void rumors_tell(rumors *all, teller t, const fuzz_rumor *rumor, bool no_memory);

// Tells what becomes of the next teller's rumors as they are handed on: how many find no memory or
// no space. Where memory fails that the world's lists would take, all that had space are lost.
typedef struct handover {
    uint32_t taken, no_memory, no_space;
} handover;

handover rumors_expected(const rumors *all, teller t);
void rumors_take(rumors *all, teller t, handover h);

void rumors_heard(rumors *all, hearer h);

void rumors_visit(rumors *all, visitor *v);

// They were saved and loaded.
void rumors_load(rumors *all);

// The phase has ended. Returns what its status has to be if all else went well.
weft_status rumors_settle(rumors *all);

#endif
