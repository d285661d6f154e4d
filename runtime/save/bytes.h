// The bytes of a save: words, strings, arrays, and sections with their checksums.
//
// A save is a sequence of 8-byte little-endian words; SAVES.md describes each of them. Everything
// is padded with zeros to whole words, so that every item in a save starts at a multiple of 8. A
// section begins with its length, so its body is written twice: once to count the bytes, then to
// write them. Reading never goes past the end: missing bytes read as zeros, and the flag `bad`
// records it.
#ifndef WEFT_SAVE_BYTES_H
#define WEFT_SAVE_BYTES_H

#include "../base/memory.h"

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define WEFT_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#else
#define WEFT_BIG_ENDIAN 0
#endif

#define WEFT_WORD_BYTES ((size_t)8)

#define WEFT_SAVE_MAGIC 0x4556415354464557u // "WEFTSAVE"
#define WEFT_SAVE_VERSION 1u
#define WEFT_SAVE_HEAD_BYTES (4 * WEFT_WORD_BYTES) // magic, version, bytes of the save, checksum

// The kind of a section: four characters as a number.
#define WEFT_SECTION(a, b, c, d)                                                                   \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define WEFT_SECTION_SCHEMA WEFT_SECTION('S', 'C', 'H', 'M')
#define WEFT_SECTION_VERSION WEFT_SECTION('V', 'E', 'R', 'S')
#define WEFT_SECTION_ENTITIES WEFT_SECTION('E', 'N', 'T', 'S')
#define WEFT_SECTION_TABLE WEFT_SECTION('T', 'A', 'B', 'L')
#define WEFT_SECTION_SPARSE WEFT_SECTION('S', 'P', 'R', 'S')
#define WEFT_SECTION_SINGLETON WEFT_SECTION('S', 'I', 'N', 'G')
#define WEFT_SECTION_CLOCKS WEFT_SECTION('C', 'L', 'K', 'S')
#define WEFT_SECTION_SEED WEFT_SECTION('S', 'E', 'E', 'D')
#define WEFT_SECTION_SWITCHES WEFT_SECTION('S', 'W', 'C', 'H')
#define WEFT_SECTION_CHANGE_BITS WEFT_SECTION('M', 'R', 'K', 'S')
#define WEFT_SECTION_EVENT WEFT_SECTION('E', 'V', 'N', 'T')
#define WEFT_SECTION_RELATION WEFT_SECTION('R', 'E', 'L', 'A')
#define WEFT_SECTION_LINKS WEFT_SECTION('L', 'I', 'N', 'K')
#define WEFT_SECTION_REMOVED WEFT_SECTION('R', 'M', 'V', 'D')
#define WEFT_SECTION_AWAY WEFT_SECTION('A', 'W', 'A', 'Y')
#define WEFT_SECTION_PART WEFT_SECTION('P', 'A', 'R', 'T')
#define WEFT_SECTION_END WEFT_SECTION('E', 'N', 'D', ' ')

#define WEFT_SECTION_HEAD_BYTES (2 * WEFT_WORD_BYTES) // kind and flags, then bytes
#define WEFT_SECTION_SKIP 1u // flag: readers that do not know the kind may skip the section

// ------------------------------------------------------------------------------------------------
// Checksums of words, in eight lanes. Every change within a single word changes the checksum.

#define WEFT_CHECKSUM_LANES 8u

typedef struct weft_checksum {
    uint64_t lanes[WEFT_CHECKSUM_LANES];
    uint64_t words; // so far
} weft_checksum;

void weft_checksum_begin(weft_checksum *sum);
void weft_checksum_add(weft_checksum *sum, const void *bytes, size_t count); // whole words
uint64_t weft_checksum_end(const weft_checksum *sum);

// Bytes are copied and summed in pieces of this size. The second pass finds the piece in the cache,
// so memory is read only once.
#define WEFT_PIECE_BYTES ((size_t)128 * 1024)

// ------------------------------------------------------------------------------------------------
// Writing

// Writes whole words that belong to one piece of the save. After it has returned false it is not
// called again.
typedef bool (*weft_sink_write)(void *to, const void *bytes, size_t count);

typedef struct weft_sink {
    weft_sink_write write; // NULL to only count the bytes
    void *to;
    size_t piece_bytes; // the save is cut at multiples of it; a piece is summed after its write
    uint64_t bytes;     // so far
    weft_checksum sum;
    bool failed;
} weft_sink;

WEFT_APART void weft_write_word(weft_sink *sink, uint64_t word);
WEFT_APART void weft_write_bytes(weft_sink *sink, const void *bytes,
                                 size_t count); // pads to whole words; only reads if it writes
WEFT_APART void weft_write_text(weft_sink *sink, const char *text); // length, characters, NULs

// Writes an array of numbers of 1, 2, 4 or 8 bytes and pads it to whole words.
void weft_write_numbers(weft_sink *sink, const void *numbers, uint64_t count, size_t size);

// An array whose numbers are written one by one, all of one size. Initialise it as {.sink = sink}.
typedef struct weft_number_stream {
    weft_sink *sink;
    size_t count; // bytes that wait in the buffer
    unsigned char waiting[4096];
} weft_number_stream;

void weft_stream_number(weft_number_stream *stream, uint64_t number, size_t size); // the low bytes
void weft_stream_end(weft_number_stream *stream); // pads to words; then another array can begin

// Writes a section: a head, the body that `write` writes (it is called twice), and a checksum. A
// section with an empty body is left out, except for the end.
typedef void (*weft_section_write)(weft_sink *sink, const void *context);
void weft_write_section(weft_sink *sink, uint32_t kind, uint32_t flags, weft_section_write write,
                        const void *context);

// ------------------------------------------------------------------------------------------------
// Reading

typedef struct weft_bytes {
    const unsigned char *at;
    size_t left;        // whole words
    bool bad;           // reading went past the end, or found something invalid
    weft_checksum *sum; // sums everything that is read; NULL to sum nothing
} weft_bytes;

WEFT_APART uint64_t weft_read_word(weft_bytes *bytes);

// Read a word that must be at most `most`, or less than `count`. Otherwise they set `bad` and
// return 0.
WEFT_APART uint32_t weft_read_number(weft_bytes *bytes, uint32_t most);
uint32_t weft_read_place(weft_bytes *bytes, uint32_t count);

// Returns `count` elements of `size` bytes in their place and skips the padding. Returns NULL if
// bad.
const void *weft_read_array(weft_bytes *bytes, uint64_t count, size_t size);

// Copies such an array, one piece at a time if it is summed. Returns false if bad.
bool weft_read_copy(weft_bytes *bytes, uint64_t count, size_t size, void *to);
WEFT_APART const char *weft_read_text(weft_bytes *bytes); // returns "" if bad

// Returns whether everything was read, and nothing was bad.
static inline bool weft_bytes_ended(const weft_bytes *bytes)
{
    return !bytes->bad && bytes->left == 0;
}

typedef struct weft_section {
    uint32_t kind;
    uint32_t flags;
    weft_bytes body; // the words between head and checksum
} weft_section;

// Reads the next section without comparing its checksum. Returns false if there is no complete one.
bool weft_read_section(weft_bytes *bytes, weft_section *section);

// Returns whether the checksum of a section is correct. O(bytes).
bool weft_section_is_sound(const weft_section *section);

// Begins a section whose checksum is computed while it is read, or at once if the section is no
// larger than a piece. weft_section_ended returns whether all of it was read and its checksum is
// correct.
weft_bytes weft_section_open(const weft_section *section, weft_checksum *sum);
bool weft_section_ended(const weft_bytes *body, const weft_checksum *sum);

// Reads a little-endian number of 1, 2, 4 or 8 bytes.
static inline uint64_t weft_little_read(const void *at, uint32_t bytes)
{
    const unsigned char *from = (const unsigned char *)at;
    uint64_t value = 0;
    if (!WEFT_BIG_ENDIAN && bytes == 8) {
        memcpy(&value, at, 8);
        return value;
    }
    if (!WEFT_BIG_ENDIAN && bytes == 4) {
        memcpy(&value, at, 4);
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

// ------------------------------------------------------------------------------------------------
// Cells: one part of many values, for example one field of all rows or of all items of a list.

typedef struct weft_cells {
    const unsigned char *from;
    unsigned char *to;
    size_t from_stride;
    size_t to_stride;
    size_t count;
} weft_cells;

// Returns the cells of a part inside each cell.
static inline weft_cells weft_cells_at(weft_cells cells, size_t from_offset, size_t to_offset)
{
    cells.from += from_offset;
    cells.to += to_offset;
    return cells;
}

static inline weft_cells weft_cells_nth(weft_cells cells, size_t i)
{
    return weft_cells_at(cells, i * cells.from_stride, i * cells.to_stride);
}

void weft_cells_copy(weft_cells cells, size_t bytes);

#endif
