// Edits move the bytes behind them. The sections are found again after each.
#include "lies_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void take(lies_part *r, const unsigned char *bytes, size_t count)
{
    assert_true(count <= sizeof r->bytes);
    memcpy(r->bytes, bytes, count);
    r->count = count;
    assert_true(parts_find(&r->parts, r->bytes, r->count));
}

void lies_part_restore(lies_part *r)
{
    take(r, r->original, r->original_count);
}

void lies_part_take_start(lies_part *r)
{
    take(r, r->start, r->start_count);
}

// Makes the world, takes B and C out of it, and keeps the bytes of both.
static void make(lies_part *r)
{
    vault_world *w = vault_open(NULL);
    const vault_entity set[] = {B, C};
    const vault_part_options options = {.away = true};
    void *bytes;
    for (uint32_t i = IA; i <= ID; i++) {
        vault_entity e = vault_spawn(w);
        assert_int_equal(e.bits, HANDLE_OF(i));
        vault_place_set(w, e, (vault_place){.x = (float)i});
    }
    assert_true(vault_carried_by_attach(w, B, A) && vault_carried_by_attach(w, C, B));
    assert_true(vault_owes_set(w, B, C, (vault_owes){.gold = 5}));
    assert_true(vault_owes_set(w, B, D, (vault_owes){.gold = 6}));
    assert_true(vault_knows_set(w, C, D));
    assert_true(vault_fever_set(w, B, (vault_fever){.left = 4}));
    assert_int_equal(vault_part_save_memory(w, set, 2, &options, &bytes, &r->original_count),
                     WEFT_OK);
    r->original = (unsigned char *)bytes;
    assert_int_equal(vault_save_memory(w, &bytes, &r->start_count), WEFT_OK);
    r->start = (unsigned char *)bytes;
    vault_close(w);
}

void lies_part_open(lies_part *r)
{
    make(r);
    trial_open_part(&r->trial, r->start, r->start_count);
    lies_part_restore(r);
}

void lies_part_close(lies_part *r)
{
    trial_close(&r->trial);
    free(r->original);
    free(r->start);
}

// ------------------------------------------------------------------------------------------------

static part *section_of(lies_part *r, uint32_t kind)
{
    for (uint32_t i = 0; i < r->parts.count; i++) {
        if (r->parts.items[i].kind == kind) return &r->parts.items[i];
    }
    fail_msg("there is no section %08x", (unsigned)kind);
    return NULL;
}

void lies_part_word(lies_part *r, uint32_t kind, uint32_t word, uint64_t value)
{
    const part *p = section_of(r, kind);
    assert_true(word * (size_t)8 < p->count);
    weft_little_write(r->bytes + p->at + word * (size_t)8, 8, value);
}

// Replaces `count` bytes at a place by `space` bytes, which the caller writes.
static unsigned char *make_space(lies_part *r, size_t at, size_t count, size_t space)
{
    assert_true(r->count - count + space <= sizeof r->bytes);
    memmove(r->bytes + at + space, r->bytes + at + count, r->count - at - count);
    r->count = r->count - count + space;
    return r->bytes + at;
}

static void insert(lies_part *r, size_t at, uint32_t kind, const void *body, size_t count)
{
    unsigned char *to = make_space(r, at, 0, part_bytes(count));
    weft_little_write(to, 4, kind);
    weft_little_write(to + 4, 4, 0);
    weft_little_write(to + 8, 8, count);
    memcpy(to + WEFT_SECTION_HEAD_BYTES, body, count);
    assert_true(parts_find(&r->parts, r->bytes, r->count));
}

void lies_part_double(lies_part *r, uint32_t kind)
{
    static unsigned char body[LIES_PART_BYTES];
    const part p = *section_of(r, kind);
    memcpy(body, r->bytes + p.at, p.count);
    insert(r, p.at - WEFT_SECTION_HEAD_BYTES, kind, body, p.count);
}

void lies_part_drop(lies_part *r, uint32_t kind)
{
    const part p = *section_of(r, kind);
    make_space(r, p.at - WEFT_SECTION_HEAD_BYTES, part_bytes(p.count), 0);
    assert_true(parts_find(&r->parts, r->bytes, r->count));
}

void lies_part_add(lies_part *r, uint32_t kind, const uint64_t *body, uint32_t words)
{
    unsigned char bytes[1024];
    assert_true(words * (size_t)8 <= sizeof bytes);
    for (uint32_t i = 0; i < words; i++) weft_little_write(bytes + i * (size_t)8, 8, body[i]);
    const part *last = &r->parts.items[r->parts.count - 1];
    insert(r, last->at - WEFT_SECTION_HEAD_BYTES, kind, bytes, words * (size_t)8);
}

// The only table has the words rows, components and bitsets, a word for each of these, and then the
// handles.
void lies_part_handle(lies_part *r, uint32_t row, uint64_t handle)
{
    const part *p = section_of(r, WEFT_SECTION_TABLE);
    uint64_t sets = weft_little_read(r->bytes + p->at + 8, 8);
    sets += weft_little_read(r->bytes + p->at + 16, 8);
    weft_little_write(r->bytes + p->at + (3 + (size_t)sets) * 8 + row * (size_t)4, 4, handle);
}

void lies_part_mend(lies_part *r)
{
    parts_mend(&r->parts, r->bytes, r->count);
}

weft_status lies_part_load(lies_part *r)
{
    lies_part_mend(r);
    return trial_load(&r->trial, r->bytes, r->count);
}
