// The bytes of a save: words, texts, arrays, and sections with their checksums.
//
// A save is a row of 8-byte little-endian words (SAVES.md says which). Whatever is put is filled up
// with zeros to whole words, so that everything in a save starts at a multiple of 8. Writing runs
// twice over what is saved: once to count, since a section says first how long it is, then for
// good. Reading never goes beyond the bytes there are: what is not there reads as zeros, and `bad`
// remembers it.
#ifndef WEFT_SAVE_BYTES_H
#define WEFT_SAVE_BYTES_H

#include "../base/memory.h"

WEFT_EXTERN_C_BEGIN

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define WEFT_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#else
#define WEFT_BIG_ENDIAN 0
#endif

#define WEFT_WORD_BYTES ((size_t)8)

// What tells one kind of section from another, as the bytes of a text.
#define WEFT_SECTION(a, b, c, d)                                                                   \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define WEFT_SECTION_HEAD_BYTES (2 * WEFT_WORD_BYTES) // kind and flags, then bytes
#define WEFT_SECTION_SKIP 1u // flag: who does not know the kind may go on without

// ------------------------------------------------------------------------------------------------
// Checksums: of words, eight at a time side by side. Any change within one word changes it.

#define WEFT_CHECKSUM_LANES 8u

typedef struct weft_checksum {
    uint64_t lanes[WEFT_CHECKSUM_LANES];
    uint64_t words; // so far
} weft_checksum;

void weft_checksum_begin(weft_checksum *sum);
void weft_checksum_add(weft_checksum *sum, const void *bytes, size_t count); // whole words
uint64_t weft_checksum_end(const weft_checksum *sum);

// Bytes are copied and summed in pieces of that many, which are near when they are met again:
// memory is passed over once.
#define WEFT_PIECE_BYTES ((size_t)128 * 1024)

// ------------------------------------------------------------------------------------------------
// Writing

// Takes whole words, all of one piece of the save. False: it cannot, and nothing more is asked of
// it.
typedef bool (*weft_sink_write)(void *to, const void *bytes, size_t count);

typedef struct weft_sink {
    weft_sink_write write; // NULL: only counts
    void *to;
    size_t piece_bytes; // the save is cut at multiples of it; summed when they have been written
    uint64_t bytes;     // put so far
    weft_checksum sum;
    bool failed;
} weft_sink;

void weft_put_word(weft_sink *sink, uint64_t word);
void weft_put_bytes(weft_sink *sink, const void *bytes, size_t count); // filled up to words
void weft_put_text(weft_sink *sink, const char *text); // its length, then it with at least one NUL

// Numbers of 1, 2, 4 or 8 bytes in a row, filled up to words.
void weft_put_numbers(weft_sink *sink, const void *numbers, uint64_t count, size_t size);

// Bytes that come in pieces, which are no words each: put as words once there are enough.
typedef struct weft_loose {
    weft_sink *sink;
    size_t count; // bytes that wait
    unsigned char waiting[4096];
} weft_loose;

void weft_put_loose(weft_loose *loose, const void *bytes, size_t count);
void weft_put_loose_number(weft_loose *loose, uint64_t number, size_t size); // its low bytes
void weft_end_loose(weft_loose *loose);                                      // fills up to words

// Puts a section: what `put` puts, twice, between a head and a checksum.
typedef void (*weft_section_put)(weft_sink *sink, const void *context);
void weft_put_section(weft_sink *sink, uint32_t kind, uint32_t flags, weft_section_put put,
                      const void *context);

// ------------------------------------------------------------------------------------------------
// Reading

typedef struct weft_bytes {
    const unsigned char *at;
    size_t left;        // whole words
    bool bad;           // more was taken than there is, or it was not what it has to be
    weft_checksum *sum; // what is taken is added to; NULL: to none
} weft_bytes;

uint64_t weft_take_word(weft_bytes *bytes);

// A word that is at most `most`; else bad, and 0.
uint32_t weft_take_number(weft_bytes *bytes, uint32_t most);

// `count` elements of `size` bytes where they lie, filled up to words; NULL: bad.
const void *weft_take_array(weft_bytes *bytes, uint64_t count, size_t size);

// The same, copied to `to` by the way. False: bad.
bool weft_take_copy(weft_bytes *bytes, uint64_t count, size_t size, void *to);
const char *weft_take_text(weft_bytes *bytes); // "": bad

typedef struct weft_section {
    uint32_t kind;
    uint32_t flags;
    weft_bytes body; // between head and checksum
} weft_section;

// The next section, whose checksum has not been looked at; false: there is none that is whole.
bool weft_take_section(weft_bytes *bytes, weft_section *section);

// Whether its bytes give its checksum. O(bytes).
bool weft_section_is_sound(const weft_section *section);

// For a section that is copied by the way: its body, which adds to `sum` what is taken, and whether
// all of it was taken and it was sound.
weft_bytes weft_section_open(const weft_section *section, weft_checksum *sum);
bool weft_section_ended(const weft_bytes *body);

// A number of 1, 2, 4 or 8 bytes as it lies in a save.
static inline uint64_t weft_little_read(const void *at, uint32_t bytes)
{
    const unsigned char *from = (const unsigned char *)at;
    uint64_t value = 0;
    if (!WEFT_BIG_ENDIAN && bytes == 8) {
        memcpy(&value, at, 8);
        return value;
    }
    for (uint32_t i = 0; i < bytes; i++) value |= (uint64_t)from[i] << i * 8;
    return value;
}

static inline void weft_little_write(void *at, uint32_t bytes, uint64_t value)
{
    unsigned char *to = (unsigned char *)at;
    for (uint32_t i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> i * 8);
}

WEFT_EXTERN_C_END

#endif
