// Memory hooks that store the most bytes that were held, or requested, at once.
#ifndef BOUNDED_H
#define BOUNDED_H

#include "weft.h"

typedef struct bounded {
    size_t held; // allocated and committed now
    size_t most; // since the caller set it
} bounded;

weft_memory bounded_hooks(bounded *b);

#endif
