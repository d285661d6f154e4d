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

// The memory that the load of a part may take for the indices between its entities, which take two
// numbers in the file: a record of 8 bytes for each index that handles of the vault can have, and
// some bits.
#define TRIAL_INDEX_BYTES ((size_t)9 << 20)

typedef struct trial {
    bounded memory;
    vault_world *w;     // with something in it
    size_t index_bytes; // that a load may take for indices without bytes in the file
    bool part;          // bytes are loaded as a part of a world
    const void *start;  // NULL, or a save that the world is loaded from first
    size_t start_count;
    double dearest; // the most that a load took, in bytes for each of the save beyond TRIAL_BYTES
} trial;

void trial_open(trial *t);

// Opens a trial of parts. `start` is NULL, or a save of the world that the part was taken out of.
void trial_open_part(trial *t, const void *start, size_t count);
void trial_close(trial *t);

// Bytes are given to the load in a block of their own, so that a sanitizer sees their end.
weft_status trial_load(trial *t, const void *bytes, size_t count);

#endif
