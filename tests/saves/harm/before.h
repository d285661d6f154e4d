// Saves of an earlier schema of the vault. They are made by the world `crypt`, and its name is
// changed in them, so that one program can contain both worlds.
#ifndef BEFORE_H
#define BEFORE_H

#include "../../fuzz/dice.h"

#include <stddef.h>

// Returns a save of a world with about n entities. The caller frees it.
unsigned char *before_save(dice *d, uint32_t n, size_t *count);

// Makes a save of the crypt one of the vault.
void before_rename(unsigned char *bytes, size_t count);

#endif
