// Words in and out of saves, one section at a time.
#include "bytes.h"

#define LANES WEFT_CHECKSUM_LANES
#define SUM_FACTOR 0x9E3779B97F4A7C15u // odd, so that no change of a lane is lost in it

// ------------------------------------------------------------------------------------------------
// Checksums

void weft_checksum_begin(weft_checksum *sum)
{
    sum->words = 0;
    for (uint32_t i = 0; i < LANES; i++) sum->lanes[i] = i + 1;
}

// No two words give the same lane, and no two lanes the same with a word. Without a multiplication,
// so that it is fast in every instruction set, with vectors or without.
static inline uint64_t step(uint64_t lane, uint64_t word)
{
    uint64_t x = lane ^ word;
    x += x << 7;
    return x << 29 | x >> 35;
}

// A few words, each in its lane.
static const unsigned char *add_words(weft_checksum *sum, const unsigned char *at, size_t words)
{
    for (; words != 0; words--, at += WEFT_WORD_BYTES) {
        uint64_t *lane = &sum->lanes[sum->words++ % LANES];
        *lane = step(*lane, weft_little_read(at, WEFT_WORD_BYTES));
    }
    return at;
}

// A word for each lane, again and again.
WEFT_HOT static const unsigned char *add_rounds(weft_checksum *sum, const unsigned char *at,
                                                size_t rounds)
{
    uint64_t lanes[LANES];
    memcpy(lanes, sum->lanes, sizeof lanes);
    for (size_t i = 0; i < rounds; i++, at += sizeof lanes) {
        for (uint32_t k = 0; k < LANES; k++) {
            lanes[k] = step(lanes[k], weft_little_read(at + k * WEFT_WORD_BYTES, WEFT_WORD_BYTES));
        }
    }
    memcpy(sum->lanes, lanes, sizeof lanes);
    sum->words += rounds * LANES;
    return at;
}

void weft_checksum_add(weft_checksum *sum, const void *bytes, size_t count)
{
    size_t words = count / WEFT_WORD_BYTES;
    size_t first = (size_t)(-sum->words % LANES); // up to the next round
    if (first > words) first = words;
    const unsigned char *at = add_words(sum, (const unsigned char *)bytes, first);
    at = add_rounds(sum, at, (words - first) / LANES);
    add_words(sum, at, (words - first) % LANES);
}

uint64_t weft_checksum_end(const weft_checksum *sum)
{
    uint64_t end = sum->words;
    for (uint32_t i = 0; i < LANES; i++) {
        end = (end ^ sum->lanes[i]) * SUM_FACTOR;
        end ^= end >> 32;
    }
    return end;
}

// Copies whole words, and adds them.
static void copy_and_add(weft_checksum *sum, unsigned char *to, const unsigned char *from,
                         size_t count)
{
    while (count != 0) {
        size_t piece = count < WEFT_PIECE_BYTES ? count : WEFT_PIECE_BYTES;
        memcpy(to, from, piece);
        weft_checksum_add(sum, from, piece);
        to += piece;
        from += piece;
        count -= piece;
    }
}

// ------------------------------------------------------------------------------------------------
// Writing

static void put(weft_sink *sink, const void *bytes, size_t count)
{
    const unsigned char *at = (const unsigned char *)bytes;
    if (!sink->write) {
        sink->bytes += count;
        return;
    }
    while (count != 0 && !sink->failed) {
        size_t room = sink->piece_bytes - (size_t)(sink->bytes % sink->piece_bytes);
        size_t piece = count < room ? count : room;
        sink->failed = !sink->write(sink->to, at, piece);
        weft_checksum_add(&sink->sum, at, piece);
        sink->bytes += piece;
        at += piece;
        count -= piece;
    }
}

void weft_put_word(weft_sink *sink, uint64_t word)
{
    unsigned char bytes[WEFT_WORD_BYTES];
    weft_little_write(bytes, WEFT_WORD_BYTES, word);
    put(sink, bytes, sizeof bytes);
}

void weft_put_bytes(weft_sink *sink, const void *bytes, size_t count)
{
    unsigned char last[WEFT_WORD_BYTES] = {0};
    size_t rest = count % WEFT_WORD_BYTES;
    put(sink, bytes, count - rest);
    if (rest == 0) return;
    memcpy(last, (const unsigned char *)bytes + (count - rest), rest);
    put(sink, last, sizeof last);
}

void weft_put_text(weft_sink *sink, const char *text)
{
    size_t length = strlen(text);
    weft_put_word(sink, length);
    weft_put_bytes(sink, text, length + 1);
}

void weft_put_loose(weft_loose *loose, const void *bytes, size_t count)
{
    const unsigned char *at = (const unsigned char *)bytes;
    while (count != 0) {
        size_t room = sizeof loose->waiting - loose->count;
        size_t some = count < room ? count : room;
        memcpy(loose->waiting + loose->count, at, some);
        loose->count += some;
        at += some;
        count -= some;
        if (loose->count == sizeof loose->waiting) weft_end_loose(loose);
    }
}

void weft_put_loose_number(weft_loose *loose, uint64_t number, size_t size)
{
    unsigned char bytes[WEFT_WORD_BYTES];
    weft_little_write(bytes, WEFT_WORD_BYTES, number);
    weft_put_loose(loose, bytes, size);
}

void weft_end_loose(weft_loose *loose)
{
    weft_put_bytes(loose->sink, loose->waiting, loose->count);
    loose->count = 0;
}

void weft_put_numbers(weft_sink *sink, const void *numbers, uint64_t count, size_t size)
{
    const unsigned char *at = (const unsigned char *)numbers;
    if (!WEFT_BIG_ENDIAN || !sink->write) {
        weft_put_bytes(sink, numbers, (size_t)count * size);
        return;
    }
    weft_loose loose = {.sink = sink};
    for (uint64_t i = 0; i < count; i++) {
        unsigned char bytes[WEFT_WORD_BYTES];
        for (size_t k = 0; k < size; k++) bytes[k] = at[i * size + size - 1 - k];
        weft_put_loose(&loose, bytes, size);
    }
    weft_end_loose(&loose);
}

void weft_put_section(weft_sink *sink, uint32_t kind, uint32_t flags, weft_section_put put_body,
                      const void *context)
{
    weft_sink counter = {.write = NULL};
    put_body(&counter, context);
    weft_checksum_begin(&sink->sum);
    weft_put_word(sink, kind | (uint64_t)flags << 32);
    weft_put_word(sink, counter.bytes);
    put_body(sink, context);
    weft_put_word(sink, weft_checksum_end(&sink->sum));
}

// ------------------------------------------------------------------------------------------------
// Reading

uint64_t weft_take_word(weft_bytes *bytes)
{
    const void *at = weft_take_array(bytes, 1, WEFT_WORD_BYTES);
    return at ? weft_little_read(at, WEFT_WORD_BYTES) : 0;
}

uint32_t weft_take_number(weft_bytes *bytes, uint32_t most)
{
    uint64_t word = weft_take_word(bytes);
    if (word <= most) return (uint32_t)word;
    bytes->bad = true;
    return 0;
}

// Takes `count` elements and what fills them up to whole words. NULL: bad.
static const unsigned char *take(weft_bytes *bytes, uint64_t count, size_t size, size_t *length,
                                 size_t *whole)
{
    const unsigned char *at = bytes->at;
    if (bytes->bad || (size != 0 && count > bytes->left / size)) {
        bytes->bad = true;
        return NULL;
    }
    *length = (size_t)count * size; // `left` is whole words, so filled up it fits as well
    *whole = weft_round_up(*length, WEFT_WORD_BYTES);
    for (size_t i = *length; i < *whole; i++) bytes->bad |= at[i] != 0;
    bytes->at += *whole;
    bytes->left -= *whole;
    return bytes->bad ? NULL : at;
}

const void *weft_take_array(weft_bytes *bytes, uint64_t count, size_t size)
{
    size_t length, whole;
    const unsigned char *at = take(bytes, count, size, &length, &whole);
    if (at && bytes->sum) weft_checksum_add(bytes->sum, at, whole);
    return at;
}

bool weft_take_copy(weft_bytes *bytes, uint64_t count, size_t size, void *to)
{
    size_t length, whole;
    const unsigned char *at = take(bytes, count, size, &length, &whole);
    if (!at) return false;
    size_t words = length / WEFT_WORD_BYTES * WEFT_WORD_BYTES;
    copy_and_add(bytes->sum, (unsigned char *)to, at, words);
    memcpy((unsigned char *)to + words, at + words, length - words);
    weft_checksum_add(bytes->sum, at + words, whole - words);
    return true;
}

const char *weft_take_text(weft_bytes *bytes)
{
    uint64_t length = weft_take_word(bytes);
    const char *text =
        length < SIZE_MAX ? (const char *)weft_take_array(bytes, length + 1, 1) : NULL;
    if (text && text[length] == '\0' && strlen(text) == length) return text;
    bytes->bad = true;
    return "";
}

bool weft_take_section(weft_bytes *bytes, weft_section *section)
{
    weft_bytes rest = *bytes;
    uint64_t kind = weft_take_word(&rest);
    uint64_t count = weft_take_word(&rest);
    const unsigned char *body = (const unsigned char *)weft_take_array(&rest, count, 1);
    weft_take_word(&rest); // the checksum
    if (rest.bad || count % WEFT_WORD_BYTES != 0) return false;
    *section =
        (weft_section){(uint32_t)kind, (uint32_t)(kind >> 32), {body, (size_t)count, false, NULL}};
    *bytes = rest;
    return true;
}

static bool is_stated(const weft_checksum *sum, const unsigned char *at)
{
    return weft_checksum_end(sum) == weft_little_read(at, WEFT_WORD_BYTES);
}

bool weft_section_is_sound(const weft_section *section)
{
    weft_checksum sum;
    weft_bytes body = weft_section_open(section, &sum);
    weft_checksum_add(&sum, body.at, body.left);
    return is_stated(&sum, body.at + body.left);
}

weft_bytes weft_section_open(const weft_section *section, weft_checksum *sum)
{
    weft_bytes body = section->body;
    weft_checksum_begin(sum);
    weft_checksum_add(sum, body.at - WEFT_SECTION_HEAD_BYTES, WEFT_SECTION_HEAD_BYTES);
    body.sum = sum;
    return body;
}

bool weft_section_ended(const weft_bytes *body)
{
    return !body->bad && body->left == 0 && is_stated(body->sum, body->at);
}
