// Loads any bytes as a save of the vault. Either they are refused and nothing changes, or the
// loaded world works like any other. Otherwise this fails the test or ends the program.
#ifndef TRIAL_H
#define TRIAL_H

#include "bounded.h"
#include "vault.h"

// The memory that a load may take for any save, in addition to a multiple of the save's size. A row
// of the vault has 300 bytes, a table some thousand, and a handle in the save 2.
#define TRIAL_BYTES ((size_t)100 * 1000)
#define TRIAL_FACTOR ((size_t)100)

typedef struct trial {
    bounded memory;
    vault_world *w; // with something in it
    double dearest; // the most that a load took, in bytes for each of the save beyond TRIAL_BYTES
} trial;

void trial_open(trial *t);
void trial_close(trial *t);

// Bytes are given to the load in a block of their own, so that a sanitizer sees their end.
weft_status trial_load(trial *t, const void *bytes, size_t count);

#endif
