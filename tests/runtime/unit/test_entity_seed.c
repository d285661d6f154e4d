// Entities: a test for each promise about handles by the systems that Weft grew from.
//
// program: quick still less_portable byte_order
// flags: hot
#include "entity_pool.h"

#include <pthread.h>

// ---- what was promised, one by one

static void seed_F2_a_freed_index_comes_back_with_the_next_generation(void **state)
{
    (void)state;
    pool *p = pool_open((fixture_options){24, 8, 4, 1000, 0});
    uint64_t first = spawn(p);
    assert_int_equal(first, 1u << 24 | 0); // 1:0, the lowest handle there is
    despawn(p, first);
    uint64_t second = spawn(p);
    assert_int_equal(second, 2u << 24 | 0); // 2:0
    assert_false(alive(p, first));
    assert_true(alive(p, second));
    uint64_t third = spawn(p);
    despawn(p, second);
    despawn(p, third);
    assert_int_equal(spawn(p), 2u << 24 | 1); // the list before a fresh index, the last freed first
    assert_int_equal(spawn(p), 3u << 24 | 0);
    assert_int_equal(spawn(p), 1u << 24 | 2);
    pool_close(p);
}

static void seed_F3_used_up_indices_are_retired_until_recycle(void **state)
{
    (void)state;
    pool *p = pool_open((fixture_options){4, 3, 2, 16, 0});
    for (uint32_t generation = 1; generation <= 7; generation++) {
        assert_int_equal(spawn(p), generation << 4 | 0);
        despawn(p, generation << 4 | 0);
    }
    assert_int_equal(p->entities.retired, 1);
    assert_int_equal(p->entities.free_count, 0);
    for (uint64_t bits = 0; bits <= UINT16_MAX; bits++) assert_false(alive(p, bits));
    assert_int_equal(spawn(p), 1u << 4 | 1); // a fresh index, not the retired one
    for (uint32_t index = 2; index < 16; index++) assert_int_equal(spawn(p), 1u << 4 | index);
    assert_int_equal(spawn(p), 0); // 15 live, max_entities is 16, but no index is left
    assert_int_equal(weft_entities_live(&p->entities), 15);
    assert_int_equal(weft_entities_recycle(&p->entities, p->format), 1);
    assert_int_equal(p->entities.retired, 0);
    assert_int_equal(spawn(p), 1u << 4 | 0);
    assert_int_equal(weft_entities_recycle(&p->entities, p->format), 0);
    pool_close(p);
}

static void seed_F4_only_index_in_range_and_equal_generation_is_alive(void **state)
{
    (void)state;
    pool *p = pool_open((fixture_options){24, 8, 4, 1000, 0});
    assert_false(alive(p, 0));
    for (uint32_t i = 0; i < 10; i++) assert_int_equal(spawn(p), 1u << 24 | i);
    despawn(p, 1u << 24 | 4);
    for (uint64_t index = 0; index < 20; index++) {
        for (uint64_t generation = 0; generation <= 255; generation++) {
            bool expected = index < 10 && index != 4 && generation == 1;
            assert_int_equal(alive(p, generation << 24 | index), expected);
        }
    }
    assert_false(alive(p, UINT64_MAX));
    assert_false(alive(p, (uint64_t)1 << 32 | 1u << 24 | 3));
    pool_close(p);
}

static void seed_F13_every_handle_exactly_once(void **state)
{
    (void)state;
    const uint32_t waits[] = {0, 1, 100};
    for (size_t i = 0; i < 3; i++) {
        pool *p = pool_open((fixture_options){8, 4, 2, 256, waits[i]});
        bool *seen = calloc(1u << 16, sizeof *seen);
        assert_non_null(seen);
        uint32_t handles = 0;
        for (uint64_t handle = spawn(p); handle != 0; handle = spawn(p)) {
            assert_true(handle < 1u << 12);
            assert_false(seen[handle]);
            seen[handle] = true;
            handles++;
            despawn(p, handle);
        }
        // Those that still wait in the line have not had all their generations.
        uint32_t waiting = 0;
        for (uint32_t index = 0; index < 256; index++) {
            for (uint32_t generation = 1; generation <= 15; generation++) {
                waiting += !seen[generation << 8 | index];
            }
        }
        assert_int_equal(handles + waiting, 256 * 15);
        assert_int_equal(p->entities.free_count, waits[i]);
        if (waits[i] == 0) assert_int_equal(handles, 256 * 15);
        free(seen);
        pool_close(p);
    }
    // By these figures 24 + 8 bits last for more than 2 billion cycles.
    weft_format f = {24, 8, 4, false, false, false};
    uint64_t handles = ((uint64_t)weft_index_mask(f) + 1) * weft_generation_max(f);
    assert_int_equal(handles, 4278190080u);
    assert_true(handles > 2000000000u);
}

static void seed_B1_two_bits_stay_free_for_a_mark(void **state)
{
    (void)state;
    pool *p = pool_open((fixture_options){22, 8, 4, 1000, 0});
    for (uint32_t i = 0; i < 100; i++) {
        uint64_t handle = spawn(p);
        assert_true(handle >> 30 == 0);
        for (uint64_t mark = 1; mark < 4; mark++) assert_false(alive(p, handle | mark << 30));
        assert_true(alive(p, handle));
        if (i % 2 == 0) despawn(p, handle);
    }
    assert_int_equal(
        weft_handle(p->format, weft_index_mask(p->format), weft_generation_max(p->format)),
        (1u << 30) - 1);
    pool_close(p);
}

static void seed_B2_freed_indices_wait_in_line(void **state)
{
    (void)state;
    pool *p = pool_open((fixture_options){22, 8, 4, 100000, 1024});
    for (uint32_t i = 0; i < 2000; i++) assert_int_equal(spawn(p), 1u << 22 | i);
    for (uint32_t i = 0; i < 1024; i++) {
        despawn(p, 1u << 22 | i);
        uint64_t fresh = spawn(p);
        assert_int_equal(fresh, 1u << 22 | (2000 + i)); // none is reused yet
    }
    assert_int_equal(p->entities.free_count, 1024);
    for (uint32_t i = 0; i < 900; i++) {
        despawn(p, 1u << 22 | (1024 + i));
        assert_int_equal(p->entities.free_count, 1025);
        assert_int_equal(spawn(p), 2u << 22 | i); // the one that waited longest
    }
    pool_close(p);
}

static void seed_H1_handles_of_48_bits(void **state)
{
    (void)state;
    pool *p = pool_open((fixture_options){32, 16, 8, 1000, 0});
    uint64_t last = 0;
    for (uint64_t generation = 1; generation <= 65535; generation++) {
        uint64_t handle = spawn(p);
        assert_int_equal(handle, generation << 32);
        assert_false(alive(p, last));
        assert_false(alive(p, handle | (uint64_t)1 << 48));
        despawn(p, handle);
        last = handle;
    }
    assert_int_equal(p->entities.retired, 1);
    assert_int_equal(spawn(p), (uint64_t)1 << 32 | 1);
    assert_int_equal(weft_handle_index(p->format, 0x0000FFFFFFFFFFFF), UINT32_MAX);
    assert_false(alive(p, 0x0000FFFFFFFFFFFF));
    pool_close(p);
}

// ---- address stability

static void seed_H2_records_never_move(void **state)
{
    (void)state;
    const fixture_options options[] = {{32, 32, 8, 1000000, 0}, {24, 8, 4, 1000000, 0}};
    for (size_t i = 0; i < 2; i++) {
        pool *p = pool_open(options[i]);
        const unsigned char *base = p->entities.records.base;
        uint32_t steps = 0;
        for (uint32_t n = 0; n < 300000; n++) {
            uint32_t capacity = p->entities.index_capacity;
            assert_int_not_equal(spawn_at(p, n, 7), 0);
            steps += p->entities.index_capacity != capacity;
            assert_ptr_equal(p->entities.records.base, base);
        }
        assert_true(steps <= p->heap.bytes / WEFT_COMMIT_BYTES_MAX + 3); // never one by one
        watched_check(&p->memory, &p->heap);
        pool_close(p);
    }
}

typedef struct reader {
    const pool *pool;
    uint32_t wrong;
} reader;

static void *read_all(void *argument)
{
    reader *r = argument;
    for (uint32_t round = 0; round < 20; round++) {
        for (uint64_t index = 0; index < 6000; index++) {
            bool expected = index < 5000 && index % 3 != 0;
            r->wrong += alive(r->pool, (uint64_t)1 << 32 | index) != expected;
            r->wrong += alive(r->pool, (uint64_t)2 << 32 | index);
        }
    }
    return NULL;
}

static void seed_H2_any_thread_may_ask(void **state)
{
    (void)state;
    pool *p = pool_open((fixture_options){32, 32, 8, 1000000, 0});
    for (uint32_t i = 0; i < 5000; i++) assert_int_not_equal(spawn(p), 0);
    for (uint64_t i = 0; i < 5000; i += 3) despawn(p, (uint64_t)1 << 32 | i);
    pthread_t threads[4];
    reader readers[4];
    for (int i = 0; i < 4; i++) {
        readers[i] = (reader){p, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, read_all, &readers[i]), 0);
    }
    // Records for more indices change nothing that a reader looks at.
    assert_true(weft_entities_grow(&p->entities, &p->heap, 500000));
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(readers[i].wrong, 0);
    }
    pool_close(p);
}

// Where pointers have 32 bits, and in emulators that set an end to it, not all that could be
// addressed is to be had.
#if defined(SLOW_MACHINE)
#define PLENTY_OF_ADDRESSES false
#else
#define PLENTY_OF_ADDRESSES (SIZE_MAX > UINT32_MAX)
#endif

static void seed_H3_indices_to_the_width_or_for_2_44_spawns(void **state)
{
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++) {
        pool *p = pool_open(widths[i]);
        uint32_t limit = pool_indices(p);
        uint32_t many = limit < 1000000 ? limit : 1000000;
        uint32_t least = PLENTY_OF_ADDRESSES || limit < 1000 ? limit : 1000;
        assert_in_range(p->entities.index_limit, least, limit);
        assert_true(weft_entities_grow(&p->entities, &p->heap, many));
        assert_in_range(p->entities.index_capacity, many, limit);
        // 32 bits can ask for no more than they have.
        if (limit != UINT32_MAX) {
            assert_false(weft_entities_grow(&p->entities, &p->heap, limit + 1));
        }
        pool_close(p);
    }
    // Millions, and nothing that was there has moved or changed.
    pool *p = pool_open((fixture_options){32, 32, 8, 3000000, 0});
    const unsigned char *base = p->entities.records.base;
    for (uint32_t n = 0; n < 3000000; n++) {
        assert_true(spawn_at(p, n % 1000, n) == ((uint64_t)1 << 32 | n));
    }
    assert_int_equal(spawn(p), 0); // max_entities
    assert_ptr_equal(p->entities.records.base, base);
    for (uint32_t n = 0; n < 3000000; n++) {
        weft_place at = {0, 0};
        assert_true(weft_find(&p->entities, p->format, (uint64_t)1 << 32 | n, &at));
        assert_true(at.row == n && at.table == n % 1000);
    }
    pool_close(p);
}

// ---- widths

static void seed_N1_stale_keys_never_work(void **state)
{
    (void)state;
    for (size_t i = 0; i < WIDTHS; i++) {
        pool *p = pool_open(widths[i]);
        uint64_t stale[500];
        uint32_t count = 0;
        uint64_t handle = spawn(p);
        while (count < 500 && handle != 0) {
            stale[count++] = handle;
            despawn(p, handle);
            handle = spawn(p);
            for (uint32_t k = 0; k < count; k++) assert_false(alive(p, stale[k]));
            assert_int_equal(alive(p, handle), handle != 0);
        }
        assert_true(count == 500 || handle == 0);
        pool_close(p);
    }
}

static void seed_N3_every_handle_of_16_bits(void **state)
{
    (void)state;
    const uint8_t index_bits[] = {1, 4, 8, 10, 12, 15};
    for (size_t i = 0; i < sizeof index_bits; i++) {
        uint8_t generation_bits = (uint8_t)(16 - index_bits[i]);
        pool *p = pool_open((fixture_options){index_bits[i], generation_bits, 2, 30000, 0});
        bool *living = calloc(1u << 16, sizeof *living);
        assert_non_null(living);
        fixture_random random = {i};
        for (int step = 0; step < 3000; step++) {
            uint32_t some = fixture_below(&random, 1u << 16);
            if (living[some] && step % 3 != 0) {
                despawn(p, some);
                living[some] = false;
                continue;
            }
            uint64_t handle = spawn(p);
            assert_true(handle < 1u << 16 && !living[handle]);
            if (handle != 0) living[handle] = true;
        }
        for (uint64_t bits = 0; bits < 1u << 16; bits++) {
            assert_int_equal(alive(p, bits), living[bits]);
            assert_false(alive(p, bits | (uint64_t)1 << 16));
        }
        free(living);
        pool_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_F2_a_freed_index_comes_back_with_the_next_generation),
        cmocka_unit_test(seed_F3_used_up_indices_are_retired_until_recycle),
        cmocka_unit_test(seed_F4_only_index_in_range_and_equal_generation_is_alive),
        cmocka_unit_test(seed_F13_every_handle_exactly_once),
        cmocka_unit_test(seed_B1_two_bits_stay_free_for_a_mark),
        cmocka_unit_test(seed_B2_freed_indices_wait_in_line),
        cmocka_unit_test(seed_H1_handles_of_48_bits),
        cmocka_unit_test(seed_H2_records_never_move),
        cmocka_unit_test(seed_H2_any_thread_may_ask),
        cmocka_unit_test(seed_H3_indices_to_the_width_or_for_2_44_spawns),
        cmocka_unit_test(seed_N1_stale_keys_never_work),
        cmocka_unit_test(seed_N3_every_handle_of_16_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
