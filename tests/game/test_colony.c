// Checks a whole colony while it runs: no handle names a dead villager, the ledger is correct, and
// equal seeds give equal worlds at every tick.
//
// program: worlds released byte_order
#include "small_world.h"
#include "world_setup.h"

static const options SMALL = {.seed = 3, .width = 40, .height = 16, .villagers = 24};

static colony_world *open_colony(const options *wanted)
{
    colony_world *world = colony_open(&(weft_options){.seed = wanted->seed});
    assert_non_null(world);
    assert_true(world_setup(world, wanted));
    return world;
}

// Dead residents are skipped because `keep_house` removes them only in the next tick.
static void check_houses(colony_world *world)
{
    colony_houses_iter it = colony_houses_begin(world);
    while (colony_houses_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            assert_true(it.dwelling[i].residents.count <= it.dwelling[i].beds);
            for (uint32_t r = 0; r < it.dwelling[i].residents.count; r++) {
                colony_entity resident = it.dwelling[i].residents.items[r];
                if (!colony_alive(world, resident)) continue;
                assert_true(lives_in(world, resident, it.entities[i]));
            }
        }
    }
}

static void check_people(colony_world *world)
{
    colony_people_iter it = colony_people_begin(world);
    while (colony_people_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            colony_entity destination = it.worker[i].destination;
            assert_true(colony_is_none(destination) || colony_alive(world, destination));
            colony_entity house = colony_home_get(world, it.entities[i])->house;
            if (!colony_is_none(house)) assert_true(lives_in(world, it.entities[i], house));
        }
    }
}

static void the_dead_leave_nothing_dangling(void **state)
{
    (void)state;
    colony_world *world = open_colony(&SMALL);
    for (int hour = 0; hour < 1000; hour++) {
        tick(world, 4);
        check_houses(world);
        check_people(world);
    }
    assert_true(colony_chronicle_get(world)->deaths[COLONY_CAUSE_AGE] > 0);
    assert_true(colony_chronicle_get(world)->births > 0);
    colony_close(world);
}

static void the_ledger_adds_up(void **state)
{
    (void)state;
    colony_world *world = open_colony(&SMALL);
    for (int hour = 0; hour < 500; hour++) {
        tick(world, 4);
        const colony_ledger *ledger = colony_ledger_get(world);
        const colony_chronicle *chronicle = colony_chronicle_get(world);
        uint32_t deaths = chronicle->deaths[0] + chronicle->deaths[1] + chronicle->deaths[2];
        assert_int_equal(ledger->people, SMALL.villagers + chronicle->births - deaths);
        assert_int_equal(ledger->people, colony_people_count(world));
    }
    colony_close(world);
}

// WEFT_HARD moves the whole world at each change, which is slow, so fewer ticks must do.
#ifdef WEFT_HARD
enum { HASHED_TICKS = 100 };
#else
enum { HASHED_TICKS = 300 };
#endif

static void same_seed_same_hash_at_every_tick(void **state)
{
    (void)state;
    options other_seed = SMALL;
    other_seed.seed++;
    colony_world *one = open_colony(&SMALL), *same = open_colony(&SMALL);
    colony_world *other = open_colony(&other_seed);
    for (int i = 0; i < HASHED_TICKS; i++) {
        uint64_t hash = colony_hash(one);
        assert_true(colony_hash(same) == hash);
        assert_true(colony_hash(other) != hash);
        tick(one, 1);
        tick(same, 1);
        tick(other, 1);
    }
    colony_close(one);
    colony_close(same);
    colony_close(other);
}

static colony_world *open_with_workers(uint32_t workers)
{
    colony_world *world = colony_open(&(weft_options){.workers = workers, .seed = SMALL.seed});
    assert_non_null(world);
    return world;
}

static void any_number_of_workers_gives_the_same_colony(void **state)
{
    (void)state;
    enum { WORLDS = 4, EACH = 10 };
    colony_world *worlds[WORLDS];
    for (uint32_t i = 0; i < WORLDS; i++) {
        worlds[i] = open_with_workers(1u << i);
        assert_true(world_setup(worlds[i], &SMALL));
    }
    for (int i = 0; i <= 300; i += EACH) { // worlds that differ once stay different
        uint64_t hash = colony_hash_exact(worlds[0]);
        for (int w = 1; w < WORLDS; w++) assert_true(colony_hash_exact(worlds[w]) == hash);
        for (int w = 0; w < WORLDS; w++) tick(worlds[w], EACH);
    }
    for (int w = 0; w < WORLDS; w++) colony_close(worlds[w]);
}

// Spawns enough bakeries that several workers share them.
static colony_world *bakers_at_work(uint32_t workers)
{
    enum { BAKERIES = 10000, LOAVES = 2 };
    colony_world *world = open_with_workers(workers);
    colony_bakery bakery = colony_bakery_defaults();
    bakery.stock.amount[COLONY_GOODS_GRAIN] = LOAVES;
    assert_int_equal(colony_bakery_spawn_many(world, BAKERIES, &bakery, NULL), BAKERIES);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(colony_run_act(world, HOURS_A_TICK), WEFT_OK);
    }
    colony_run_record(world, 0);
    assert_int_equal(colony_ledger_get(world)->goods[COLONY_GOODS_BREAD], BAKERIES * LOAVES);
    return world;
}

static void workshops_produce_at_the_same_time(void **state)
{
    (void)state;
    colony_world *alone = bakers_at_work(1), *shared = bakers_at_work(4);
    assert_true(colony_hash_exact(alone) == colony_hash_exact(shared));
    colony_close(alone);
    colony_close(shared);
}

static void nobody_bears_the_name_of_another(void **state)
{
    (void)state;
    colony_world *world = open_colony(&SMALL);
    for (int day = 0; day < 40; day++) {
        tick(world, 96);
        colony_people_iter it = colony_people_begin(world);
        while (colony_people_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) {
                assert_int_equal(colony_by_name_count(world, it.person[i].name), 1);
                colony_entity found = colony_by_name_find(world, it.person[i].name);
                assert_true(colony_same(found, it.entities[i]));
            }
        }
    }
    assert_true(colony_chronicle_get(world)->deaths[COLONY_CAUSE_AGE] > 0);
    colony_close(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dead_leave_nothing_dangling),
        cmocka_unit_test(the_ledger_adds_up),
        cmocka_unit_test(any_number_of_workers_gives_the_same_colony),
        cmocka_unit_test(workshops_produce_at_the_same_time),
        cmocka_unit_test(nobody_bears_the_name_of_another),
        cmocka_unit_test(same_seed_same_hash_at_every_tick),
    };
    return cmocka_run_group_tests_name("colony", tests, NULL, NULL);
}
