// Names: the one search. It reads the first member of a record, which is its name in all of these.
#include "names.h"

WEFT_STATIC_ASSERT(offsetof(weft_field, name) == 0, "a field begins with its name");
WEFT_STATIC_ASSERT(offsetof(weft_component_info, name) == 0, "a component begins with its name");
WEFT_STATIC_ASSERT(offsetof(weft_singleton_info, name) == 0, "a singleton begins with its name");
WEFT_STATIC_ASSERT(offsetof(weft_event_info, name) == 0, "an event begins with its name");
WEFT_STATIC_ASSERT(offsetof(weft_relation_info, name) == 0, "a relation begins with its name");

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

uint32_t weft_name_before(const void *records, size_t record_bytes, uint32_t count,
                          const char *name, const char *was)
{
    uint32_t found = weft_name_find(records, record_bytes, count, name);
    if (found != WEFT_NO_NAME || !was || was[0] == '\0') return found;
    return weft_name_find(records, record_bytes, count, was);
}
