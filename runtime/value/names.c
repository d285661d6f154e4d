// Searches read the first member of each record, its name. The distance of two words is the
// Damerau-Levenshtein distance, in which each pair of letters is swapped at most once.
#include "names.h"

#include <inttypes.h>
#include <stdio.h>

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

uint32_t weft_name_before(const void *records, size_t record_bytes, uint32_t count, uint32_t likely,
                          const char *name, const char *was)
{
    if (likely < count) { // `records` is NULL without any
        const unsigned char *at = (const unsigned char *)records + likely * record_bytes;
        if (weft_name_find(at, record_bytes, 1, name) == 0) return likely;
    }
    uint32_t found = weft_name_find(records, record_bytes, count, name);
    if (found != WEFT_NO_NAME || !was || was[0] == '\0') return found;
    return weft_name_find(records, record_bytes, count, was);
}

void weft_item_text(const weft_schema *schema, const weft_field *field, uint32_t item, char *text,
                    size_t bytes)
{
    const weft_enum_info *by = weft_field_by(schema, field);
    if (by)
        snprintf(text, bytes, "[%s]", by->values[item]);
    else
        snprintf(text, bytes, "[%" PRIu32 "]", item);
}

uint32_t weft_item_find(const weft_schema *schema, const weft_field *field, uint32_t count,
                        const char *text, size_t length)
{
    const weft_enum_info *by = weft_field_by(schema, field);
    uint64_t number = length == 0 ? UINT32_MAX : 0;
    uint32_t item =
        by ? weft_word_find(by->values, sizeof *by->values, by->count, text, length) : WEFT_NO_NAME;
    for (size_t i = 0; i < length && number < count; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        number = digit ? number * 10 + (uint64_t)(text[i] - '0') : UINT32_MAX;
    }
    return item == WEFT_NO_NAME && number < count ? (uint32_t)number : item;
}

// ------------------------------------------------------------------------------------------------
// The nearest name

#define ROW (WEFT_NEAREST_NAME_BYTES + 1u)

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Row i of the table contains the distances of the first i letters of `a` to every beginning of
// `b`. Only the last three rows are needed.
static uint32_t letters_between(const char *a, size_t a_length, const char *b, size_t b_length)
{
    uint32_t rows[3][ROW];
    for (uint32_t j = 0; j <= b_length; j++) rows[0][j] = j;
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t *row = rows[i % 3];
        const uint32_t *above = rows[(i - 1) % 3];
        row[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            bool differs = lower(a[i - 1]) != lower(b[j - 1]);
            row[j] = least(above[j - 1] + differs, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && differs && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

void weft_names_nearest(weft_nearest *nearest, const weft_names *names, const char *word,
                        size_t length)
{
    if (length > WEFT_NEAREST_NAME_BYTES) return;
    for (uint32_t i = 0; i < names->count; i++) {
        const char *name = weft_names_nth(names, i);
        size_t name_length = strlen(name);
        if (name_length > WEFT_NEAREST_NAME_BYTES) continue;
        uint32_t letters = letters_between(word, length, name, name_length);
        size_t longer = length > name_length ? length : name_length;
        if (letters * 3 > longer || (nearest->name && letters >= nearest->letters)) continue;
        *nearest = (weft_nearest){name, letters};
    }
}
