// Words in and out of saves, one section at a time.
#include "weft_save_bytes.h"

#define SUM_FACTOR 0x9E3779B97F4A7C15u // odd, so that no change of a lane is lost in it
#define LANES 4u

// ------------------------------------------------------------------------------------------------
// Checksums

void weft_checksum_begin(weft_checksum *sum)
{
    *sum = (weft_checksum){{1, 2, 3, 4}, 0};
}

// No two words give the same lane, and no two lanes the same with a word.
static inline uint64_t step(uint64_t lane, uint64_t word)
{
    uint64_t x = (lane ^ word) * SUM_FACTOR;
    return x << 29 | x >> 35;
}

void weft_checksum_add(weft_checksum *sum, const void *bytes, size_t count)
{
    const unsigned char *at = (const unsigned char *)bytes;
    const unsigned char *end = at + count;
    for (; at < end && sum->words % LANES != 0; at += WEFT_WORD_BYTES) {
        uint64_t *lane = &sum->lanes[sum->words++ % LANES];
        *lane = step(*lane, weft_little_read(at, WEFT_WORD_BYTES));
    }
    uint64_t a = sum->lanes[0], b = sum->lanes[1], c = sum->lanes[2], d = sum->lanes[3];
    for (; (size_t)(end - at) >= LANES * WEFT_WORD_BYTES; at += LANES * WEFT_WORD_BYTES) {
        a = step(a, weft_little_read(at, WEFT_WORD_BYTES));
        b = step(b, weft_little_read(at + WEFT_WORD_BYTES, WEFT_WORD_BYTES));
        c = step(c, weft_little_read(at + 2 * WEFT_WORD_BYTES, WEFT_WORD_BYTES));
        d = step(d, weft_little_read(at + 3 * WEFT_WORD_BYTES, WEFT_WORD_BYTES));
        sum->words += LANES;
    }
    sum->lanes[0] = a, sum->lanes[1] = b, sum->lanes[2] = c, sum->lanes[3] = d;
    for (; at < end; at += WEFT_WORD_BYTES) {
        uint64_t *lane = &sum->lanes[sum->words++ % LANES];
        *lane = step(*lane, weft_little_read(at, WEFT_WORD_BYTES));
    }
}

uint64_t weft_checksum_end(const weft_checksum *sum)
{
    uint64_t end = sum->words;
    for (uint32_t i = 0; i < LANES; i++) end = step(end, sum->lanes[i]);
    return end ^ end >> 32;
}

// ------------------------------------------------------------------------------------------------
// Writing

static void put(weft_sink *sink, const void *bytes, size_t count)
{
    sink->bytes += count;
    if (!sink->write || sink->failed || count == 0) return;
    weft_checksum_add(&sink->sum, bytes, count);
    sink->failed = !sink->write(sink->to, bytes, count);
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

void weft_put_loose_u32(weft_loose *loose, uint32_t number)
{
    unsigned char bytes[sizeof number];
    weft_little_write(bytes, (uint32_t)sizeof number, number);
    weft_put_loose(loose, bytes, sizeof bytes);
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

const void *weft_take_array(weft_bytes *bytes, uint64_t count, size_t size)
{
    const unsigned char *at = bytes->at;
    if (bytes->bad || (size != 0 && count > bytes->left / size)) {
        bytes->bad = true;
        return NULL;
    }
    size_t length = (size_t)count * size; // `left` is whole words, so filled up it fits as well
    size_t whole = weft_round_up(length, WEFT_WORD_BYTES);
    for (size_t i = length; i < whole; i++) bytes->bad |= at[i] != 0;
    bytes->at += whole;
    bytes->left -= whole;
    return bytes->bad ? NULL : at;
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
    weft_checksum sum;
    weft_bytes rest = *bytes;
    uint64_t kind = weft_take_word(&rest);
    uint64_t count = weft_take_word(&rest);
    const unsigned char *body = (const unsigned char *)weft_take_array(&rest, count, 1);
    uint64_t stated = weft_take_word(&rest);
    if (rest.bad || count % WEFT_WORD_BYTES != 0) return false;
    weft_checksum_begin(&sum);
    weft_checksum_add(&sum, bytes->at, WEFT_SECTION_HEAD_BYTES + (size_t)count);
    if (weft_checksum_end(&sum) != stated) return false;
    *section = (weft_section){(uint32_t)kind, (uint32_t)(kind >> 32), {body, (size_t)count, false}};
    *bytes = rest;
    return true;
}
