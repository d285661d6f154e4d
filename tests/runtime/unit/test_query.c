// Walks a query: runs and masks are compared with an evaluator that examines one row after the
// other.
//
// program: quick moving portable
#include "query/query.h"
#include "watched_memory.h"

// ---- tables whose rows pass as an array of bools says

enum { TABLES = 6, ROWS_MAX = 13000 };

typedef struct rig {
    weft_world world; // only what a cursor looks at
    weft_query query;
    weft_table tables[TABLES];
    weft_table *list[TABLES];
    fixture_random random;
} rig;

static bool passes[TABLES][ROWS_MAX];
static weft_table_match matches[TABLES];
static uint32_t filtered_words[TABLES]; // how many were computed

static weft_table_match match(const weft_world *world, const weft_table *table)
{
    (void)world;
    return matches[table->id];
}

// Every second table has them as a bitset would, without a bit past the rows. In the words that are
// computed of the others such bits are rubbish, as an expression with a not in it makes them.
static const uint64_t *filter(const weft_table *table, uint32_t first_word, uint32_t words,
                              uint64_t *mask)
{
    static uint64_t bitset[WEFT_MASK_WORDS];
    bool computed = table->id % 2 == 0;
    uint64_t *to = computed ? mask : bitset;
    assert_true(words != 0 && words <= WEFT_MASK_WORDS);
    assert_true((first_word + words - 1) * 64 < table->count);
    filtered_words[table->id] += words;
    for (uint32_t i = 0; i < words * 64; i++) {
        uint32_t row = first_word * 64 + i;
        bool on = row < table->count ? passes[table->id][row] : computed;
        if (i % 64 == 0) to[i / 64] = 0;
        to[i / 64] |= (uint64_t)on << (i % 64);
    }
    return to;
}

// How likely a row passes, in 64ths, changes from word to word: often none, often all.
static void random_rows(rig *r, uint32_t t)
{
    uint32_t passing = 0;
    uint32_t likely = 0;
    uint32_t kind = fixture_below(&r->random, 4);
    for (uint32_t row = 0; row < ROWS_MAX; row++) {
        if (row % 64 == 0) {
            likely = fixture_below(&r->random, 3) * 32;
            if (kind == 0) likely = fixture_below(&r->random, 30) == 0 ? 1 : 0;
            if (kind == 1) likely = fixture_below(&r->random, 65);
            if (kind == 2) likely = 64 - (fixture_below(&r->random, 30) == 0);
        }
        passes[t][row] = fixture_below(&r->random, 64) < likely;
        passing += row < r->tables[t].count && passes[t][row];
    }
    matches[t] = WEFT_MATCH_SOME;
    if (passing == 0) matches[t] = WEFT_MATCH_NONE;
    if (passing == r->tables[t].count) matches[t] = WEFT_MATCH_ALL;
    if (passing == 0 && fixture_below(&r->random, 2) == 0) matches[t] = WEFT_MATCH_SOME;
}

static const uint32_t counts[] = {
    0, 1, 2, 63, 64, 65, 127, 128, 129, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 8192, 12289,
};

static void rig_make(rig *r, uint64_t seed)
{
    *r = (rig){.random = {seed}};
    for (uint32_t t = 0; t < TABLES; t++) {
        r->list[t] = &r->tables[t];
        r->tables[t].id = t;
        r->tables[t].count =
            counts[fixture_below(&r->random, (uint32_t)(sizeof counts / sizeof counts[0]))];
        filtered_words[t] = 0;
        random_rows(r, t);
    }
    r->query = (weft_query){r->list, r->list[0], TABLES, TABLES, TABLES, 0};
}

static const uint32_t lengths[] = {64, 128, 1024, 4096, 8192, UINT32_MAX};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

// ---- runs

// The run that begins at or after *row, as a mask that starts at a multiple of `chunk` cuts it;
// false: none.
static bool slow_run(const rig *r, uint32_t t, uint32_t *row, uint32_t *count, uint32_t chunk)
{
    uint32_t end = *row;
    while (*row < r->tables[t].count && !passes[t][*row]) ++*row;
    if (*row == r->tables[t].count) return false;
    end = *row;
    do {
        end++;
    } while (end < r->tables[t].count && passes[t][end] && end % chunk != 0);
    *count = end - *row;
    return true;
}

static void check_runs(const rig *r, uint32_t rows_max)
{
    weft_cursor c;
    size_t total = 0;
    weft_cursor_begin(&c, &r->world, &r->query);
    for (uint32_t t = 0; t < TABLES; t++) {
        uint32_t mask_rows = rows_max < WEFT_MASK_WORDS * 64 ? rows_max : WEFT_MASK_WORDS * 64;
        uint32_t chunk = matches[t] == WEFT_MATCH_ALL ? rows_max : mask_rows;
        uint32_t row = 0;
        uint32_t count = 0;
        while (slow_run(r, t, &row, &count, chunk)) {
            assert_true(weft_next_run(&c, match, filter, rows_max));
            assert_ptr_equal(c.table, &r->tables[t]);
            assert_int_equal(c.first, row);
            assert_int_equal(c.count, count);
            row += count;
            total += count;
        }
    }
    assert_false(weft_next_run(&c, match, filter, rows_max));
    assert_false(weft_next_run(&c, match, filter, rows_max));
    assert_int_equal(weft_query_count(&r->world, &r->query, match, filter), total);
}

static void test_runs_are_those_of_a_slow_search(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        rig r;
        rig_make(&r, seed);
        for (size_t i = 0; i < LENGTHS; i++) check_runs(&r, lengths[i]);
    }
}

// ---- lists

// All that passes from a row on to the end of the range is in the list. Returns the row behind.
static uint32_t check_list(const rig *r, const weft_cursor *c, const weft_list *list, uint32_t t,
                           uint32_t from)
{
    uint32_t k = 0;
    uint32_t end = c->first + c->count;
    assert_ptr_equal(c->table, &r->tables[t]);
    assert_null(c->values);
    assert_in_range(list->count, 1, WEFT_LIST_ROWS);
    assert_in_range(end, from + 1, r->tables[t].count);
    for (uint32_t row = from; row < end; row++) {
        if (!passes[t][row]) continue;
        assert_true(k < list->count);
        assert_int_equal(c->first + list->row[k++], row);
    }
    assert_int_equal(k, list->count);
    return end;
}

// Lists end with a table or a range, or where 64 more might not fit: nowhere else.
static void check_lists(const rig *r, uint32_t rows_max)
{
    weft_cursor c;
    weft_list list;
    weft_cursor_begin(&c, &r->world, &r->query);
    for (uint32_t t = 0; t < TABLES; t++) {
        uint32_t row = 0;
        uint32_t count = 0;
        while (slow_run(r, t, &row, &count, UINT32_MAX)) {
            assert_true(weft_next_list(&c, match, filter, rows_max, &list));
            row = check_list(r, &c, &list, t, row);
            assert_true(c.count <= rows_max);
            bool cut = row < r->tables[t].count && row % rows_max != 0;
            if (cut) assert_in_range(list.count, WEFT_LIST_ROWS - 63, WEFT_LIST_ROWS);
        }
    }
    assert_false(weft_next_list(&c, match, filter, rows_max, &list));
    assert_false(weft_next_list(&c, match, filter, rows_max, &list));
}

static void test_lists_are_those_of_a_slow_search(void **state)
{
    (void)state;
    for (uint64_t seed = 300; seed < 360; seed++) {
        rig r;
        rig_make(&r, seed);
        check_lists(&r, WEFT_MASK_WORDS * 64);
        check_lists(&r, UINT32_MAX);
    }
}

// ---- masks

static void check_range(const rig *r, weft_cursor *c, weft_rows rows, uint32_t t)
{
    uint32_t i = 0;
    assert_ptr_equal(c->table, &r->tables[t]);
    for (uint32_t row = c->first; row < c->first + c->count; row++) {
        if (!passes[t][row]) continue;
        assert_true(weft_next(&rows, &i));
        assert_int_equal(c->first + i, row);
    }
    assert_false(weft_next(&rows, &i));
    assert_false(weft_next(&rows, &i));
}

static bool any_passes(uint32_t t, uint32_t first, uint32_t count)
{
    for (uint32_t row = first; row < first + count; row++) {
        if (passes[t][row]) return true;
    }
    return false;
}

static void check_words(const weft_cursor *c, weft_rows rows, uint32_t t)
{
    for (uint32_t word = 0; word < 64; word++) {
        uint32_t first = word * 64 < c->count ? word * 64 : c->count;
        uint32_t rest = c->count - first;
        bool any = any_passes(t, c->first + first, rest < 64 ? rest : 64);
        assert_int_equal(rows.words >> word & 1u, any);
    }
}

static void check_masks(const rig *r, uint32_t rows_max)
{
    weft_cursor c;
    weft_rows rows;
    uint32_t range = rows_max < WEFT_MASK_WORDS * 64 ? rows_max : WEFT_MASK_WORDS * 64;
    weft_cursor_begin(&c, &r->world, &r->query);
    for (uint32_t t = 0; t < TABLES; t++) {
        for (uint32_t first = 0; first < r->tables[t].count; first += range) {
            uint32_t left = r->tables[t].count - first;
            uint32_t count = left < range ? left : range;
            if (!any_passes(t, first, count)) continue;
            assert_true(weft_next_mask(&c, match, filter, rows_max, &rows));
            assert_int_equal(c.first, first);
            assert_int_equal(c.count, count);
            check_words(&c, rows, t);
            check_range(r, &c, rows, t);
        }
    }
    assert_false(weft_next_mask(&c, match, filter, rows_max, &rows));
    assert_false(weft_next_mask(&c, match, filter, rows_max, &rows));
}

static void test_masks_are_those_of_a_slow_search(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 160; seed++) {
        rig r;
        rig_make(&r, seed);
        for (size_t i = 0; i < LENGTHS; i++) check_masks(&r, lengths[i]);
    }
}

// ---- what is not looked at

static void seed_C5_words_without_a_hit_are_skipped(void **state)
{
    (void)state;
    rig r;
    rig_make(&r, 0);
    memset(passes, 0, sizeof passes);
    for (uint32_t t = 0; t < TABLES; t++) {
        r.tables[t].count = 12800; // 200 words
        matches[t] = (weft_table_match)(t % 3);
        filtered_words[t] = 0;
    }
    const uint32_t hits[] = {7, 64, 127, 6400, 6401, 12799};
    for (uint32_t t = 0; t < TABLES; t++) {
        for (size_t i = 0; i < 6; i++) passes[t][hits[i]] = true;
    }
    weft_cursor c;
    uint32_t runs = 0;
    weft_cursor_begin(&c, &r.world, &r.query);
    while (weft_next_run(&c, match, filter, 4096)) {
        runs++;
        assert_int_not_equal(matches[c.table->id], WEFT_MATCH_NONE);
    }
    assert_int_equal(runs,
                     2 * 5 + 2 * 4); // of five runs of hits, and of whole tables in four parts
    for (uint32_t t = 0; t < TABLES; t++) {
        // 64 rows a word, and no word where the table as a whole is decided.
        assert_int_equal(filtered_words[t], matches[t] == WEFT_MATCH_SOME ? 200 : 0);
    }
    // Ranges of 4096 rows without a hit are not given at all.
    weft_rows rows;
    uint32_t ranges = 0;
    uint32_t steps = 0;
    uint32_t row;
    weft_cursor_begin(&c, &r.world, &r.query);
    for (uint32_t t = 0; t < TABLES; t++) matches[t] = t == 1 ? WEFT_MATCH_SOME : WEFT_MATCH_NONE;
    passes[1][6400] = passes[1][6401] = false;
    while (weft_next_mask(&c, match, filter, 4096, &rows)) {
        ranges++;
        while (weft_next(&rows, &row)) steps++;
    }
    assert_int_equal(ranges, 2);
    assert_int_equal(steps, 4);
}

static void test_whole_tables_without_empty_ones(void **state)
{
    (void)state;
    rig r;
    rig_make(&r, 1);
    for (uint32_t t = 0; t < TABLES; t++) r.tables[t].count = t % 2 == 0 ? 0 : t * 1000;
    weft_cursor c;
    weft_cursor_begin(&c, &r.world, &r.query);
    for (uint32_t t = 1; t < TABLES; t += 2) {
        assert_true(weft_next_table(&c));
        assert_ptr_equal(c.table, &r.tables[t]);
        assert_int_equal(c.first, 0);
        assert_int_equal(c.count, t * 1000);
    }
    assert_false(weft_next_table(&c));
    assert_int_equal(weft_query_count(&r.world, &r.query, weft_match_all, weft_filter_all), 9000);
}

static void test_a_query_without_tables_gives_nothing(void **state)
{
    (void)state;
    weft_world world = {0};
    weft_query query = {NULL, NULL, 0, 0, 0, 0};
    weft_cursor c;
    weft_rows rows;
    weft_cursor_begin(&c, &world, &query);
    assert_false(weft_next_table(&c));
    weft_cursor_begin(&c, &world, &query);
    assert_false(weft_next_run(&c, match, filter, 64));
    weft_cursor_begin(&c, &world, &query);
    assert_false(weft_next_mask(&c, match, filter, 64, &rows));
    assert_int_equal(weft_query_count(&world, &query, match, filter), 0);
}

// ---- filters as they are generated: worker & (selected ^ hidden) & !burning | named

static const uint64_t *generated_filter(const weft_table *table, uint32_t first_word,
                                        uint32_t words, uint64_t *mask)
{
    const uint64_t *works = weft_component_words(table, WORKER_COLUMN);
    const uint64_t *burns = weft_bitset_words(table, FIRST_BITSET, first_word);
    const uint64_t *selected =
        weft_bitset_words(table, FIRST_BITSET + SELECTED - BURNING, first_word);
    const uint64_t *hidden = weft_bitset_words(table, FIRST_BITSET + HIDDEN - BURNING, first_word);
    const uint64_t *named = weft_bitset_words(table, FIRST_BITSET + NAMED - BURNING, first_word);
    for (uint32_t i = 0; i < words; i++) {
        mask[i] = (works[i] & (selected[i] ^ hidden[i]) & ~burns[i]) | named[i];
    }
    return mask;
}

static weft_table_match match_some(const weft_world *world, const weft_table *table)
{
    (void)world;
    (void)table;
    return WEFT_MATCH_SOME;
}

static bool row_passes(const weft_table *table, uint32_t row)
{
    bool works = weft_column(table, WORKER_COLUMN) != NULL;
    bool burns = weft_bitset_bit(table, FIRST_BITSET, row);
    bool selected = weft_bitset_bit(table, FIRST_BITSET + SELECTED - BURNING, row);
    bool hidden = weft_bitset_bit(table, FIRST_BITSET + HIDDEN - BURNING, row);
    bool named = weft_bitset_bit(table, FIRST_BITSET + NAMED - BURNING, row);
    return (works && selected != hidden && !burns) || named;
}

// A table with `rows` rows, of which each bitset that is given memory has about half.
static weft_table *table_make(weft_heap *heap, const fixture *f, fixture_random *random,
                              uint32_t id, uint32_t rows)
{
    const uint32_t tags[] = {BURNING, SELECTED, HIDDEN, NAMED};
    uint64_t set[FIXTURE_WORDS] = {0};
    if (id % 2 == 0) weft_set_add(set, WORKER);
    weft_table *table = weft_table_open(heap, &f->plan, &f->kit, id, set);
    assert_non_null(table);
    assert_true(weft_table_grow(heap, &f->plan, table, rows));
    table->count = rows;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t column = FIRST_BITSET + tags[i] - BURNING;
        if (id >> (i + 1) & 1) continue;
        assert_true(weft_bitset_open(heap, &f->plan, table, column));
        for (uint32_t row = 0; row < rows; row++) {
            weft_bitset_write(&f->plan, table, column, row, fixture_below(random, 2) != 0);
        }
    }
    return table;
}

static void test_filters_over_bitsets_and_components(void **state)
{
    (void)state;
    fixture f;
    watched_memory memory = {0};
    fixture_random random = {5};
    fixture_make(&f, (fixture_options){0});
    weft_heap heap = watched_heap(&memory);
    for (uint32_t id = 0; id < 32; id++) {
        const uint32_t rows = 1 + fixture_below(&random, 6000);
        weft_table *table = table_make(&heap, &f, &random, id, rows);
        weft_world world = {.plan = &f.plan};
        weft_query query = {&table, table, 1, 1, 1, 0};
        weft_cursor c;
        uint32_t row = 0;
        weft_cursor_begin(&c, &world, &query);
        while (weft_next_run(&c, match_some, generated_filter, 1024)) {
            while (row < c.first) assert_false(row_passes(table, row++));
            while (row < c.first + c.count) assert_true(row_passes(table, row++));
        }
        while (row < rows) assert_false(row_passes(table, row++));
        weft_table_close(&heap, &f.plan, table);
    }
    watched_check_empty(&memory, &heap);
}

static void test_sparse_values_of_a_range(void **state)
{
    (void)state;
    fixture f;
    watched_memory memory = {0};
    fixture_random random = {6};
    fixture_make(&f, (fixture_options){0});
    weft_heap heap = watched_heap(&memory);
    weft_sparse stores[STORES] = {{.size = sizeof(burning), .limit = 1000},
                                  {.size = sizeof(cursed), .limit = 1000}};
    weft_world world = {.plan = &f.plan, .sparse = stores};
    weft_table *table = table_make(&heap, &f, &random, 0, 100);
    for (uint32_t row = 0; row < 100; row++) {
        uint32_t index = 5000 - row;
        cursed value = {.weight = (int32_t)row};
        weft_handle_store(f.plan.format, weft_column(table, 0), row,
                          weft_handle(f.plan.format, index, 1));
        if (row % 3 == 0) continue;
        assert_true(weft_sparse_ready(&heap, &stores[CURSED_STORE], index));
        weft_sparse_write(&stores[CURSED_STORE], index, &value);
    }
    weft_cursor c = {.table = table, .first = 10, .count = 80, .world = &world};
    for (uint32_t i = 0; i < 80; i++) {
        const cursed *value = weft_sparse_row(&c, f.plan.format, CURSED_STORE, i, sizeof(cursed));
        assert_int_equal(value != NULL, (10 + i) % 3 != 0);
        if (value) assert_int_equal(value->weight, 10 + i);
        assert_null(weft_sparse_row(&c, f.plan.format, BURNING_STORE, i, sizeof(burning)));
    }
    weft_sparse_close(&heap, &stores[CURSED_STORE]);
    weft_table_close(&heap, &f.plan, table);
    watched_check_empty(&memory, &heap);
}

// ---- small parts

static void test_the_lowest_bit(void **state)
{
    (void)state;
    for (uint32_t bit = 0; bit < 64; bit++) {
        assert_int_equal(weft_lowest_bit((uint64_t)1 << bit), bit);
        assert_int_equal(weft_lowest_bit(UINT64_MAX << bit), bit);
    }
}

static void test_a_run_ends_at_the_end(void **state)
{
    (void)state;
    fixture_random random = {9};
    for (uint32_t round = 0; round < 300; round++) {
        uint64_t mask[3];
        for (uint32_t i = 0; i < 3; i++) {
            mask[i] = round % 2 == 0 ? 0 : UINT64_MAX;
            if (fixture_below(&random, 2) == 0)
                mask[i] ^= (uint64_t)1 << fixture_below(&random, 64);
        }
        for (uint32_t end = 0; end <= 192; end++) {
            uint32_t row = fixture_below(&random, end + 1);
            uint32_t expected = row;
            while (expected < end && (mask[expected / 64] >> expected % 64 & 1) != 0) expected++;
            assert_int_equal(weft_mask_end(mask, row, end), expected);
        }
    }
}

static void test_finding_stops_at_the_end(void **state)
{
    (void)state;
    fixture_random random = {10};
    for (uint32_t round = 0; round < 100; round++) {
        uint64_t mask[64];
        memset(mask, round % 4 == 0 ? 0xff : 0, sizeof mask);
        for (uint32_t bits = fixture_below(&random, 9); bits != 0; bits--) {
            mask[fixture_below(&random, 64)] ^= (uint64_t)1 << fixture_below(&random, 64);
        }
        uint64_t words = weft_words_occupied(mask, 64);
        for (uint32_t end = 1; end <= 4096; end += 1 + fixture_below(&random, 9)) {
            uint32_t row = fixture_below(&random, end);
            uint32_t expected = row;
            while (expected < end && (mask[expected / 64] >> expected % 64 & 1) == 0) expected++;
            assert_int_equal(weft_mask_find(mask, words, row, end), expected);
        }
    }
}

static void test_the_masks_of_none_and_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < WEFT_MASK_WORDS; i++) {
        assert_int_equal(weft_no_rows[i], 0);
        assert_true(weft_all_rows[i] == UINT64_MAX);
    }
}

static void ask_whether_stale(void *context)
{
    weft_cursor_stale((weft_cursor *)context);
}

static void test_a_cursor_notices_a_structural_change(void **state)
{
    (void)state;
    static fixture f;
    fixture_make(&f, (fixture_options){0});
    weft_world world = {.now.version = UINT32_MAX, .plan = &f.plan};
    weft_query query = {NULL, NULL, 0, 0, 0, 0};
    weft_cursor c;
    weft_cursor_begin(&c, &world, &query);
    assert_false(weft_cursor_stale(&c));
    world.now.version++;
    assert_true(fixture_asserts(ask_whether_stale, &c,
                                "an iterator was used after a structural change, and ended there"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_are_those_of_a_slow_search),
        cmocka_unit_test(test_lists_are_those_of_a_slow_search),
        cmocka_unit_test(test_masks_are_those_of_a_slow_search),
        cmocka_unit_test(seed_C5_words_without_a_hit_are_skipped),
        cmocka_unit_test(test_whole_tables_without_empty_ones),
        cmocka_unit_test(test_a_query_without_tables_gives_nothing),
        cmocka_unit_test(test_filters_over_bitsets_and_components),
        cmocka_unit_test(test_sparse_values_of_a_range),
        cmocka_unit_test(test_the_lowest_bit),
        cmocka_unit_test(test_a_run_ends_at_the_end),
        cmocka_unit_test(test_finding_stops_at_the_end),
        cmocka_unit_test(test_the_masks_of_none_and_all),
        cmocka_unit_test(test_a_cursor_notices_a_structural_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
