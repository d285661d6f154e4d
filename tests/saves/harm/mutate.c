// Changes a save like an attacker who knows the format: sections, words, names, counts. Then it
// corrects lengths and checksums, so that the loader reads the change.
#include "mutate.h"

#include "../../fuzz/dice.h"
#include "parts.h"

#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t max_size, unsigned seed);

// A save that is worked at.
typedef struct work {
    dice d;
    unsigned char *bytes;
    size_t count;
    size_t most;
    parts parts;
} work;

// ------------------------------------------------------------------------------------------------
// Saves that are kept

enum { KEPT = 64, KEPT_BYTES = 16384 };

static struct {
    size_t count;
    unsigned char bytes[KEPT_BYTES];
} kept[KEPT];
static uint32_t kept_ever;

void mutate_keep(const void *bytes, size_t count)
{
    if (count > KEPT_BYTES) return;
    uint32_t place = kept_ever++ % KEPT;
    kept[place].count = count;
    memcpy(kept[place].bytes, bytes, count);
}

static void read_kept(work *w)
{
    uint32_t count = kept_ever < KEPT ? kept_ever : KEPT;
    uint32_t place = dice_below(&w->d, count);
    if (count == 0 || kept[place].count > w->most) return;
    w->count = kept[place].count;
    memcpy(w->bytes, kept[place].bytes, w->count);
}

// ------------------------------------------------------------------------------------------------
// Pieces

static part *any_part(work *w)
{
    return w->parts.count == 0 ? NULL : &w->parts.items[dice_below(&w->d, w->parts.count)];
}

// The place of a word in a body.
static bool any_word(work *w, size_t *at)
{
    const part *p = any_part(w);
    if (!p || p->count == 0) return false;
    *at = p->at + (size_t)dice_below(&w->d, (uint32_t)(p->count / 8)) * 8;
    return true;
}

// Replaces `count` bytes at a place by `space` bytes; new bytes are zero. Moves the parts after the
// place. The caller adjusts the parts that contain it.
static bool make_space(work *w, size_t at, size_t count, size_t space)
{
    if (w->count - count + space > w->most) return false;
    memmove(w->bytes + at + space, w->bytes + at + count, w->count - at - count);
    if (space > count) memset(w->bytes + at + count, 0, space - count);
    w->count = w->count - count + space;
    for (uint32_t i = 0; i < w->parts.count; i++) {
        if (w->parts.items[i].at > at) w->parts.items[i].at += space - count;
    }
    return true;
}

static size_t part_start(const part *p)
{
    return p->at - WEFT_SECTION_HEAD_BYTES;
}

// ------------------------------------------------------------------------------------------------
// Changes

static void change_word(work *w)
{
    static const uint64_t words[] = {0,           1,          2,          7,
                                     63,          64,         65,         255,
                                     1023,        65535,      0x7FFFFFFF, 0xFFFFFFFF,
                                     0x100000000, UINT64_MAX, 1ull << 63, UINT64_MAX / 8,
                                     0x20000000};
    size_t at, other;
    if (!any_word(w, &at)) return;
    uint64_t word = weft_little_read(w->bytes + at, 8);
    switch (dice_below(&w->d, 6)) {
    case 0:
        word = words[dice_below(&w->d, sizeof words / sizeof *words)];
        break;
    case 1:
        word++;
        break;
    case 2:
        word--;
        break;
    case 3:
        word ^= (uint64_t)1 << dice_below(&w->d, 64);
        break;
    case 4:
        word = dice_below(&w->d, 24);
        break;
    default:
        if (any_word(w, &other)) word = weft_little_read(w->bytes + other, 8);
    }
    weft_little_write(w->bytes + at, 8, word);
}

static void change_byte(work *w)
{
    size_t at;
    if (!any_word(w, &at)) return;
    unsigned char *byte = &w->bytes[at + dice_below(&w->d, 8)];
    uint32_t how = dice_below(&w->d, 4);
    *byte = (unsigned char)(how == 0 ? dice_bits(&w->d) : *byte + (how == 1 ? 255 : 1));
}

// Numbers at their ends, strings without one.
static void fill_bytes(work *w)
{
    static const unsigned char bytes[] = {0x00, 0xFF, 0x01, 0x7F, 'x'};
    size_t at;
    if (!any_word(w, &at)) return;
    size_t first = at + dice_below(&w->d, 8);
    size_t count = 1 + dice_below(&w->d, 24);
    if (count > w->count - first) count = w->count - first;
    memset(w->bytes + first, bytes[dice_below(&w->d, sizeof bytes)], count);
}

static void swap_words(work *w)
{
    size_t a, b;
    if (!any_word(w, &a) || !any_word(w, &b)) return;
    uint64_t first = weft_little_read(w->bytes + a, 8);
    memcpy(w->bytes + a, w->bytes + b, 8);
    weft_little_write(w->bytes + b, 8, first);
}

// Words that are there twice, or not any more.
static void change_length(work *w)
{
    unsigned char copy[64];
    part *p = any_part(w);
    if (!p || p->count < sizeof copy) return;
    size_t bytes = 8 * (1 + (size_t)dice_below(&w->d, 8));
    size_t at = p->at + (size_t)dice_below(&w->d, (uint32_t)((p->count - bytes) / 8 + 1)) * 8;
    memcpy(copy, w->bytes + at, bytes);
    if (dice_once_in(&w->d, 2)) {
        make_space(w, at, bytes, 0);
        p->count -= bytes;
    } else if (make_space(w, at, 0, bytes)) {
        memcpy(w->bytes + at, copy, bytes);
        p->count += bytes;
    }
}

// A text becomes one that stands elsewhere: names that are there twice, or are those of others.
static void change_name(work *w)
{
    size_t texts[256];
    uint32_t count = 0;
    const part *p = any_part(w);
    for (size_t at = p ? p->at : 0; p && at + 16 <= p->at + p->count && count < 256; at += 8) {
        uint64_t length = weft_little_read(w->bytes + at, 8);
        unsigned char first = w->bytes[at + 8];
        bool text = length > 0 && length < 8 && first >= 'a' && first <= 'z';
        if (text) texts[count++] = at;
    }
    if (count == 0) return;
    size_t from = texts[dice_below(&w->d, count)];
    memmove(w->bytes + texts[dice_below(&w->d, count)], w->bytes + from, 16);
}

static void drop_part(work *w)
{
    part *p = any_part(w);
    if (!p) return;
    uint32_t number = (uint32_t)(p - w->parts.items);
    make_space(w, part_start(p), part_bytes(p->count), 0);
    w->parts.count--;
    memmove(p, p + 1, (w->parts.count - number) * sizeof *p);
}

// Inserts a whole section before one of the others.
static void insert_part(work *w, const unsigned char *section, const part *like)
{
    part *before = any_part(w);
    size_t bytes = part_bytes(like->count);
    if (!before || w->parts.count == PARTS_MAX) return;
    uint32_t number = (uint32_t)(before - w->parts.items);
    size_t at = part_start(before);
    part new = *like;
    if (!make_space(w, at, 0, bytes)) return;
    memcpy(w->bytes + at, section, bytes);
    new.at = at + WEFT_SECTION_HEAD_BYTES;
    memmove(before + 1, before, (w->parts.count - number) * sizeof *before);
    *before = new;
    w->parts.count++;
}

static void double_part(work *w)
{
    const part *p = any_part(w);
    if (!p) return;
    unsigned char *copy = (unsigned char *)malloc(part_bytes(p->count));
    memcpy(copy, w->bytes + part_start(p), part_bytes(p->count));
    insert_part(w, copy, &(part){p->kind, p->flags, p->at, p->count});
    free(copy);
}

static void change_kind(work *w)
{
    const part *p = any_part(w);
    const part *other = any_part(w);
    if (!p) return;
    if (dice_once_in(&w->d, 4))
        weft_little_write(w->bytes + p->at - 12, 4, dice_below(&w->d, 3)); // flags
    else
        weft_little_write(w->bytes + p->at - 16, 4, other->kind);
}

// Lets the fuzzer change a body by itself.
static void change_body(work *w)
{
    part *p = any_part(w);
    if (!p || p->count == 0) return;
    size_t most = w->most - w->count + p->count;
    unsigned char *body = (unsigned char *)calloc(1, most + 8);
    memcpy(body, w->bytes + p->at, p->count);
    size_t count = (LLVMFuzzerMutate(body, p->count, most) + 7) / 8 * 8;
    size_t before = p->count;
    if (make_space(w, p->at, before, count)) {
        memcpy(w->bytes + p->at, body, count);
        p->count = count;
    }
    free(body);
}

// Mostly makes changes that leave the rest valid, because a save with several faults is refused for
// the first one.
static void change(work *w)
{
    static void (*const changes[])(work *) = {
        change_word, change_word, change_word, change_byte, change_byte,
        change_byte, fill_bytes,  fill_bytes,  change_name, change_length,
        swap_words,  drop_part,   double_part, change_kind, change_body,
    };
    changes[dice_below(&w->d, sizeof changes / sizeof *changes)](w);
}

// ------------------------------------------------------------------------------------------------
// Entry points of the fuzzer

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    work w = {.d = {seed}, .bytes = data, .count = size, .most = max_size / 8 * 8};
    bool blind = dice_once_in(&w.d, 20); // so that damage is seen as well
    if (!blind && dice_once_in(&w.d, 2)) read_kept(&w);
    if (blind || w.count > w.most || !parts_find(&w.parts, data, w.count)) {
        return LLVMFuzzerMutate(data, w.count, max_size);
    }
    do change(&w);
    while (dice_once_in(&w.d, 4));
    parts_mend(&w.parts, w.bytes, w.count);
    return w.count;
}

// A section of one save in another, whose schema may be another one. The fuzzer asks for it every
// other time, which is more than it is good for.
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t max_size, unsigned seed)
{
    parts from;
    work w = {.d = {seed}, .bytes = out, .count = one_size, .most = max_size / 8 * 8};
    if (one_size > w.most) return 0;
    memcpy(out, one, one_size);
    if (!dice_once_in(&w.d, 6)) return LLVMFuzzerCustomMutator(out, one_size, max_size, seed);
    if (!parts_find(&w.parts, out, one_size) || !parts_find(&from, other, other_size) ||
        from.count == 0) {
        return one_size;
    }
    const part *p = &from.items[dice_below(&w.d, from.count)];
    drop_part(&w);
    insert_part(&w, other + part_start(p), p);
    parts_mend(&w.parts, w.bytes, w.count);
    return w.count;
}
