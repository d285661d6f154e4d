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

// How many of the next teller's rumors are handed on, and how many are lost without memory or
// space. If memory for the world's lists fails, all that had space are lost.
typedef struct handover {
    uint32_t taken, no_memory, no_space;
} handover;

handover rumors_expected(const rumors *all, teller t);
void rumors_take(rumors *all, teller t, handover h);

void rumors_heard(rumors *all, hearer h);

void rumors_visit(rumors *all, visitor *v);

// They were saved and loaded.
void rumors_load(rumors *all);

// Ends the phase. Returns the status that it must have if everything else succeeded.
weft_status rumors_settle(rumors *all);

#endif
