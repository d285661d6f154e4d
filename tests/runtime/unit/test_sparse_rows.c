// Sparse rows: a walk along the list of rows with a sparse component finds the same rows and values
// as a scan of every row, whatever has changed since the previous walk.
//
// program: quick moving portable
// flags: hot
#include "edit/calls.h"
#include "ground.h"
#include "query/query.h"

static uint32_t listed_rows_met; // by walks along a list

static weft_table_match match_burning(const weft_world *world, const weft_table *table)
{
    return weft_sparse_rows_count(world, table, BURNING_STORE, FIRST_BITSET) == 0 ? WEFT_MATCH_NONE
                                                                                  : WEFT_MATCH_SOME;
}

static const uint64_t *filter_burning(const weft_table *table, uint32_t first_word, uint32_t words,
                                      uint64_t *mask)
{
    (void)words;
    (void)mask;
    return weft_bitset_words(table, FIRST_BITSET, first_word);
}

// The position of a walk: a table of the query, and the row to look at next.
typedef struct place {
    uint32_t table;
    uint32_t row;
} place;

static bool burns(const weft_world *world, place at)
{
    return weft_bitset_bit(world->queries[QUERY_ALL].tables[at.table], FIRST_BITSET, at.row);
}

// The next row that burns, from `at` on; false: there is none.
static bool find_burning(const weft_world *world, place *at)
{
    const weft_query *query = &world->queries[QUERY_ALL];
    for (; at->table < query->count; *at = (place){at->table + 1, 0}) {
        for (; at->row < query->tables[at->table]->count; at->row++) {
            if (burns(world, *at)) return true;
        }
    }
    return false;
}

// The place of the value of a row of the current range.
static void *value_of(const weft_cursor *c, uint32_t i)
{
    return weft_sparse_row(c, c->world->plan->format, BURNING_STORE, i, sizeof(burning));
}

// Checks that row i of the current range is the next that burns, and that this is its value.
static void check_row(const weft_cursor *c, place *at, uint32_t i, const void *value)
{
    assert_true(find_burning(c->world, at));
    assert_ptr_equal(c->table, c->world->queries[QUERY_ALL].tables[at->table]);
    assert_int_equal(c->first + i, at->row);
    assert_ptr_equal(value, value_of(c, i));
    listed_rows_met += c->listed_rows != NULL;
    at->row++;
}

// The value that a walk along a list has for element k; else it is looked up, as in generated code.
static const void *given(const weft_cursor *c, uint32_t k, uint32_t i)
{
    assert_int_equal(c->values != NULL, c->listed_rows != NULL);
    return c->values ? c->values[k] : value_of(c, i);
}

// A walk that has ended has no rows at hand, and none can be marked through it.
static void check_ended(const weft_cursor *c, const weft_list *list)
{
    assert_null(c->table);
    weft_cursor_mark(c, 0);
    weft_cursor_mark_rows(c, 0);
    if (list) weft_cursor_mark_list(c, 0, list);
}

static void check_runs(const weft_world *world, uint32_t rows_max)
{
    weft_cursor c;
    place at = {0, 0};
    weft_cursor_begin_over(&c, world, &world->queries[QUERY_ALL], BURNING_STORE, FIRST_BITSET);
    while (weft_next_run(&c, match_burning, filter_burning, rows_max)) {
        assert_in_range(c.count, 1, rows_max);
        for (uint32_t i = 0; i < c.count; i++) check_row(&c, &at, i, given(&c, i, i));
        bool goes_on = c.count < rows_max && at.row < c.table->count && at.row % 64 != 0;
        assert_false(goes_on && burns(world, at));
    }
    assert_false(find_burning(world, &at));
    check_ended(&c, NULL);
}

static void check_masks(const weft_world *world)
{
    weft_cursor c;
    weft_rows rows;
    place at = {0, 0};
    weft_cursor_begin_over(&c, world, &world->queries[QUERY_ALL], BURNING_STORE, FIRST_BITSET);
    while (weft_next_mask(&c, match_burning, filter_burning, 128, &rows)) {
        uint32_t row;
        weft_rows bits = rows;
        for (uint32_t i; weft_next_valued(&c, &rows, &i);) {
            assert_true(weft_next(&bits, &row));
            assert_int_equal(i, row);
            weft_format f = world->plan->format;
            check_row(&c, &at, i, weft_next_value(&c, f, BURNING_STORE, i, sizeof(burning)));
        }
        assert_false(weft_next(&bits, &row));
    }
    assert_false(find_burning(world, &at));
    check_ended(&c, NULL);
}

static void check_lists(const weft_world *world, uint32_t rows_max)
{
    weft_cursor c;
    weft_list list;
    place at = {0, 0};
    weft_cursor_begin_over(&c, world, &world->queries[QUERY_ALL], BURNING_STORE, FIRST_BITSET);
    while (weft_next_list(&c, match_burning, filter_burning, rows_max, &list)) {
        assert_in_range(list.count, 1, WEFT_LIST_ROWS);
        assert_in_range(c.count, list.row[list.count - 1] + 1, rows_max);
        bool copied = !c.values || rows_max != UINT32_MAX;
        assert_int_equal(list.row == list.found, copied);
        for (uint32_t k = 0; k < list.count; k++) {
            check_row(&c, &at, list.row[k], given(&c, k, list.row[k]));
        }
    }
    assert_false(find_burning(world, &at));
    check_ended(&c, &list);
}

static void check_walks(const ground *g)
{
    check_lists(&g->world.base, 64);
    check_lists(&g->world.base, UINT32_MAX);
    check_runs(&g->world.base, 64);
    check_runs(&g->world.base, 1024);
    check_masks(&g->world.base);
}

static uint64_t any_entity(ground *g)
{
    return g->model.entities[fixture_below(&g->random, g->model.count)].handle;
}

// Makes any kind of change, in a world where few burn: also those that move their rows or values.
static void change(ground *g)
{
    const weft_sparse *store = &g->world.base.sparse[BURNING_STORE];
    switch (fixture_below(&g->random, 8)) {
    case 0:
    case 1:
        if (weft_sparse_count(store) < g->model.count / 20) ground_add(g, any_entity(g), BURNING);
        break;
    case 2:
        ground_drop(g, any_entity(g), BURNING);
        break;
    case 3:
        ground_despawn(g, any_entity(g));
        break;
    case 4:
        ground_spawn_empty(g);
        break;
    case 5:
        ground_add(g, any_entity(g), POSITION);
        break;
    case 6:
        ground_drop(g, any_entity(g), POSITION);
        break;
    default:
        ground_add(g, any_entity(g), SELECTED);
        break;
    }
}

static ground *crowd_of(uint32_t count, uint64_t seed)
{
    ground *g = ground_open((fixture_options){.max_entities = count + 200}, seed);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t handle = ground_spawn_empty(g);
        if (i % 3 != 0) ground_add(g, handle, POSITION);
    }
    return g;
}

static ground *crowd(uint64_t seed)
{
    return crowd_of(400, seed);
}

static void walks_find_who_burns_after_every_change(void **state)
{
    (void)state;
    listed_rows_met = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        ground *g = crowd(seed);
        for (uint32_t i = 0; i < 600; i++) {
            change(g);
            check_walks(g);
        }
        ground_check(g);
        ground_close(g);
    }
    assert_in_range(listed_rows_met, 10000, UINT32_MAX);
}

// Between two walks no row moves, and few values come and go, or as many as no list is kept up for.
static void lists_are_kept_up_while_rows_stay(void **state)
{
    (void)state;
    ground *g = crowd_of(3000, 10);
    const weft_sparse *store = &g->world.base.sparse[BURNING_STORE];
    listed_rows_met = 0;
    for (uint32_t walk = 0; walk < 150; walk++) {
        uint32_t changes = walk % 25 == 24 ? 400 : fixture_below(&g->random, 12);
        for (uint32_t i = 0; i < changes; i++) {
            uint32_t slot = fixture_below(&g->random, 301);
            if (slot < weft_sparse_count(store)) {
                uint32_t index = ((const uint32_t *)(const void *)store->owners.base)[slot];
                weft_world *world = &g->world.base;
                ground_drop(g, weft_handle_of(&world->entities, world->plan->format, index),
                            BURNING);
            } else {
                ground_add(g, any_entity(g), BURNING);
            }
        }
        if (walk % 10 == 9) ground_despawn(g, any_entity(g));
        check_walks(g);
    }
    assert_in_range(listed_rows_met, 10000, UINT32_MAX);
    ground_check(g);
    ground_close(g);
}

// A burning entity despawns, and the value that fills its slot is of a table where nothing changed.
static void a_value_that_moves_is_found_in_another_table(void **state)
{
    (void)state;
    ground *g = crowd(4);
    uint64_t with = g->model.entities[1].handle;
    uint64_t without = g->model.entities[0].handle;
    ground_add(g, without, BURNING);
    ground_add(g, with, BURNING);
    check_walks(g);
    ground_despawn(g, without);
    check_walks(g);
    ground_close(g);
}

// The store makes space for more values, and the component is neither added nor removed.
static void values_that_lie_elsewhere_are_found(void **state)
{
    (void)state;
    ground *g = crowd(8);
    weft_sparse *store = &g->world.base.sparse[BURNING_STORE];
    for (uint32_t i = 0; i < 20; i++) ground_add(g, any_entity(g), BURNING);
    check_walks(g);
    const unsigned char *before = store->values.base;
    assert_true(weft_sparse_reserve(&g->world.base.heap, store, 500));
    assert_ptr_not_equal(store->values.base, before);
    check_walks(g);
    ground_close(g);
}

// The last row, which burns, fills the hole of one that does not: no value is added or removed.
static void a_row_that_moves_is_found(void **state)
{
    (void)state;
    ground *g = crowd(5);
    ground_add(g, g->model.entities[399].handle, BURNING);
    check_walks(g);
    ground_despawn(g, g->model.entities[0].handle);
    check_walks(g);
    ground_close(g);
}

static void without_memory_walks_find_equal_rows(void **state)
{
    (void)state;
    ground *g = crowd(6);
    for (uint32_t i = 0; i < 20; i++) ground_add(g, any_entity(g), BURNING);
    listed_rows_met = 0;
    g->memory.fail_at = g->memory.calls + 1;
    g->memory.fail_on = true;
    check_walks(g);
    assert_int_equal(listed_rows_met, 0);
    g->memory.fail_at = 0;
    check_walks(g);
    assert_int_not_equal(listed_rows_met, 0);
    ground_close(g);
}

static void where_many_burn_there_is_no_list(void **state)
{
    (void)state;
    ground *g = crowd(7);
    for (uint32_t i = 0; i < 400; i++) ground_add(g, g->model.entities[i].handle, BURNING);
    listed_rows_met = 0;
    check_walks(g);
    assert_int_equal(listed_rows_met, 0);
    ground_close(g);
}

static bool is_counted(const weft_world *world, const weft_table *table)
{
    return table->sparse_rows && weft_sparse_rows_counted(&table->sparse_rows[BURNING_STORE],
                                                          &world->sparse[BURNING_STORE]);
}

static uint32_t tables_counted(const weft_world *world)
{
    const weft_query *query = &world->queries[QUERY_ALL];
    uint32_t counted = 0;
    for (uint32_t i = 0; i < query->count; i++) counted += is_counted(world, query->tables[i]);
    return counted;
}

// Other threads may be reading the list meanwhile. A list that was made before is used.
static void in_parallel_walks_cache_nothing(void **state)
{
    (void)state;
    ground *g = crowd(9);
    weft_world *world = &g->world.base;
    const weft_query *query = &world->queries[QUERY_ALL];
    for (uint32_t i = 0; i < 20; i++) ground_add(g, any_entity(g), BURNING);
    world->now.in_parallel = true;
    listed_rows_met = 0;
    check_walks(g);
    assert_int_equal(tables_counted(world), 0);
    assert_int_equal(listed_rows_met, 0);
    world->now.in_parallel = false;
    weft_sparse_rows_ready(world, query, BURNING_STORE, FIRST_BITSET, false);
    assert_int_equal(tables_counted(world), query->count);
    world->now.in_parallel = true;
    check_walks(g);
    assert_int_equal(listed_rows_met, 0);
    world->now.in_parallel = false;
    weft_sparse_rows_ready(world, query, BURNING_STORE, FIRST_BITSET, true);
    world->now.in_parallel = true;
    check_walks(g);
    assert_int_not_equal(listed_rows_met, 0);
    world->now.in_parallel = false;
    ground_close(g);
}

// The list was made, and no longer holds.
static void in_parallel_no_stale_list_is_used(void **state)
{
    (void)state;
    ground *g = crowd(12);
    weft_world *world = &g->world.base;
    for (uint32_t i = 0; i < 20; i++) ground_add(g, g->model.entities[i].handle, BURNING);
    weft_sparse_rows_ready(world, &world->queries[QUERY_ALL], BURNING_STORE, FIRST_BITSET, true);
    ground_drop(g, g->model.entities[0].handle, BURNING);
    world->now.in_parallel = true;
    listed_rows_met = 0;
    check_walks(g);
    assert_int_equal(listed_rows_met, 0);
    world->now.in_parallel = false;
    ground_close(g);
}

// One entity gets the component and another loses it: as many have it as before.
static void rows_are_counted_again_where_others_have_it(void **state)
{
    (void)state;
    ground *g = crowd(10);
    const weft_world *world = &g->world.base;
    ground_add(g, g->model.entities[0].handle, BURNING);
    weft_sparse_rows_ready(world, &world->queries[QUERY_ALL], BURNING_STORE, FIRST_BITSET, false);
    assert_int_not_equal(tables_counted(world), 0);
    ground_add(g, g->model.entities[1].handle, BURNING);
    ground_drop(g, g->model.entities[0].handle, BURNING);
    assert_int_equal(tables_counted(world), 0);
    check_walks(g);
    ground_check(g);
    ground_close(g);
}

// Where each change moves all of so many rows, a few changes are enough.
#ifdef WEFT_HARD
enum { CHANGES_OF_FEW = 40 };
#else
enum { CHANGES_OF_FEW = 200 };
#endif

// The few of so many rows are counted one by one.
static void few_of_many_are_counted_where_they_are(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){.max_entities = 4000}, 11);
    weft_world *world = &g->world.base;
    const unsigned char value[64] = {0};
    uint64_t few[4];
    for (uint32_t i = 0; i < 4000; i++) {
        uint64_t handle = weft_spawn_empty(world);
        if (i % 2 == 0) assert_true(weft_component_set(world, handle, POSITION, value));
        if (i % 1000 == 0) few[i / 1000] = handle;
    }
    for (uint32_t i = 0; i < CHANGES_OF_FEW; i++) {
        uint64_t one = few[fixture_below(&g->random, 4)];
        uint32_t component = fixture_below(&g->random, 3) == 0 ? POSITION : BURNING;
        if (weft_component_has(world, one, component)) {
            assert_true(weft_component_remove(world, one, component));
        } else {
            assert_true(weft_component_set(world, one, component, value));
        }
        world_check(&g->fixture, world);
        check_walks(g);
    }
    ground_close(g);
}

static void burn(ground *g, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) ground_add(g, g->model.entities[i].handle, BURNING);
}

// The last ones first, so that no other value moves.
static void quench(ground *g, uint32_t first, uint32_t end)
{
    for (uint32_t i = end; i-- > first;) ground_drop(g, g->model.entities[i].handle, BURNING);
}

// A list is kept up for 256 rows at most, whether their values came, went, or have another owner.
static void lists_are_made_anew_where_much_has_changed(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){.max_entities = 4000}, 13);
    for (uint32_t i = 0; i < 4000; i++) ground_spawn_empty(g);
    listed_rows_met = 0;
    burn(g, 0, 300);
    check_walks(g);
    quench(g, 60, 300); // few enough, so that there is still space for 300
    check_walks(g);
    burn(g, 60, 345);
    check_walks(g);
    quench(g, 60, 345);
    check_walks(g);
    burn(g, 60, 300);
    check_walks(g);
    quench(g, 0, 300);
    burn(g, 1000, 1300);
    check_walks(g);
    assert_int_equal(listed_rows_met, 5 * (300 + 60 + 345 + 60 + 300 + 300));
    ground_check(g);
    ground_close(g);
}

// The last row ends, so that no other one moves.
static void a_row_that_ends_leaves_the_list(void **state)
{
    (void)state;
    ground *g = ground_open((fixture_options){.max_entities = 400}, 14);
    for (uint32_t i = 0; i < 400; i++) ground_spawn_empty(g);
    burn(g, 0, 5);
    burn(g, 399, 400);
    check_walks(g);
    ground_despawn(g, g->model.entities[399].handle);
    check_walks(g);
    ground_check(g);
    ground_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_find_who_burns_after_every_change),
        cmocka_unit_test(lists_are_kept_up_while_rows_stay),
        cmocka_unit_test(a_value_that_moves_is_found_in_another_table),
        cmocka_unit_test(values_that_lie_elsewhere_are_found),
        cmocka_unit_test(a_row_that_moves_is_found),
        cmocka_unit_test(without_memory_walks_find_equal_rows),
        cmocka_unit_test(where_many_burn_there_is_no_list),
        cmocka_unit_test(in_parallel_walks_cache_nothing),
        cmocka_unit_test(in_parallel_no_stale_list_is_used),
        cmocka_unit_test(rows_are_counted_again_where_others_have_it),
        cmocka_unit_test(lists_are_made_anew_where_much_has_changed),
        cmocka_unit_test(a_row_that_ends_leaves_the_list),
        cmocka_unit_test(few_of_many_are_counted_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
