// Prints the message of a failed assert.
#include "assert.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void weft_assert_failed(const char *file, int line, const char *words, const char *condition,
                        uint64_t left, uint64_t right)
{
    fprintf(stderr, "%s:%d: %s\n    (%s: %" PRIu64 ", %" PRIu64 ")\n", file, line, words, condition,
            left, right);
    abort();
}
