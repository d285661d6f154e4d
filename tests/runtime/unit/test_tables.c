// The set of all tables: found by set, ordered by set, reached along edges, compared with plain
// searches.
//
// program: quick still portable
#include "watched_memory.h"

enum { TABLES = 600, WORDS = 3 };

typedef struct rig {
    fixture fixture;
    weft_plan plan;                             // of the fixture, but with sets of WORDS words
    weft_component_plan components[WORDS * 64]; // the first as there; the others have no columns
    watched_memory memory;
    weft_heap heap;
    weft_tables tables;
    fixture_random random;
} rig;

static rig *rig_open(uint64_t seed)
{
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    fixture_make(&r->fixture, (fixture_options){0});
    r->plan = r->fixture.plan;
    r->plan.set_words = WORDS;
    memcpy(r->components, r->plan.components, r->plan.component_count * sizeof *r->components);
    r->plan.components = r->components;
    r->heap = watched_heap(&r->memory);
    r->random.state = seed;
    return r;
}

static void rig_close(rig *r)
{
    watched_check(&r->memory, &r->heap);
    weft_tables_close(&r->tables, &r->heap, &r->plan);
    watched_check_empty(&r->memory, &r->heap);
    free(r);
}

// Makes a set of few bits in far words, so that sets are often nearly equal.
static void random_set(rig *r, uint64_t *set)
{
    memset(set, 0, WORDS * sizeof *set);
    for (uint32_t n = fixture_below(&r->random, 6); n != 0; n--) {
        weft_set_add(set, fixture_below(&r->random, WORDS * 64));
    }
}

static weft_table *find_slowly(const rig *r, const uint64_t *set)
{
    for (uint32_t id = 0; id < r->tables.count; id++) {
        weft_table *table = r->tables.items[id];
        if (memcmp(table->set, set, WORDS * sizeof *set) == 0) return table;
    }
    return NULL;
}

// False: no memory.
static bool add(rig *r, const uint64_t *set)
{
    weft_table *table = weft_table_open(&r->heap, &r->plan, &r->fixture.kit, r->tables.count, set);
    if (!table) return false;
    if (weft_tables_add(&r->tables, &r->heap, &r->plan, table)) return true;
    weft_table_close(&r->heap, &r->plan, table);
    return false;
}

static void add_many(rig *r, uint32_t count)
{
    while (r->tables.count < count) {
        uint64_t set[WORDS];
        random_set(r, set);
        if (!find_slowly(r, set)) assert_true(add(r, set));
    }
}

// ---- by set

static void seed_C1_one_table_a_set(void **state)
{
    (void)state;
    rig *r = rig_open(1);
    while (r->tables.count < TABLES) {
        uint64_t set[WORDS];
        random_set(r, set);
        weft_table *table = weft_tables_find(&r->tables, &r->plan, set);
        assert_ptr_equal(table, find_slowly(r, set));
        if (!table) assert_true(add(r, set));
        assert_ptr_equal(weft_tables_find(&r->tables, &r->plan, set), find_slowly(r, set));
    }
    for (uint32_t id = 0; id < TABLES; id++) {
        const weft_table *table = r->tables.items[id];
        assert_int_equal(table->id, id);
        assert_ptr_equal(weft_tables_find(&r->tables, &r->plan, table->set), table);
    }
    rig_close(r);
}

// Hashes the first word of a set, as tables.c does with each.
static uint64_t first_step(uint64_t word)
{
    uint64_t h = word * 0x9E3779B97F4A7C15u;
    return h ^ h >> 32;
}

// Two sets that begin differently, and whose second words take the difference back: they have one
// hash, and are two tables all the same.
static void test_sets_of_one_hash_are_told_apart(void **state)
{
    (void)state;
    rig *r = rig_open(1);
    const uint64_t sets[2][WORDS] = {
        {1, 4, 0},
        {2, first_step(1) ^ first_step(2) ^ 4, 0},
    };
    for (uint32_t i = 0; i < 2; i++) {
        assert_null(weft_tables_find(&r->tables, &r->plan, sets[i]));
        assert_true(add(r, sets[i]));
    }
    uint64_t hash = 0;
    for (uint32_t slot = 0; slot < r->tables.by_set_capacity; slot++) {
        uint64_t at = r->tables.by_set[slot];
        if (at == 0) continue;
        if (hash != 0) assert_true(at >> 32 == hash); // else this test shows nothing
        hash = at >> 32;
    }
    for (uint32_t i = 0; i < 2; i++) {
        assert_ptr_equal(weft_tables_find(&r->tables, &r->plan, sets[i]), r->tables.items[i]);
    }
    rig_close(r);
}

static void add_twice(void *context)
{
    rig *r = context;
    weft_table copy = *r->tables.items[1];
    copy.id = r->tables.count;
    weft_tables_add(&r->tables, &r->heap, &r->plan, &copy);
}

static void test_a_set_twice_asserts(void **state)
{
    (void)state;
    rig *r = rig_open(1);
    add_many(r, 3);
    assert_true(fixture_asserts(add_twice, r, "a second table was added for a set"));
    rig_close(r);
}

static void test_adding_changes_nothing_when_memory_fails(void **state)
{
    (void)state;
    for (size_t fail_at = 1; fail_at <= 80; fail_at++) {
        rig *r = rig_open(2);
        r->memory.inner.fail_at = fail_at;
        uint32_t failures = 0;
        while (r->tables.count < 70) {
            uint64_t set[WORDS];
            random_set(r, set);
            if (find_slowly(r, set)) continue;
            uint32_t count = r->tables.count;
            if (!add(r, set)) {
                failures++;
                assert_int_equal(r->tables.count, count);
                assert_null(weft_tables_find(&r->tables, &r->plan, set));
                assert_true(add(r, set));
            }
            assert_int_equal(r->tables.count, count + 1);
            for (uint32_t id = 0; id <= count; id++) {
                const weft_table *table = r->tables.items[id];
                assert_ptr_equal(weft_tables_find(&r->tables, &r->plan, table->set), table);
            }
        }
        assert_int_equal(failures, fail_at <= r->memory.inner.calls);
        rig_close(r);
    }
}

// ---- order

static const weft_plan *sorting_plan;

static int compare(const void *a, const void *b)
{
    const weft_table *const *first = a;
    const weft_table *const *second = b;
    return weft_table_compare(sorting_plan, *first, *second);
}

static void test_the_order_is_that_of_the_sets_whatever_the_history(void **state)
{
    (void)state;
    rig *one = rig_open(3);
    rig *other = rig_open(4);
    add_many(one, 200);
    for (uint32_t id = 200; id-- > 0;) assert_true(add(other, one->tables.items[id]->set));
    sorting_plan = &one->plan;
    qsort(one->tables.items, 200, sizeof(weft_table *), compare);
    qsort(other->tables.items, 200, sizeof(weft_table *), compare);
    for (uint32_t i = 0; i < 200; i++) {
        const weft_table *a = one->tables.items[i];
        assert_int_equal(weft_table_compare(&one->plan, a, other->tables.items[i]), 0);
        assert_memory_equal(a->set, other->tables.items[i]->set, WORDS * sizeof(uint64_t));
        for (uint32_t k = 0; k < i; k++) {
            assert_true(weft_table_compare(&one->plan, one->tables.items[k], a) < 0);
            assert_true(weft_table_compare(&one->plan, a, one->tables.items[k]) > 0);
        }
    }
    rig_close(one);
    rig_close(other);
}

// ---- edges

typedef struct edge {
    uint32_t from, component, to;
    bool add;
} edge;

static const weft_table *follow(const rig *r, edge e)
{
    return weft_edge_find(&r->tables, r->tables.items[e.from], e.component, e.add);
}

static void remember(rig *r, edge e)
{
    weft_edge_remember(&r->tables, &r->heap, r->tables.items[e.from], e.component, e.add,
                       r->tables.items[e.to]);
}

static const edge *find_edge(const edge *edges, uint32_t count, edge e)
{
    for (uint32_t i = 0; i < count; i++) {
        if (edges[i].from == e.from && edges[i].component == e.component && edges[i].add == e.add) {
            return &edges[i];
        }
    }
    return NULL;
}

static void run_edges(uint64_t seed, size_t fail_every)
{
    static const uint32_t components[] = {0, 1, 2, 7, 63, 64, 65534, 65535};
    static edge edges[3000];
    uint32_t count = 0;
    uint32_t forgotten = 0;
    rig *r = rig_open(seed);
    add_many(r, 300);
    for (uint32_t i = 0; i < 3000; i++) {
        edge e = {
            .from = fixture_below(&r->random, 300),
            .component = components[fixture_below(&r->random, 8)],
            .to = fixture_below(&r->random, 300),
            .add = fixture_below(&r->random, 2) != 0,
        };
        const edge *known = find_edge(edges, count, e);
        const weft_table *found = follow(r, e);
        assert_ptr_equal(found, known ? r->tables.items[known->to] : NULL);
        if (known) continue;
        if (fail_every != 0) r->memory.inner.fail_at = r->memory.inner.calls + i % fail_every;
        remember(r, e);
        if (follow(r, e)) {
            edges[count++] = e;
        } else {
            forgotten++;
        }
    }
    assert_true(count > 1000);
    assert_int_equal(r->tables.edge_count, count);
    assert_int_equal(forgotten != 0, fail_every != 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_ptr_equal(follow(r, edges[i]), r->tables.items[edges[i].to]);
    }
    rig_close(r);
}

static void test_edges_lead_where_they_were_said_to(void **state)
{
    (void)state;
    for (uint64_t seed = 10; seed < 13; seed++) run_edges(seed, 0);
}

static void test_edges_are_forgotten_when_memory_fails(void **state)
{
    (void)state;
    for (uint64_t seed = 20; seed < 23; seed++) run_edges(seed, 2);
}

static void test_an_edge_said_again_leads_to_the_new_table(void **state)
{
    (void)state;
    rig *r = rig_open(5);
    add_many(r, 4);
    assert_null(follow(r, (edge){0, 0, 0, false}));
    remember(r, (edge){0, 0, 0, false}); // the smallest word an edge can be
    assert_ptr_equal(follow(r, (edge){0, 0, 0, false}), r->tables.items[0]);
    assert_null(follow(r, (edge){0, 0, 0, true}));
    remember(r, (edge){0, 0, 3, false});
    assert_ptr_equal(follow(r, (edge){0, 0, 0, false}), r->tables.items[3]);
    assert_int_equal(r->tables.edge_count, 1);
    rig_close(r);
}

static void test_edges_of_too_many_tables_are_not_remembered(void **state)
{
    (void)state;
    rig *r = rig_open(6);
    add_many(r, 2);
    weft_table far = *r->tables.items[0];
    for (int i = 0; i < 2; i++) {
        far.id = i == 0 ? WEFT_EDGE_TABLES_MAX : UINT32_MAX;
        weft_edge_remember(&r->tables, &r->heap, &far, 1, true, r->tables.items[1]);
        weft_edge_remember(&r->tables, &r->heap, r->tables.items[1], 1, true, &far);
        assert_null(weft_edge_find(&r->tables, &far, 1, true));
        assert_null(weft_edge_find(&r->tables, r->tables.items[1], 1, true));
    }
    // An id that has one bit too many is not taken for one that has it not.
    remember(r, (edge){0, 1, 1, true});
    far.id = WEFT_EDGE_TABLES_MAX;
    assert_null(weft_edge_find(&r->tables, &far, 1, true));
    far.id = WEFT_EDGE_TABLES_MAX - 1;
    weft_edge_remember(&r->tables, &r->heap, &far, 65535, true, r->tables.items[1]);
    assert_ptr_equal(weft_edge_find(&r->tables, &far, 65535, true), r->tables.items[1]);
    rig_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_C1_one_table_a_set),
        cmocka_unit_test(test_sets_of_one_hash_are_told_apart),
        cmocka_unit_test(test_a_set_twice_asserts),
        cmocka_unit_test(test_adding_changes_nothing_when_memory_fails),
        cmocka_unit_test(test_the_order_is_that_of_the_sets_whatever_the_history),
        cmocka_unit_test(test_edges_lead_where_they_were_said_to),
        cmocka_unit_test(test_edges_are_forgotten_when_memory_fails),
        cmocka_unit_test(test_an_edge_said_again_leads_to_the_new_table),
        cmocka_unit_test(test_edges_of_too_many_tables_are_not_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
