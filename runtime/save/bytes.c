// Words into and out of saves, one section at a time.
#include "bytes.h"

#include "../value/fields.h"

#define CHECKSUM_FACTOR 0x9E3779B97F4A7C15u // odd, so that the multiplication loses nothing

// ------------------------------------------------------------------------------------------------
// Checksums

void weft_checksum_begin(weft_checksum *sum)
{
    sum->words = 0;
    for (uint32_t i = 0; i < WEFT_CHECKSUM_LANES; i++) sum->lanes[i] = i + 1;
}

// A different word gives a different lane, and so does a different lane with the same word. There
// is no multiplication, because not every instruction set has one for vectors of 64-bit numbers.
static inline uint64_t lane_step(uint64_t lane, uint64_t word)
{
    uint64_t x = lane ^ word;
    x += x << 7;
    return x << 29 | x >> 35;
}

// Adds words one by one, each to the next lane.
static const unsigned char *sum_words(weft_checksum *sum, const unsigned char *at, size_t words)
{
    for (; words != 0; words--, at += WEFT_WORD_BYTES) {
        uint64_t *lane = &sum->lanes[sum->words++ % WEFT_CHECKSUM_LANES];
        *lane = lane_step(*lane, weft_little_read(at, WEFT_WORD_BYTES));
    }
    return at;
}

// Adds words in rounds, one word for each lane.
WEFT_HOT static const unsigned char *sum_rounds(weft_checksum *sum, const unsigned char *at,
                                                size_t rounds)
{
    uint64_t lanes[WEFT_CHECKSUM_LANES];
    memcpy(lanes, sum->lanes, sizeof lanes);
    for (size_t i = 0; i < rounds; i++, at += sizeof lanes) {
        for (uint32_t k = 0; k < WEFT_CHECKSUM_LANES; k++) {
            lanes[k] =
                lane_step(lanes[k], weft_little_read(at + k * WEFT_WORD_BYTES, WEFT_WORD_BYTES));
        }
    }
    memcpy(sum->lanes, lanes, sizeof lanes);
    sum->words += rounds * WEFT_CHECKSUM_LANES;
    return at;
}

void weft_checksum_add(weft_checksum *sum, const void *bytes, size_t count)
{
    size_t words = count / WEFT_WORD_BYTES;
    size_t first = (size_t)(-sum->words % WEFT_CHECKSUM_LANES); // up to the next round
    if (first > words) first = words;
    const unsigned char *at = sum_words(sum, (const unsigned char *)bytes, first);
    at = sum_rounds(sum, at, (words - first) / WEFT_CHECKSUM_LANES);
    sum_words(sum, at, (words - first) % WEFT_CHECKSUM_LANES);
}

uint64_t weft_checksum_end(const weft_checksum *sum)
{
    uint64_t end = sum->words;
    for (uint32_t i = 0; i < WEFT_CHECKSUM_LANES; i++) {
        end = (end ^ sum->lanes[i]) * CHECKSUM_FACTOR;
        end ^= end >> 32;
    }
    return end;
}

// ------------------------------------------------------------------------------------------------
// Writing

static void write_words(weft_sink *sink, const void *bytes, size_t count)
{
    const unsigned char *at = (const unsigned char *)bytes;
    if (!sink->write) {
        sink->bytes += count;
        return;
    }
    while (count != 0 && !sink->failed) {
        size_t space = sink->piece_bytes - (size_t)(sink->bytes % sink->piece_bytes);
        size_t piece = count < space ? count : space;
        sink->failed = !sink->write(sink->to, at, piece);
        weft_checksum_add(&sink->sum, at, piece);
        sink->bytes += piece;
        at += piece;
        count -= piece;
    }
}

void weft_write_word(weft_sink *sink, uint64_t word)
{
    unsigned char bytes[WEFT_WORD_BYTES];
    if (!sink->write) { // each body is counted once before it is written
        sink->bytes += sizeof bytes;
        return;
    }
    if (WEFT_BIG_ENDIAN)
        weft_little_write(bytes, WEFT_WORD_BYTES, word);
    else
        memcpy(bytes, &word, sizeof bytes);
    write_words(sink, bytes, sizeof bytes);
}

void weft_write_bytes(weft_sink *sink, const void *bytes, size_t count)
{
    unsigned char last[WEFT_WORD_BYTES] = {0};
    size_t rest = count % WEFT_WORD_BYTES;
    write_words(sink, bytes, count - rest);
    if (rest == 0) return;
    if (sink->write) memcpy(last, (const unsigned char *)bytes + (count - rest), rest);
    write_words(sink, last, sizeof last);
}

void weft_write_text(weft_sink *sink, const char *text)
{
    size_t length = strlen(text);
    weft_write_word(sink, length);
    weft_write_bytes(sink, text, length + 1);
}

void weft_stream_number(weft_number_stream *stream, uint64_t number, size_t size)
{
    weft_little_write(stream->waiting + stream->count, (uint32_t)size, number);
    stream->count += size;
    if (stream->count == sizeof stream->waiting) weft_stream_end(stream);
}

void weft_stream_end(weft_number_stream *stream)
{
    weft_write_bytes(stream->sink, stream->waiting, stream->count);
    stream->count = 0;
}

void weft_write_numbers(weft_sink *sink, const void *numbers, uint64_t count, size_t size)
{
    const unsigned char *at = numbers;
    if (!WEFT_BIG_ENDIAN || !sink->write) {
        weft_write_bytes(sink, numbers, (size_t)count * size);
        return;
    }
    weft_number_stream stream = {.sink = sink};
    for (uint64_t i = 0; i < count; i++, at += size) {
        weft_stream_number(&stream, weft_bits_read(at, (uint32_t)size), size);
    }
    weft_stream_end(&stream);
}

void weft_write_section(weft_sink *sink, uint32_t kind, uint32_t flags,
                        weft_section_write write_body, const void *context)
{
    weft_sink counter = {.write = NULL};
    write_body(&counter, context);
    if (counter.bytes == 0 && kind != WEFT_SECTION_END) return;
    weft_checksum_begin(&sink->sum);
    weft_write_word(sink, kind | (uint64_t)flags << 32);
    weft_write_word(sink, counter.bytes);
    write_body(sink, context);
    weft_write_word(sink, weft_checksum_end(&sink->sum));
}

// ------------------------------------------------------------------------------------------------
// Reading

uint64_t weft_read_word(weft_bytes *bytes)
{
    const void *at = weft_read_array(bytes, 1, WEFT_WORD_BYTES);
    return at ? weft_little_read(at, WEFT_WORD_BYTES) : 0;
}

uint32_t weft_read_number(weft_bytes *bytes, uint32_t most)
{
    uint64_t word = weft_read_word(bytes);
    if (word <= most) return (uint32_t)word;
    bytes->bad = true;
    return 0;
}

uint32_t weft_read_place(weft_bytes *bytes, uint32_t count)
{
    if (count == 0) bytes->bad = true;
    return count == 0 ? 0 : weft_read_number(bytes, count - 1);
}

// Skips `count` elements and their padding, which must be zeros. Returns NULL if bad.
static const unsigned char *next_elements(weft_bytes *bytes, uint64_t count, size_t size,
                                          size_t *length, size_t *whole)
{
    const unsigned char *at = bytes->at;
    if (bytes->bad || (size != 0 && count > bytes->left / size)) {
        bytes->bad = true;
        return NULL;
    }
    *length = (size_t)count * size; // `left` is whole words, so it also fits when padded
    *whole = weft_round_up(*length, WEFT_WORD_BYTES);
    uint32_t rest = (uint32_t)(*length % WEFT_WORD_BYTES);
    if (rest != 0 && weft_little_read(at + (*whole - WEFT_WORD_BYTES), WEFT_WORD_BYTES) >> rest * 8)
        bytes->bad = true;
    bytes->at += *whole;
    bytes->left -= *whole;
    return bytes->bad ? NULL : at;
}

const void *weft_read_array(weft_bytes *bytes, uint64_t count, size_t size)
{
    size_t length, whole;
    const unsigned char *at = next_elements(bytes, count, size, &length, &whole);
    if (at && bytes->sum) weft_checksum_add(bytes->sum, at, whole);
    return at;
}

bool weft_read_copy(weft_bytes *bytes, uint64_t count, size_t size, void *to)
{
    size_t length, whole;
    const unsigned char *at = next_elements(bytes, count, size, &length, &whole);
    if (!at) return false;
    if (!bytes->sum) memcpy(to, at, length);
    for (size_t done = 0; bytes->sum && done < whole; done += WEFT_PIECE_BYTES) {
        size_t piece = whole - done < WEFT_PIECE_BYTES ? whole - done : WEFT_PIECE_BYTES;
        size_t values = length - done < piece ? length - done : piece;
        memcpy((unsigned char *)to + done, at + done, values);
        weft_checksum_add(bytes->sum, at + done, piece);
    }
    return true;
}

const char *weft_read_text(weft_bytes *bytes)
{
    uint64_t length = weft_read_word(bytes);
    const char *text = length < SIZE_MAX ? weft_read_array(bytes, length + 1, 1) : NULL;
    if (text && text[length] == '\0' && strlen(text) == length) return text;
    bytes->bad = true;
    return "";
}

bool weft_read_section(weft_bytes *bytes, weft_section *section)
{
    weft_bytes rest = *bytes;
    uint64_t kind = weft_read_word(&rest);
    uint64_t count = weft_read_word(&rest);
    const unsigned char *body = weft_read_array(&rest, count, 1);
    weft_read_word(&rest); // the checksum
    if (rest.bad || count % WEFT_WORD_BYTES != 0) return false;
    *section =
        (weft_section){(uint32_t)kind, (uint32_t)(kind >> 32), {body, (size_t)count, false, NULL}};
    *bytes = rest;
    return true;
}

// Returns whether a section's checksum, stored at `at`, is the computed one.
static bool sum_matches(const weft_checksum *sum, const unsigned char *at)
{
    return weft_checksum_end(sum) == weft_little_read(at, WEFT_WORD_BYTES);
}

// Sums the head of a section and the first `bytes` bytes of its body.
static void sum_section(weft_bytes body, size_t bytes, weft_checksum *sum)
{
    weft_checksum_begin(sum);
    weft_checksum_add(sum, body.at - WEFT_SECTION_HEAD_BYTES, WEFT_SECTION_HEAD_BYTES + bytes);
}

bool weft_section_is_sound(const weft_section *section)
{
    weft_checksum sum;
    sum_section(section->body, section->body.left, &sum);
    return sum_matches(&sum, section->body.at + section->body.left);
}

weft_bytes weft_section_open(const weft_section *section, weft_checksum *sum)
{
    weft_bytes body = section->body;
    bool at_once = body.left <= WEFT_PIECE_BYTES;
    sum_section(body, at_once ? body.left : 0, sum);
    body.sum = at_once ? NULL : sum;
    return body;
}

bool weft_section_ended(const weft_bytes *body, const weft_checksum *sum)
{
    return weft_bytes_ended(body) && sum_matches(sum, body->at);
}

// ------------------------------------------------------------------------------------------------
// Cells

static inline void copy_each_cell(weft_cells cells, size_t bytes)
{
    for (size_t i = 0; i < cells.count; i++) {
        memcpy(cells.to + i * cells.to_stride, cells.from + i * cells.from_stride, bytes);
    }
}

// Most cells have the size of a number. A loop with a constant size is faster.
void weft_cells_copy(weft_cells cells, size_t bytes)
{
    if (bytes == 1)
        copy_each_cell(cells, 1);
    else if (bytes == 2)
        copy_each_cell(cells, 2);
    else if (bytes == 4)
        copy_each_cell(cells, 4);
    else if (bytes == 8)
        copy_each_cell(cells, 8);
    else
        copy_each_cell(cells, bytes);
}
