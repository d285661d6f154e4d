// Entities: indices, generations and records against a naive model, the order of reuse, failures.
//
// program: quick units portable byte_order
// flags: hot
#include "store/enlarge.h"

#include "entity_pool.h"

// ---- the model: what is known of every index, and the line of the free ones

#define MODEL_INDICES 6000 // as many as there are steps

typedef struct model {
    uint32_t generation[MODEL_INDICES]; // of the living, or the next one; 0: retired
    bool alive[MODEL_INDICES];
    weft_place place[MODEL_INDICES];
    uint32_t line[MODEL_INDICES]; // in the order of freeing
    uint32_t line_count;
    uint32_t index_count;
    uint32_t live;
    uint32_t retired;
} model;

static void line_remove(model *m, uint32_t at)
{
    m->line_count--;
    memmove(m->line + at, m->line + at + 1, (m->line_count - at) * sizeof m->line[0]);
}

static uint64_t model_spawn(model *m, const pool *p, weft_place place)
{
    uint32_t wait = p->fixture.plan.recycle_after;
    uint32_t index;
    if (m->live == p->fixture.plan.max_entities) return 0;
    if (m->line_count > wait) {
        uint32_t at = wait == 0 ? m->line_count - 1 : 0;
        index = m->line[at];
        line_remove(m, at);
    } else {
        if (m->index_count == weft_index_mask(p->format) + (uint64_t)1) return 0;
        index = m->index_count++;
        m->generation[index] = 1;
    }
    m->live++;
    m->alive[index] = true;
    m->place[index] = place;
    return weft_handle(p->format, index, m->generation[index]);
}

static weft_status model_may_be(const model *m, const pool *p, uint64_t handle)
{
    uint32_t index = weft_handle_index(p->format, handle);
    uint64_t generation = handle >> p->format.index_bits;
    bool wide = generation > weft_generation_max(p->format) || index >= p->entities.index_limit;
    if (generation == 0 || wide) return WEFT_BAD_VALUE;
    if (index < m->index_count && m->alive[index]) return WEFT_REFUSED;
    if (index < m->index_count && (m->generation[index] == 0 || generation < m->generation[index]))
        return WEFT_DEAD;
    return m->live < p->fixture.plan.max_entities ? WEFT_OK : WEFT_FULL;
}

// Indices that were skipped wait in the line, such that the lowest comes first.
static void model_claim(model *m, const pool *p, uint64_t handle, weft_place place)
{
    uint32_t index = weft_handle_index(p->format, handle);
    bool lifo = p->fixture.plan.recycle_after == 0;
    uint32_t skipped = index < m->index_count ? 0 : index - m->index_count;
    for (uint32_t i = 0; i < m->line_count; i++) {
        if (m->line[i] == index) line_remove(m, i);
    }
    for (uint32_t i = 0; i < skipped; i++) {
        uint32_t free = lifo ? index - 1 - i : m->index_count + i;
        m->generation[free] = 1;
        m->line[m->line_count++] = free;
    }
    if (index >= m->index_count) m->index_count = index + 1;
    m->generation[index] = (uint32_t)(handle >> p->format.index_bits);
    m->alive[index] = true;
    m->place[index] = place;
    m->live++;
}

static void model_despawn(model *m, const pool *p, uint32_t index)
{
    m->live--;
    m->alive[index] = false;
    if (m->generation[index] == weft_generation_max(p->format)) {
        m->generation[index] = 0;
        m->retired++;
    } else {
        m->generation[index]++;
        m->line[m->line_count++] = index;
    }
}

static uint32_t model_recycle(model *m, const pool *p)
{
    bool lifo = p->fixture.plan.recycle_after == 0;
    for (uint32_t i = 0; i < m->index_count; i++) {
        uint32_t index = lifo ? m->index_count - 1 - i : i;
        if (m->alive[index] || m->generation[index] != 0) continue;
        m->generation[index] = 1;
        m->line[m->line_count++] = index;
    }
    uint32_t brought = m->retired;
    m->retired = 0;
    return brought;
}

static void check_handle(const model *m, const pool *p, uint64_t handle)
{
    weft_place place = {UINT32_MAX, UINT32_MAX};
    weft_place direct = place;
    uint32_t index = weft_handle_index(p->format, handle);
    bool expected = index < m->index_count && m->alive[index] &&
                    handle == weft_handle(p->format, index, m->generation[index]);
    assert_int_equal(weft_find(&p->entities, p->format, handle, &place), expected);
    assert_int_equal(place.table, expected ? m->place[index].table : UINT32_MAX);
    assert_int_equal(place.row, expected ? m->place[index].row : UINT32_MAX);
    assert_int_equal(weft_find_direct(&p->entities, p->format, handle, &direct), expected);
    assert_memory_equal(&direct, &place, sizeof place);
}

static void check_counts(const model *m, const pool *p)
{
    assert_int_equal(weft_entities_live(&p->entities), m->live);
    assert_int_equal(p->entities.index_count, m->index_count);
    assert_int_equal(p->entities.free_count, m->line_count);
    assert_int_equal(p->entities.retired, m->retired);
    assert_true(p->entities.index_count <= p->entities.index_capacity);
    assert_int_equal(weft_index_at_hand(&p->entities),
                     m->index_count < p->entities.index_capacity &&
                         m->index_count < p->fixture.plan.max_entities);
    watched_check(&p->memory, &p->heap);
}

// Handles around what is there: right, stale, not yet, and with bits that no handle has.
static void check_near(const model *m, const pool *p, fixture_random *random)
{
    uint32_t index = fixture_below(random, m->index_count + 3);
    uint32_t known = index < m->index_count ? m->generation[index] : 1;
    unsigned bits = p->format.index_bits + p->format.generation_bits;
    for (uint32_t more = 0; more < 4; more++) {
        uint64_t handle = (uint64_t)index | (uint64_t)(known + more - 2) << p->format.index_bits;
        check_handle(m, p, handle);
        if (bits < 64) check_handle(m, p, handle | (uint64_t)1 << bits);
        check_handle(m, p, handle ^ (uint64_t)1 << 63);
    }
    check_handle(m, p, index);
}

// A handle near those that there are: of an index that is free or alive, or of none yet.
static uint64_t any_claim(const model *m, const pool *p, fixture_random *random)
{
    uint32_t index = fixture_below(random, m->index_count + 3);
    uint32_t known = index < m->index_count ? m->generation[index] : 1;
    if (m->line_count != 0 && fixture_below(random, 2) == 0) {
        index = m->line[fixture_below(random, m->line_count)];
        known = m->generation[index];
    }
    uint64_t generation = (uint64_t)known + fixture_below(random, 3);
    if (fixture_below(random, 8) == 0) generation = fixture_below(random, 5);
    return index | generation << p->format.index_bits;
}

static void claim(model *m, pool *p, fixture_random *random, weft_place place)
{
    uint64_t handle = any_claim(m, p, random);
    weft_status expected = model_may_be(m, p, handle);
    if (m->index_count > MODEL_INDICES - 8) return;
    assert_int_equal(weft_index_may_be(&p->entities, p->format, handle), expected);
    if (expected != WEFT_OK) return;
    assert_true(weft_index_claim(&p->entities, &p->heap, p->format, handle));
    weft_record_place(&p->entities, p->format, handle, place.table, place.row);
    model_claim(m, p, handle, place);
}

// Brings back a handle near those of dead entities. Only the last one of an index can return.
static void bring_back(model *m, pool *p, fixture_random *random, weft_place place)
{
    uint32_t index = fixture_below(random, m->index_count + 2) & weft_index_mask(p->format);
    bool known = index < m->index_count;
    uint32_t next = known ? m->generation[index] : 1;
    uint32_t last = next == 0 ? weft_generation_max(p->format) : next - 1;
    uint32_t generation = last + (fixture_below(random, 4) == 0 ? fixture_below(random, 3) - 1 : 0);
    uint64_t handle = weft_handle(p->format, index, generation);
    bool may = known && !m->alive[index] && generation == last && last != 0;
    assert_int_equal(weft_index_may_return(&p->entities, p->format, handle), may);
    if (!may || m->live == p->fixture.plan.max_entities) return;
    weft_index_return(&p->entities, p->format, handle);
    weft_record_place(&p->entities, p->format, handle, place.table, place.row);
    if (next == 0) m->retired--;
    model_claim(m, p, handle, place);
}

static void run_model(fixture_options options, uint64_t seed, bool on_the_heap)
{
    fixture_random random = {seed};
    pool *p = calloc(1, sizeof *p);
    model *m = calloc(1, sizeof *m);
    assert_true(p && m);
    p->memory.inner.no_reserve = on_the_heap;
    assert_true(pool_try(p, options));
    for (int step = 0; step < 6000; step++) {
        uint32_t dice = fixture_below(&random, 100);
        bool grows = step / 500 % 2 == 0;
        weft_place place = {fixture_below(&random, 1000), m->live};
        if (dice == 0 && step % 7 == 0) {
            assert_int_equal(weft_entities_recycle(&p->entities, p->format), model_recycle(m, p));
        } else if (dice < 10) {
            claim(m, p, &random, place);
        } else if (dice < 15) {
            bring_back(m, p, &random, place);
        } else if (dice < (grows ? 70u : 30u)) {
            assert_int_equal(spawn_at(p, place.table, place.row), model_spawn(m, p, place));
        } else if (m->index_count != 0) {
            uint32_t index = fixture_below(&random, m->index_count);
            if (!m->alive[index]) continue;
            despawn(p, weft_handle(p->format, index, m->generation[index]));
            model_despawn(m, p, index);
        }
        check_counts(m, p);
        check_near(m, p, &random);
    }
    free(m);
    pool_close(p);
}

static void test_random_operations_match_a_model(void **state)
{
    (void)state;
    const uint32_t waits[] = {0, 1, 2, 17, 400};
    for (size_t i = 0; i < WIDTHS; i++) {
        for (size_t k = 0; k < sizeof waits / sizeof waits[0]; k++) {
            fixture_options options = widths[i];
            options.recycle_after = waits[k];
            run_model(options, i * 10 + k, false);
            run_model(options, i * 10 + k, true);
        }
    }
}

// ---- limits and layout

static void test_short_address_space_lowers_the_limit(void **state)
{
    (void)state;
    const uint64_t max = 1000;
    const uint64_t wait = 700;
    const size_t record = sizeof(weft_wide_record);
    for (size_t pages = 1; pages < 5000; pages = pages * 3 / 2 + 1) {
        pool *p = calloc(1, sizeof *p);
        assert_non_null(p);
        p->memory.reserve_max = pages * WEFT_PAGE_BYTES;
        assert_true(pool_try(p, (fixture_options){32, 32, 8, (uint32_t)max, (uint32_t)wait}));
        bool fits = fixture_has_space &&
                    weft_round_up((max + wait) * record, WEFT_PAGE_BYTES) <= p->memory.reserve_max;
        assert_int_equal(p->entities.records.reserved != 0, fits);
        if (fits) {
            uint64_t limit = p->entities.index_limit;
            uint64_t reserved = p->entities.records.reserved / record;
            assert_int_equal(limit, reserved < pool_indices(p) ? reserved : pool_indices(p));
            assert_true(limit >= max + wait);
        } else {
            assert_int_equal(p->entities.index_limit, pool_indices(p));
        }
        for (uint32_t i = 0; i < max; i++) assert_int_not_equal(spawn(p), 0);
        for (uint64_t i = 0; i < wait; i++) despawn(p, (uint64_t)1 << 32 | i);
        for (uint32_t i = 0; i < wait; i++) assert_int_not_equal(spawn(p), 0);
        assert_int_equal(spawn(p), 0);
        pool_close(p);
    }
}

static void test_handles_are_stored_in_their_width(void **state)
{
    (void)state;
    const uint8_t bytes[] = {2, 4, 8};
    for (size_t i = 0; i < 3; i++) {
        weft_format f = {8, 8, bytes[i], false, false, false};
        unsigned char handles[4 * 8] = {0};
        _Alignas(8) unsigned char column[4 * 8] = {0};
        weft_handle_store(f, column, 1, UINT64_MAX);
        memset(handles + bytes[i], 0xFF, bytes[i]);
        assert_memory_equal(column, handles, sizeof column);
        uint64_t all = bytes[i] == 8 ? UINT64_MAX : ((uint64_t)1 << bytes[i] * 8) - 1;
        assert_true(weft_handle_load(f, column, 1) == all);
        assert_int_equal(weft_handle_load(f, column, 0), 0);
        assert_int_equal(weft_handle_load(f, column, 2), 0);
    }
}

// ---- recycling

static void retire_some(pool *p)
{
    for (uint32_t i = 0; i < 8; i++) assert_int_equal(spawn(p), 1u << 4 | i);
    const uint64_t order[] = {5, 1, 6, 3};
    for (size_t i = 0; i < 4; i++) despawn(p, 1u << 4 | order[i]);
    assert_int_equal(p->entities.retired, 4);
    assert_int_equal(p->entities.free_count, 0);
}

static void test_recycled_indices_come_lowest_first(void **state)
{
    (void)state;
    for (uint32_t wait = 0; wait <= 3; wait++) {
        pool *p = pool_open((fixture_options){4, 1, 2, 16, wait});
        retire_some(p);
        assert_int_equal(weft_entities_recycle(&p->entities, p->format), 4);
        assert_int_equal(p->entities.free_count, 4);
        const uint64_t lowest[] = {1, 3, 5, 6};
        for (uint32_t i = 0; i + wait < 4; i++) assert_int_equal(spawn(p), 1u << 4 | lowest[i]);
        assert_int_equal(spawn(p), 1u << 4 | 8);
        pool_close(p);
    }
}

static void test_recycled_indices_join_those_that_wait(void **state)
{
    (void)state;
    for (uint32_t wait = 0; wait <= 1; wait++) {
        pool *p = pool_open((fixture_options){4, 2, 2, 16, wait});
        for (uint32_t i = 0; i < 4; i++) assert_int_equal(spawn(p), 1u << 4 | i);
        despawn(p, 1u << 4 | 3); // waits, next generation 2
        for (uint32_t index = 1; index <= 2; index++) {
            weft_record_write(&p->entities, p->format, index, 3, 0, 0);
            despawn(p, 3u << 4 | index); // retires
        }
        assert_int_equal(weft_entities_recycle(&p->entities, p->format), 2);
        const uint64_t lifo[] = {1u << 4 | 1, 1u << 4 | 2, 2u << 4 | 3};
        const uint64_t fifo[] = {2u << 4 | 3, 1u << 4 | 1, 1u << 4 | 4};
        for (int i = 0; i < 3; i++) assert_int_equal(spawn(p), (wait == 0 ? lifo : fifo)[i]);
        pool_close(p);
    }
}

// While direct calls are refused, they find no entity and give out no index.
static void test_refused_calls_find_no_entity(void **state)
{
    (void)state;
    pool *p = pool_open((fixture_options){4, 2, 2, 16, 0});
    weft_place at;
    uint64_t handle = spawn_at(p, 1, 2);
    weft_entities_let(&p->entities, false);
    assert_false(weft_find_direct(&p->entities, p->format, handle, &at));
    assert_true(weft_find(&p->entities, p->format, handle, &at));
    assert_false(weft_index_at_hand(&p->entities));
    weft_entities_let(&p->entities, true);
    assert_true(weft_find_direct(&p->entities, p->format, handle, &at));
    assert_true(weft_index_at_hand(&p->entities));
    pool_close(p);
}

// A handle that a command may bring back: of an index that there can be, and of a generation.
static void test_a_handle_that_may_be_has_an_index_and_a_generation(void **state)
{
    (void)state;
    pool *p = pool_open((fixture_options){24, 30, 8, 100, 0}); // with ten bits that no handle has
    uint32_t limit = p->entities.index_limit;
    uint32_t most = weft_generation_max(p->format);
    assert_true(limit < 1u << 24);
    const struct {
        uint64_t handle;
        weft_status status;
    } all[] = {
        {weft_handle(p->format, 5, 1), WEFT_OK},
        {weft_handle(p->format, 5, most), WEFT_OK},
        {weft_handle(p->format, limit - 1, 1), WEFT_OK},
        {weft_handle(p->format, limit, 1), WEFT_BAD_VALUE},
        {weft_handle(p->format, 5, 0), WEFT_BAD_VALUE},
        {((uint64_t)most + 1) << 24 | 5, WEFT_BAD_VALUE},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_int_equal(weft_index_may_be(&p->entities, p->format, all[i].handle), all[i].status);
    }
    pool_close(p);
}

// ---- failures

// Indices that are owed take the first memory that there is, and may all have to wait for reuse.
// The spawn goes on to the next memory then.
static void test_a_spawn_finds_an_index_behind_those_that_are_owed(void **state)
{
    (void)state;
    for (uint32_t pages = 0; pages < 4; pages++) {
        pool *p = pool_open((fixture_options){16, 16, 4, 50, 10000});
        while (p->entities.index_count < p->entities.index_capacity) despawn(p, spawn(p));
        uint32_t capacity = p->entities.index_capacity;
        p->entities.owed = capacity * (1 + pages);
        uint64_t handle = spawn(p);
        assert_int_not_equal(handle, 0);
        assert_true(weft_handle_index(p->format, handle) >= p->entities.owed);
        pool_close(p);
    }
}

// If all that there can be were owed, and all of them wait, there is none.
static void test_no_spawn_finds_an_index_if_all_of_them_wait(void **state)
{
    (void)state;
    pool *p = pool_open((fixture_options){12, 4, 2, 50, 4096});
    while (p->entities.index_count < p->entities.index_capacity) despawn(p, spawn(p));
    p->entities.owed = p->entities.index_limit;
    assert_int_equal(spawn(p), 0);
    assert_int_equal(p->entities.index_count, p->entities.index_limit);
    assert_int_equal(weft_index_status(&p->entities), WEFT_FULL);
    pool_close(p);
}

static void test_open_gives_all_back_when_memory_fails(void **state)
{
    (void)state;
    for (size_t fail_at = 1; fail_at <= 2; fail_at++) {
        pool *p = calloc(1, sizeof *p);
        assert_non_null(p);
        p->memory.inner = (fixture_memory){.fail_at = fail_at, .fail_on = true};
        assert_false(pool_try(p, (fixture_options){32, 32, 8, 1000, 0}));
        watched_check_empty(&p->memory, &p->heap);
        pool_close(p); // harmless
    }
}

// As many at once as one by one, after a few that were taken and given back.
static void test_fresh_indices_in_a_row_are_those_one_by_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++) {
        pool *one_by_one = pool_open(widths[i]);
        pool *at_once = pool_open(widths[i]);
        weft_format f = at_once->format;
        uint32_t indices = weft_index_mask(f) < 100 ? weft_index_mask(f) + 1 : 101;
        uint32_t n = indices - 1;
        uint64_t handles[100] = {0};
        pool *both[] = {one_by_one, at_once};
        for (size_t b = 0; b < 2; b++) despawn(both[b], spawn(both[b]));
        for (size_t b = 0; b < 2; b++) both[b]->entities.live_limit = n;
        assert_true(weft_entities_grow(&at_once->entities, &at_once->heap, indices));
        weft_entities_take_fresh(&at_once->entities, f, n, 3, 1, handles);
        one_by_one->format.waits = true;
        one_by_one->entities.wait = 1; // the one that was given back stays there
        for (uint32_t k = 0; k < n; k++) {
            uint64_t handle = spawn_at(one_by_one, 3, 1 + k);
            weft_place place = {0, 0};
            assert_int_equal(weft_handle_load(f, handles, k), handle);
            assert_true(weft_find(&at_once->entities, f, handle, &place));
            assert_int_equal(place.table, 3);
            assert_int_equal(place.row, 1 + k);
        }
        assert_int_equal(at_once->entities.index_count, one_by_one->entities.index_count);
        assert_int_equal(weft_entities_live(&at_once->entities),
                         weft_entities_live(&one_by_one->entities));
        assert_int_equal(at_once->entities.free_count, one_by_one->entities.free_count);
        pool_close(one_by_one);
        pool_close(at_once);
    }
}

// Without memory for the records of all indices below it no entity has the handle.
static void test_claiming_changes_nothing_when_memory_fails(void **state)
{
    (void)state;
    for (int on_the_heap = 0; on_the_heap < 2; on_the_heap++) {
        pool *p = calloc(1, sizeof *p);
        assert_non_null(p);
        p->memory.inner.no_reserve = on_the_heap != 0;
        assert_true(pool_try(p, (fixture_options){32, 32, 8, 100000, 0}));
        weft_entities before = p->entities;
        uint64_t handle = (uint64_t)7 << 32 | 50000;
        p->memory.inner.fail_at = p->memory.inner.calls + 1;
        p->memory.inner.fail_on = true;
        assert_false(weft_index_claim(&p->entities, &p->heap, p->format, handle));
        assert_memory_equal(&p->entities, &before, sizeof before);
        p->memory.inner.fail_on = false;
        p->memory.inner.fail_at = 0;
        assert_true(weft_index_claim(&p->entities, &p->heap, p->format, handle));
        weft_record_place(&p->entities, p->format, handle, 1, 2);
        assert_int_equal(p->entities.free_count, 50000);
        assert_int_equal(spawn(p), (uint64_t)1 << 32);
        pool_close(p);
    }
}

static void test_spawning_changes_nothing_when_memory_fails(void **state)
{
    (void)state;
    for (size_t fail_at = 3; fail_at < 20; fail_at++) {
        for (int on_the_heap = 0; on_the_heap < 2; on_the_heap++) {
            pool *p = calloc(1, sizeof *p);
            assert_non_null(p);
            p->memory.inner.no_reserve = on_the_heap != 0;
            assert_true(pool_try(p, (fixture_options){32, 32, 8, 100000, 0}));
            p->memory.inner.fail_at = p->memory.inner.calls + fail_at - 2;
            uint32_t failures = 0;
            for (uint32_t n = 0; n < 100000; n++) {
                weft_entities before = p->entities;
                while (spawn_at(p, 1, n) == 0) {
                    assert_memory_equal(&p->entities, &before, sizeof before);
                    failures++;
                }
                watched_check(&p->memory, &p->heap);
            }
            assert_true(failures <= 1);
            for (uint64_t n = 0; n < 100000; n++) assert_true(alive(p, (uint64_t)1 << 32 | n));
            pool_close(p);
        }
    }
}

// Stands in for the hook: which pages it was asked to enlarge. Every other call brings a page.
static struct {
    uint32_t count;
    unsigned char *pages[16];
} enlarged;

static bool note_page(void **spare, void *memory)
{
    if (!*spare) {
        *spare = &enlarged;
        return true;
    }
    *spare = NULL;
    assert_in_range(enlarged.count, 0, 15);
    enlarged.pages[enlarged.count++] = (unsigned char *)memory;
    return true;
}

static void test_full_pages_of_records_are_enlarged_once(void **state)
{
    (void)state;
    const size_t large = WEFT_LARGE_PAGE_BYTES;
    pool *p = pool_open((fixture_options){32, 32, 8, 1000000, 0});
    const weft_region *records = &p->entities.records;
    const unsigned char *first = records->base + (large - (uintptr_t)records->base % large) % large;
    memset(&enlarged, 0, sizeof enlarged);
    p->heap.enlarge = note_page;
    while (records->reserved != 0 && records->bytes < 5 * large) {
        assert_true(weft_entities_grow(&p->entities, &p->heap, p->entities.index_capacity + 1));
        while (weft_entities_enlarge(&p->entities, &p->heap)) continue;
        const unsigned char *end = records->base + records->bytes;
        assert_int_equal(enlarged.count, end < first ? 0 : (size_t)(end - first) / large);
    }
    for (uint32_t i = 0; i < enlarged.count; i++) {
        assert_ptr_equal(enlarged.pages[i], first + i * large);
    }
    p->heap.spare = NULL;
    pool_close(p);
}

// Nothing is asked for where the machine has no large pages, and of records that lie on the heap.
static void test_records_without_large_pages_stay(void **state)
{
    (void)state;
    for (int on_heap = 0; on_heap < 2; on_heap++) {
        pool *p = calloc(1, sizeof *p);
        assert_non_null(p);
        p->memory.inner.no_reserve = on_heap != 0;
        assert_true(pool_try(p, (fixture_options){32, 32, 8, 1000000, 0}));
        memset(&enlarged, 0, sizeof enlarged);
        p->heap.enlarge = on_heap ? note_page : NULL;
        uint32_t many = (uint32_t)(3 * WEFT_LARGE_PAGE_BYTES / pool_record_bytes(p));
        assert_true(weft_entities_grow(&p->entities, &p->heap, many));
        p->entities.enlarged = 0; // as if they had come little by little
        assert_false(weft_entities_enlarge(&p->entities, &p->heap));
        assert_int_equal(enlarged.count, 0);
        pool_close(p);
    }
}

// A save may have more indices than a world of its own would.
static void test_a_world_without_entities_takes_more_indices(void **state)
{
    (void)state;
    for (int heap_only = 0; heap_only < 2; heap_only++) {
        pool *p = calloc(1, sizeof *p);
        assert_non_null(p);
        if (!heap_only) p->memory.reserve_max = SIZE_MAX;
        assert_true(pool_try(p, (fixture_options){32, 32, 8, 100, 0}));
        uint32_t limit = p->entities.index_limit;
        assert_true(weft_entities_widen(&p->entities, &p->heap, limit)); // nothing to do
        assert_int_equal(p->entities.index_limit, limit);
        uint32_t more = 5 * limit + 7;
        assert_true(weft_entities_widen(&p->entities, &p->heap, more));
        assert_int_equal(p->entities.index_limit, more);
        assert_true(p->entities.index_capacity >= more);
        assert_false(weft_entities_grow(&p->entities, &p->heap, more + 1));
        for (uint32_t i = 0; i < 100; i++) assert_int_not_equal(spawn(p), 0);
        pool_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_operations_match_a_model),
        cmocka_unit_test(test_short_address_space_lowers_the_limit),
        cmocka_unit_test(test_a_world_without_entities_takes_more_indices),
        cmocka_unit_test(test_handles_are_stored_in_their_width),
        cmocka_unit_test(test_fresh_indices_in_a_row_are_those_one_by_one),
        cmocka_unit_test(test_recycled_indices_come_lowest_first),
        cmocka_unit_test(test_recycled_indices_join_those_that_wait),
        cmocka_unit_test(test_refused_calls_find_no_entity),
        cmocka_unit_test(test_a_handle_that_may_be_has_an_index_and_a_generation),
        cmocka_unit_test(test_a_spawn_finds_an_index_behind_those_that_are_owed),
        cmocka_unit_test(test_no_spawn_finds_an_index_if_all_of_them_wait),
        cmocka_unit_test(test_open_gives_all_back_when_memory_fails),
        cmocka_unit_test(test_spawning_changes_nothing_when_memory_fails),
        cmocka_unit_test(test_claiming_changes_nothing_when_memory_fails),
        cmocka_unit_test(test_full_pages_of_records_are_enlarged_once),
        cmocka_unit_test(test_records_without_large_pages_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
