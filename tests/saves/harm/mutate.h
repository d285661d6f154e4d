// Stores the saves from which the fuzzer's changes begin.
#ifndef MUTATE_H
#define MUTATE_H

#include <stddef.h>

// Keeps a save that was loaded. Half of the changes start from a kept save, because most of a
// corpus is refused, and a refused save mostly stays refused.
void mutate_keep(const void *bytes, size_t count);

#endif
