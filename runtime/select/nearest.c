// The distance of two words in letters (Damerau and Levenshtein, each pair changing places once).
#include "nearest.h"

#include <string.h>

#define ROW (WEFT_NEAREST_NAME_BYTES + 1u)

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Row i of the table has the distances of the first i letters of `a` from all beginnings of `b`, so
// three rows at a time are enough.
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

void weft_nearest_among(weft_nearest *nearest, const void *records, size_t record_bytes,
                        uint32_t count, const char *word, size_t length)
{
    const unsigned char *at = (const unsigned char *)records;
    if (length > WEFT_NEAREST_NAME_BYTES) return;
    for (uint32_t i = 0; i < count; i++, at += record_bytes) {
        const char *name = *(const char *const *)(const void *)at;
        size_t name_length = strlen(name);
        if (name_length > WEFT_NEAREST_NAME_BYTES) continue;
        uint32_t letters = letters_between(word, length, name, name_length);
        size_t longer = length > name_length ? length : name_length;
        if (letters * 3 > longer || (nearest->name && letters >= nearest->letters)) continue;
        *nearest = (weft_nearest){name, letters};
    }
}
