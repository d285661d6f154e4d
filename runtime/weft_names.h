// Records of the reflection tables by name: all that have one begin with it, as does a table of
// names alone, so that one search does for components, fields, values of enums and the rest.
#ifndef WEFT_NAMES_H
#define WEFT_NAMES_H

#include "weft.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_NO_NAME UINT32_MAX

// Which of `count` records of `record_bytes` bytes has the name; WEFT_NO_NAME: none. O(count).
uint32_t weft_name_find(const void *records, size_t record_bytes, uint32_t count, const char *name);

// The same for a name that is not NUL-terminated.
uint32_t weft_word_find(const void *records, size_t record_bytes, uint32_t count, const char *word,
                        size_t length);

WEFT_EXTERN_C_END

#endif
