// Names of the schema: finds records and elements of arrays by name, and for a name that does not
// exist, the one that was probably meant.
//
// Two names are near if few letters differ. A missing, added or different letter counts as one, and
// so do two neighbouring letters in the wrong order. Case is ignored. At most a third of the
// letters may differ.
#ifndef WEFT_NAMES_H
#define WEFT_NAMES_H

#include "../weft.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Records. Each record begins with a pointer to its name, and so does each element of an array of
// names. So one search finds components, fields, values of enums and everything else.

#define WEFT_NO_NAME UINT32_MAX

// Returns the position of the name among `count` records of `record_bytes` bytes, or WEFT_NO_NAME.
// The word need not end with a NUL. O(count).
uint32_t weft_word_find(const void *records, size_t record_bytes, uint32_t count, const char *word,
                        size_t length);

static inline uint32_t weft_name_find(const void *records, size_t record_bytes, uint32_t count,
                                      const char *name)
{
    return weft_word_find(records, record_bytes, count, name, strlen(name));
}

// Finds a record of an older schema by its current name, or else by its earlier name (`was`; "" or
// NULL if it has none). Most schemas change little, so the record `likely` is compared first.
uint32_t weft_name_before(const void *records, size_t record_bytes, uint32_t count, uint32_t likely,
                          const char *name, const char *was);

// ------------------------------------------------------------------------------------------------
// Sets of names

// A set of names: those of some records.
typedef struct weft_names {
    const char *kind;  // of a record, for messages: "component"
    const char *owner; // of fields and values of an enum, for messages; NULL for the schema
    const void *records;
    size_t record_bytes;
    uint32_t count;
} weft_names;

#define WEFT_NAMES(of, whose, first, number)                                                       \
    ((weft_names){.kind = (of),                                                                    \
                  .owner = (whose),                                                                \
                  .records = (first),                                                              \
                  .record_bytes = sizeof *(first),                                                 \
                  .count = (number)})

static inline weft_names weft_component_names(const weft_schema *schema)
{
    weft_names names = {"component", NULL, schema->components, sizeof *schema->components,
                        schema->component_count};
    return names;
}

static inline weft_names weft_singleton_names(const weft_schema *schema)
{
    weft_names names = {"singleton", NULL, schema->singletons, sizeof *schema->singletons,
                        schema->singleton_count};
    return names;
}

static inline weft_names weft_relation_names(const weft_schema *schema)
{
    weft_names names = {"relation", NULL, schema->relations, sizeof *schema->relations,
                        schema->relation_count};
    return names;
}

static inline weft_names weft_link_names(const weft_schema *schema)
{
    weft_names names = {"link", NULL, schema->links, sizeof *schema->links, schema->link_count};
    return names;
}

static inline weft_names weft_event_names(const weft_schema *schema)
{
    weft_names names = {"event", NULL, schema->events, sizeof *schema->events, schema->event_count};
    return names;
}

static inline weft_names weft_value_names(const weft_enum_info *info)
{
    weft_names names = {"value", info->name, info->values, sizeof *info->values, info->count};
    return names;
}

static inline weft_names weft_field_names(const char *owner, const weft_field *fields,
                                          uint32_t count)
{
    weft_names names = {"field", owner, fields, sizeof *fields, count};
    return names;
}

static inline const char *weft_names_nth(const weft_names *names, uint32_t i)
{
    const char *record = (const char *)names->records + i * names->record_bytes;
    return *(const char *const *)(const void *)record;
}

static inline uint32_t weft_names_find(const weft_names *names, const char *word, size_t length)
{
    return weft_word_find(names->records, names->record_bytes, names->count, word, length);
}

// ------------------------------------------------------------------------------------------------
// Elements

// Returns the enum that numbers the elements of a field, or NULL.
static inline const weft_enum_info *weft_field_by(const weft_schema *schema,
                                                  const weft_field *field)
{
    return field->by != 0 ? &schema->enums[field->by - 1u] : NULL;
}

// Writes the place of an element as in a path: "[3]", or "[bread]" if an enum numbers the array.
// The text is cut if there is no space.
#define WEFT_ITEM_TEXT_BYTES 72u // of a name and its brackets
void weft_item_text(const weft_schema *schema, const weft_field *field, uint32_t item, char *text,
                    size_t bytes);

// Returns the element at such a place, given without brackets, if it is among the first `count`;
// otherwise WEFT_NO_NAME. An array that an enum numbers can also be indexed by digits.
uint32_t weft_item_find(const weft_schema *schema, const weft_field *field, uint32_t count,
                        const char *text, size_t length);

// ------------------------------------------------------------------------------------------------
// The nearest name

#define WEFT_NEAREST_NAME_BYTES 64u // longer names are never near

typedef struct weft_nearest {
    const char *name; // NULL if no name is near so far
    uint32_t letters; // how many letters differ
} weft_nearest;

// Replaces `nearest` if one of the names is nearer to the word, which need not end with a NUL.
// O(names), with a table of letters for each name.
void weft_names_nearest(weft_nearest *nearest, const weft_names *names, const char *word,
                        size_t length);

#endif
