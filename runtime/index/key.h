// Keys: numbers that compare as the values of fields do.
//
// A key is one word of 64 bits for a number, an enum or a handle, and as many as its bytes take for
// a string, with zeros behind its end. A word of a number compares as the numbers do: 0 and -0 are
// equal, all that is no number is equal and comes last. An ordered index sorts by such a word, and
// a hash is of all words of its fields. Of a single word the hash is another word for each value,
// so that equal hashes mean equal keys, and nothing has to be compared.
#ifndef WEFT_KEY_H
#define WEFT_KEY_H

#include "../base/compiler.h"

#include <string.h>

#define WEFT_KEY_WORDS_MAX 32u // of the fields of a hash, together

static inline uint64_t weft_key_u64(uint64_t value)
{
    return value;
}

static inline uint64_t weft_key_i64(int64_t value)
{
    return (uint64_t)value ^ (uint64_t)1 << 63;
}

static inline uint64_t weft_key_f64(double value)
{
    uint64_t bits;
    if (value != value) return ~(uint64_t)0;
    value += 0.0; // -0 becomes 0
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | (uint64_t)1 << 63;
}

// Writes the words of a field that is a string of so many bytes, or shorter.
static inline void weft_key_string(uint64_t *words, const char *text, size_t bytes)
{
    size_t length = 0;
    while (length < bytes && text[length] != '\0') length++;
    memset(words, 0, (bytes + 7) / 8 * 8);
    memcpy(words, text, length);
}

// Does so for a string that ends with a NUL. Returns false if it is longer, so that no such field
// can have it.
static inline bool weft_key_text(uint64_t *words, const char *text, size_t bytes)
{
    size_t length = strlen(text);
    if (length > bytes) return false;
    memset(words, 0, (bytes + 7) / 8 * 8);
    memcpy(words, text, length);
    return true;
}

// Tells whether a field that is a string has such words. Behind its end there mostly are zeros.
static inline bool weft_key_is(const uint64_t *words, const char *text, size_t bytes)
{
    uint64_t own[WEFT_KEY_WORDS_MAX];
    if (memcmp(words, text, bytes) == 0) return true;
    weft_key_string(own, text, bytes);
    return memcmp(words, own, bytes) == 0;
}

// Every word has another one that it becomes (the finish of splitmix64, by Sebastiano Vigna).
static inline uint64_t weft_key_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline uint64_t weft_key_hash(const uint64_t *words, uint32_t count)
{
    uint64_t hash = weft_key_mix(words[0]);
    for (uint32_t i = 1; i < count; i++) {
        hash = weft_key_mix((hash ^ words[i]) + 0x9e3779b97f4a7c15u);
    }
    return hash;
}

#endif
