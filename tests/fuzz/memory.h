// Memory hooks of a world under test. They fail on request, count, and check what is handed back.
#ifndef MEMORY_H
#define MEMORY_H

#include "weft.h"

typedef struct reservation reservation;

typedef struct memory {
    bool no_reserve;    // no address space can be reserved
    bool no_decommit;   // pages that are committed cannot go back
    bool armed;         // calls fail once `fail_in` of them have not
    bool fail_on;       // and all later ones with it, else just that one
    bool fired;         // a call failed since it was armed
    uint64_t failures;  // calls that failed, ever
    bool commit_failed; // ever: what was committed just before may be committed again
    uint32_t fail_in;
    size_t bytes;  // allocated and committed now
    size_t blocks; // allocated now
    reservation *reservations;
} memory;

weft_memory memory_hooks(memory *m);
weft_options memory_options(memory *m); // with these hooks

// From now on the call after `fail_in` more fails; with `fail_on` all after it too.
void memory_arm(memory *m, uint32_t fail_in, bool fail_on);

// Back to normal. Whether a call failed meanwhile.
bool memory_disarm(memory *m);

// Fails unless everything was given back.
void memory_check_empty(const memory *m);

#endif
