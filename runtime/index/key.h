// Keys: numbers that compare like the values of fields.
//
// A key is one 64-bit word for a number, an enum or a handle. A string has as many words as its
// bytes need, zero-filled after its end. Words of numbers compare like the numbers: 0 and -0 are
// equal, and all NaN are equal and come last. An ordered index sorts by such a word. A hash is
// computed from all words of its fields. The hash of a single word is a bijection, so equal hashes
// mean equal keys and need no comparison.
#ifndef WEFT_KEY_H
#define WEFT_KEY_H

#include "../base/compiler.h"

#include <string.h>

#define WEFT_KEY_WORDS_MAX 32u // for all fields of a hash together

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

// Writes the words of a string field of `bytes` bytes, which may be shorter.
static inline void weft_key_string(uint64_t *words, const char *text, size_t bytes)
{
    size_t length = 0;
    while (length < bytes && text[length] != '\0') length++;
    memset(words, 0, (bytes + 7) / 8 * 8);
    memcpy(words, text, length);
}

// Returns the bytes of a text after its last whole word, fewer than 8, zero-filled.
static inline uint64_t weft_key_tail(const char *text, size_t length)
{
    const size_t left = length % 8;
    uint64_t word = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (length >= 8) {
        memcpy(&word, text + length - 8, sizeof word);
        return word >> (64 - left * 8);
    }
#endif
    for (size_t i = 0; i < left; i++) memcpy((char *)&word + i, text + length - left + i, 1);
    return word;
}

// Like weft_key_string, for a string that ends with a NUL. Returns false if it is longer than
// `bytes`, because then no field can contain it. `bytes` is a constant at the call. The words are
// assembled in registers, because reading words that memcpy has just written would wait for the
// stores.
static inline bool weft_key_text(uint64_t *words, const char *text, size_t bytes)
{
    const size_t count = (bytes + 7) / 8;
    const size_t length = strlen(text);
    if (length > bytes) return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t word = 0;
        if (length >= 8 * (i + 1)) {
            memcpy(&word, text + 8 * i, sizeof word);
        } else if (length > 8 * i) {
            word = weft_key_tail(text, length);
        }
        words[i] = word;
    }
    return true;
}

// Returns whether a string field has these words. The first test succeeds if zeros follow its end,
// as is usual.
static inline bool weft_key_is(const uint64_t *words, const char *text, size_t bytes)
{
    uint64_t own[WEFT_KEY_WORDS_MAX];
    if (memcmp(words, text, bytes) == 0) return true;
    weft_key_string(own, text, bytes);
    return memcmp(words, own, bytes) == 0;
}

// A bijection of words (the finish of splitmix64, by Sebastiano Vigna).
static inline uint64_t weft_key_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// Multiplies, and xors both halves of the product, like wyhash by Wang Yi, which also uses this
// factor. One step for each word costs a third of weft_key_mix. The upper half matters: without it,
// keys that differ in few bits could collide.
static inline uint64_t weft_key_fold(uint64_t x)
{
    const uint64_t factor = 0xa0761d6478bd642fu;
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 product;
    product p = (product)x * factor;
    return (uint64_t)p ^ (uint64_t)(p >> 64);
#else
    const uint64_t low = (uint32_t)x * (factor & UINT32_MAX);
    const uint64_t one = (x >> 32) * (factor & UINT32_MAX) + (low >> 32);
    const uint64_t two = (uint32_t)x * (factor >> 32) + (uint32_t)one;
    const uint64_t high = (x >> 32) * (factor >> 32) + (one >> 32) + (two >> 32);
    return (two << 32 | (uint32_t)low) ^ high;
#endif
}

static inline uint64_t weft_key_hash(const uint64_t *words, uint32_t count)
{
    if (count == 1) return weft_key_mix(words[0]);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < count; i++) hash = weft_key_fold(hash ^ words[i]);
    return hash;
}

#endif
