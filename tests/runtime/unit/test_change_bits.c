// Change bits of two tables with different change sets, compared with an array of bools, at the
// edges of words and of stretches.
//
// program: quick moving portable byte_order
#include "store/change_bits.h"
#include "watched_memory.h"

enum { SETS = 5, ADDED = 2, KEPT = 4, TABLES = 2, ROWS = 10000 };

static const weft_plan plan = {.change_set_count = SETS, .added_change_sets = ADDED};

// By table and change set; each table lacks one that the other has.
static const uint16_t slots[TABLES][SETS] = {
    {2, 0, WEFT_NONE, 1, 3},
    {0, WEFT_NONE, 1, 2, 3},
};

typedef struct marked_table {
    weft_change_bits change_bits;
    uint32_t count;
    bool model[SETS][ROWS];
} marked_table;

typedef struct rig {
    watched_memory memory;
    weft_heap heap;
    fixture_random random;
    marked_table tables[TABLES];
} rig;

static rig *rig_open(uint64_t seed)
{
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->heap = watched_heap(&r->memory);
    r->random.state = seed;
    for (uint32_t t = 0; t < TABLES; t++) {
        r->tables[t].change_bits = (weft_change_bits){.slots = slots[t], .set_count = KEPT};
    }
    return r;
}

static void rig_close(rig *r)
{
    for (uint32_t t = 0; t < TABLES; t++)
        weft_change_bits_free(&r->heap, &r->tables[t].change_bits);
    watched_check_empty(&r->memory, &r->heap);
    free(r);
}

static uint32_t below(rig *r, uint32_t bound)
{
    return fixture_below(&r->random, bound);
}

static void grow(rig *r, marked_table *t, uint32_t rows)
{
    if (rows > ROWS - t->count) rows = ROWS - t->count;
    assert_true(weft_change_bits_grow(&r->heap, &t->change_bits, t->count + rows, ROWS));
    t->count += rows;
}

// A row near the edge of a word or a stretch as often as not.
static uint32_t any_row(rig *r, const marked_table *t)
{
    uint32_t edge = below(r, 2) ? 64 * (1 + below(r, 3)) : WEFT_CHANGE_ROWS * (1 + below(r, 2));
    uint32_t row = below(r, 2) ? edge - 1 + below(r, 3) : below(r, t->count);
    return row < t->count ? row : t->count - 1;
}

// ---- each operation, on the change bits and on the model

static void mark_rows(rig *r, marked_table *t, uint32_t s, uint32_t slot)
{
    uint32_t first = any_row(r, t);
    uint32_t most = t->count - first;
    uint32_t count = 1 + below(r, below(r, 4) ? (most < 200 ? most : 200) : most);
    weft_mark_range(&t->change_bits, slot, first, count);
    memset(t->model[s] + first, true, count);
}

static void write_masked(rig *r, marked_table *t, uint32_t s, uint32_t slot, bool on)
{
    uint64_t mask[3] = {0};
    uint32_t first = any_row(r, t) / 64 * 64;
    uint32_t rows = t->count - first < 150 ? t->count - first : 150;
    for (uint32_t i = 0; i < rows; i++) {
        if (below(r, 3) != 0) continue;
        mask[i / 64] |= (uint64_t)1 << i % 64;
        t->model[s][first + i] = on;
    }
    (on ? weft_mark_mask : weft_unmark_mask)(&t->change_bits, slot, first, mask, (rows + 63) / 64);
}

static void drop_row(marked_table *t, uint32_t row)
{
    uint32_t last = --t->count;
    weft_change_bits_drop(&t->change_bits, row, last);
    for (uint32_t s = 0; s < SETS; s++) {
        t->model[s][row] = t->model[s][last];
        t->model[s][last] = false;
    }
}

static void move_row(rig *r, marked_table *from, marked_table *to)
{
    if (to->count == ROWS) return;
    uint32_t row = any_row(r, from);
    grow(r, to, 1);
    weft_change_bits_move(&from->change_bits, row, &to->change_bits, to->count - 1, &plan);
    for (uint32_t s = 0; s < SETS; s++) {
        bool has = to->change_bits.slots[s] != WEFT_NONE;
        bool had = from->change_bits.slots[s] != WEFT_NONE;
        to->model[s][to->count - 1] = has && (had ? from->model[s][row] : s < ADDED);
    }
    drop_row(from, row);
}

static void clear(marked_table *t, uint32_t s, uint32_t slot)
{
    weft_change_bits_clear(&t->change_bits, slot, t->count);
    memset(t->model[s], false, sizeof t->model[s]);
}

static void add(marked_table *t, uint32_t s, uint32_t to)
{
    if (s == to || t->change_bits.slots[to] == WEFT_NONE) return;
    weft_change_bits_add(&t->change_bits, t->change_bits.slots[s], t->change_bits.slots[to],
                         t->count);
    for (uint32_t row = 0; row < t->count; row++) t->model[to][row] |= t->model[s][row];
}

// Rows go from the end, and the memory of what is left is given back.
static void trim(rig *r, marked_table *t)
{
    uint32_t kept = below(r, 3) ? any_row(r, t) : t->count;
    while (t->count > kept) drop_row(t, t->count - 1);
    assert_true(weft_change_bits_trim(&r->heap, &t->change_bits, kept));
}

// ---- checks

// The words that a filter would see, and whether it says that there are any.
static void check_set(const marked_table *t, uint32_t s)
{
    bool any = false;
    for (uint32_t word = 0; word * 64 < t->count; word++) {
        uint64_t expected = 0;
        for (uint32_t i = 0; i < 64 && word * 64 + i < t->count; i++) {
            expected |= (uint64_t)t->model[s][word * 64 + i] << i;
        }
        weft_strided first = weft_change_words(&t->change_bits, s, word / 64 * 64);
        assert_int_equal(first.words[(size_t)(word % 64) * first.stride], expected);
        any = any || expected != 0;
    }
    if (t->change_bits.slots[s] == WEFT_NONE) return;
    bool told = weft_marked_any(&t->change_bits, s, t->count);
    assert_true(told || !any); // it may still say so after the last one is cleared
}

static void check(const rig *r)
{
    for (uint32_t t = 0; t < TABLES; t++) {
        for (uint32_t s = 0; s < SETS; s++) check_set(&r->tables[t], s);
    }
}

static void step(rig *r)
{
    marked_table *t = &r->tables[below(r, TABLES)];
    uint32_t s = below(r, SETS);
    uint32_t slot = t->change_bits.slots[s];
    uint32_t dice = below(r, 100);
    if (t->count == 0 || dice < 10) {
        grow(r, t, 1 + below(r, below(r, 20) ? 100 : ROWS));
    } else if (dice < 20) {
        drop_row(t, any_row(r, t));
    } else if (dice < 30) {
        move_row(r, t, t == r->tables ? &r->tables[1] : &r->tables[0]);
    } else if (slot == WEFT_NONE) {
        return;
    } else if (dice < 60) {
        uint32_t row = any_row(r, t);
        weft_mark(&t->change_bits, slot, row);
        t->model[s][row] = true;
        assert_true(weft_marked(&t->change_bits, slot, row));
    } else if (dice < 70) {
        uint32_t row = any_row(r, t);
        weft_unmark(&t->change_bits, slot, row);
        t->model[s][row] = false;
        assert_false(weft_marked(&t->change_bits, slot, row));
    } else if (dice < 80) {
        mark_rows(r, t, s, slot);
    } else if (dice < 90) {
        write_masked(r, t, s, slot, dice % 2 == 0);
    } else if (dice < 95) {
        clear(t, s, slot);
        assert_false(weft_marked_any(&t->change_bits, s, t->count));
    } else if (dice < 98) {
        add(t, s, below(r, SETS));
    } else {
        trim(r, t);
    }
}

static void change_bits_are_what_bools_would_be(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        rig *r = rig_open(seed);
        for (uint32_t i = 0; i < 4000; i++) {
            step(r);
            if (i % 50 == 0) check(r);
        }
        check(r);
        rig_close(r);
    }
}

static void growing_allocates_no_more_than_the_rows_need(void **state)
{
    (void)state;
    rig *r = rig_open(1);
    marked_table *t = r->tables;
    assert_true(weft_change_bits_grow(&r->heap, &t->change_bits, 16, ROWS));
    assert_true(t->change_bits.words.bytes + t->change_bits.summaries.bytes <=
                2 * KEPT * sizeof(uint64_t) + WEFT_LINE_BYTES);
    rig_close(r);
}

// Addresses are reserved for as many rows as a table may have, and for no more, whether it has few
// of them or all.
static void no_more_is_reserved_than_all_rows_need(void **state)
{
    (void)state;
    enum { MANY = 1 << 20 };
    rig *r = rig_open(1);
    weft_change_bits *bits = &r->tables[0].change_bits;
    const size_t words = KEPT * (MANY / 64) * sizeof(uint64_t);
    const size_t summaries = KEPT * (MANY / WEFT_CHANGE_ROWS) * sizeof(uint64_t);
    for (uint32_t rows = 1; rows <= MANY; rows *= 4) {
        assert_true(weft_change_bits_grow(&r->heap, bits, rows, MANY));
        assert_in_range(bits->words.reserved, 0, words + WEFT_PAGE_BYTES);
        assert_in_range(bits->summaries.reserved, 0, summaries + WEFT_PAGE_BYTES);
        assert_in_range(bits->words.bytes, 0, words + WEFT_PAGE_BYTES);
        assert_in_range(bits->summaries.bytes, 0, summaries + WEFT_PAGE_BYTES);
    }
    if (WEFT_LEAVES_HEAP) assert_true(bits->words.reserved >= words);
    rig_close(r);
}

static void without_memory_change_bits_stay(void **state)
{
    (void)state;
    rig *r = rig_open(1);
    marked_table *t = r->tables;
    grow(r, t, 100);
    mark_rows(r, t, 0, t->change_bits.slots[0]);
    r->memory.inner.fail_at = r->memory.inner.calls + 1;
    assert_false(weft_change_bits_grow(&r->heap, &t->change_bits, 5000, ROWS));
    check(r);
    rig_close(r);
}

// Words and summaries are copied to less memory one after the other; either may fail alone.
static void what_cannot_be_copied_stays(void **state)
{
    (void)state;
    for (size_t fail_at = 1; fail_at <= 3; fail_at++) {
        rig *r = rig_open(1);
        marked_table *t = r->tables;
        r->memory.inner.no_reserve = true;
        grow(r, t, ROWS);
        const weft_change_bits before = t->change_bits;
        t->count = 100;
        for (uint32_t s = 0; s < SETS; s++) {
            if (slots[0][s] != WEFT_NONE) mark_rows(r, t, s, slots[0][s]);
        }
        r->memory.inner.fail_at = r->memory.inner.calls + fail_at;
        bool trimmed = weft_change_bits_trim(&r->heap, &t->change_bits, t->count);
        assert_int_equal(trimmed, fail_at == 3);
        assert_int_equal(t->change_bits.words.bytes < before.words.bytes, fail_at != 1);
        assert_int_equal(t->change_bits.summaries.bytes < before.summaries.bytes, fail_at != 2);
        check(r);
        rig_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(change_bits_are_what_bools_would_be),
        cmocka_unit_test(growing_allocates_no_more_than_the_rows_need),
        cmocka_unit_test(no_more_is_reserved_than_all_rows_need),
        cmocka_unit_test(without_memory_change_bits_stay),
        cmocka_unit_test(what_cannot_be_copied_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
