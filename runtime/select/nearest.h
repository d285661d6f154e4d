// The name that was meant by one that is not there, for messages.
//
// Two names are near if few letters differ: one that is missing, too many or another one counts one
// each, and so do two neighbours that have changed places. A capital letter is as good as a small
// one. A third of the letters may differ.
#ifndef WEFT_NEAREST_H
#define WEFT_NEAREST_H

#include "../weft.h"

#define WEFT_NEAREST_NAME_BYTES 64u // longer ones are near to none

typedef struct weft_nearest {
    const char *name; // NULL: none is near so far
    uint32_t letters; // that differ
} weft_nearest;

// Looks for a name that is nearer to a word, which need not end with a NUL, among `count` records
// of `record_bytes` bytes that begin with their names. O(count), with a table of letters for each.
void weft_nearest_among(weft_nearest *nearest, const void *records, size_t record_bytes,
                        uint32_t count, const char *word, size_t length);

#endif
