// Names in the reflection tables. All records that have one begin with it, as do those of a table
// of names alone, so that one search does for components, fields, values of enums and the rest.
#ifndef WEFT_NAMES_H
#define WEFT_NAMES_H

#include "scalars.h"

#define WEFT_NO_NAME UINT32_MAX

// Which of `count` records of `record_bytes` bytes has the name; WEFT_NO_NAME: none. O(count).
uint32_t weft_name_find(const void *records, size_t record_bytes, uint32_t count, const char *name);

// The same for a name that is not NUL-terminated.
uint32_t weft_word_find(const void *records, size_t record_bytes, uint32_t count, const char *word,
                        size_t length);

// Which has the name, or else the name before a rename; "" or NULL: there was none. What a record
// of one schema was in an older one.
uint32_t weft_name_before(const void *records, size_t record_bytes, uint32_t count,
                          const char *name, const char *was);

#endif
