// Stores the saves from which the fuzzer's changes begin.
#ifndef MUTATE_H
#define MUTATE_H

#include <stddef.h>

// A save that was loaded. Some are kept, and half of the changes are to one of them: what is
// refused stays refused, and a corpus is mostly that.
void mutate_keep(const void *bytes, size_t count);

#endif
