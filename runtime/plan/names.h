// Names in the reflection tables. Every record that has a name begins with it, and so does an array
// of names alone; one search finds components, fields, values of enums and all others.
#ifndef WEFT_NAMES_H
#define WEFT_NAMES_H

#include "scalars.h"

#include <string.h>

#define WEFT_NO_NAME UINT32_MAX

// Finds which of `count` records of `record_bytes` bytes has the name, which need not end with a
// NUL; WEFT_NO_NAME: none. O(count).
uint32_t weft_word_find(const void *records, size_t record_bytes, uint32_t count, const char *word,
                        size_t length);

static inline uint32_t weft_name_find(const void *records, size_t record_bytes, uint32_t count,
                                      const char *name)
{
    return weft_word_find(records, record_bytes, count, name, strlen(name));
}

// Finds a record of an older schema by its name, or else by that before a rename ("", NULL: none).
uint32_t weft_name_before(const void *records, size_t record_bytes, uint32_t count,
                          const char *name, const char *was);

#endif
