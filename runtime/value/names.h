// Names of the schema: records found by their names, elements of arrays by theirs, and the name that
// was meant by one that does not exist.
//
// Two names are near if few letters differ. A missing letter, an added one and another one count one
// each, and so do two neighbours in the wrong order. Capitals do not count. At most a third of the
// letters may differ.
#ifndef WEFT_NAMES_H
#define WEFT_NAMES_H

#include "../weft.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Records. Each begins with its name, and so does an array of names alone, so that one search finds
// components, fields, values of enums and all others.

#define WEFT_NO_NAME UINT32_MAX

// Returns which of `count` records of `record_bytes` bytes has the name, or WEFT_NO_NAME. The word
// need not end with a NUL. O(count).
uint32_t weft_word_find(const void *records, size_t record_bytes, uint32_t count, const char *word,
                        size_t length);

static inline uint32_t weft_name_find(const void *records, size_t record_bytes, uint32_t count,
                                      const char *name)
{
    return weft_word_find(records, record_bytes, count, name, strlen(name));
}

// Finds a record of an older schema by its name, or else by its name before a rename ("" or NULL if
// there was none). Most schemas change little, so the record `likely` is compared first.
uint32_t weft_name_before(const void *records, size_t record_bytes, uint32_t count, uint32_t likely,
                          const char *name, const char *was);

// ------------------------------------------------------------------------------------------------
// Elements

// Returns the enum whose values number the elements of a field, or NULL if none does.
static inline const weft_enum_info *weft_field_by(const weft_schema *schema,
                                                  const weft_field *field)
{
    return field->by != 0 ? &schema->enums[field->by - 1u] : NULL;
}

// Writes the place of an element as in a path, "[3]", or "[bread]" of an array by an enum, cut to
// the space there is.
#define WEFT_ITEM_TEXT_BYTES 72u // of a name and its brackets
void weft_item_text(const weft_schema *schema, const weft_field *field, uint32_t item, char *text,
                    size_t bytes);

// Returns the element at such a place, given without its brackets, among `count`, or WEFT_NO_NAME.
// Digits also find the elements of an array by an enum.
uint32_t weft_item_find(const weft_schema *schema, const weft_field *field, uint32_t count,
                        const char *text, size_t length);

// ------------------------------------------------------------------------------------------------
// The nearest name

#define WEFT_NEAREST_NAME_BYTES 64u // longer names are near to none

typedef struct weft_nearest {
    const char *name; // NULL: none is near so far
    uint32_t letters; // that differ
} weft_nearest;

// Replaces `nearest` if one of `count` records is nearer to a word, which need not end with a NUL.
// O(count), with a table of letters for each.
void weft_nearest_among(weft_nearest *nearest, const void *records, size_t record_bytes,
                        uint32_t count, const char *word, size_t length);

#endif
