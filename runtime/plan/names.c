// The one search by name.
#include "names.h"

#include <string.h>

#define BEGINS_WITH_NAME(record)                                                                   \
    WEFT_STATIC_ASSERT(offsetof(record, name) == 0, #record " begins with its name")

BEGINS_WITH_NAME(weft_field);
BEGINS_WITH_NAME(weft_component_info);
BEGINS_WITH_NAME(weft_singleton_info);
BEGINS_WITH_NAME(weft_event_info);
BEGINS_WITH_NAME(weft_relation_info);

uint32_t weft_word_find(const void *records, size_t record_bytes, uint32_t count, const char *word,
                        size_t length)
{
    const unsigned char *at = (const unsigned char *)records;
    for (uint32_t i = 0; i < count; i++, at += record_bytes) {
        const char *name = *(const char *const *)(const void *)at;
        if (strncmp(name, word, length) == 0 && name[length] == '\0') return i;
    }
    return WEFT_NO_NAME;
}

uint32_t weft_name_find(const void *records, size_t record_bytes, uint32_t count, const char *name)
{
    return weft_word_find(records, record_bytes, count, name, strlen(name));
}

uint32_t weft_name_before(const void *records, size_t record_bytes, uint32_t count,
                          const char *name, const char *was)
{
    uint32_t found = weft_name_find(records, record_bytes, count, name);
    if (found != WEFT_NO_NAME || !was || was[0] == '\0') return found;
    return weft_name_find(records, record_bytes, count, was);
}
