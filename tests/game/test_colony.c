// A whole colony, looked at while it lives: nothing points to the dead, the books are right, and
// the same seed gives the same world at every tick.
#include "small_world.h"
#include "world_setup.h"

static const options SMALL = {.seed = 3, .width = 40, .height = 16, .villagers = 24};

static colony_world *open_colony(const options *wanted)
{
    weft_options defaults = {0};
    colony_world *world = colony_open(&defaults);
    assert_non_null(world);
    assert_true(world_setup(world, NULL, wanted));
    return world;
}

// `keep_house` and `settle` work by the hour: whoever died since then may still be on a list.
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
        tick(world, 4); // the last of them is the one in which the lists are mended
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

static void same_seed_same_hash_at_every_tick(void **state)
{
    (void)state;
    options other_seed = SMALL;
    other_seed.seed++;
    colony_world *one = open_colony(&SMALL), *same = open_colony(&SMALL);
    colony_world *other = open_colony(&other_seed);
    for (int i = 0; i < 300; i++) {
        assert_true(colony_hash(one) == colony_hash(same));
        assert_true(colony_hash(one) != colony_hash(other));
        tick(one, 1);
        tick(same, 1);
        tick(other, 1);
    }
    colony_close(one);
    colony_close(same);
    colony_close(other);
}

static void nobody_bears_the_name_of_another(void **state)
{
    (void)state;
    static names borne;
    colony_world *world = colony_open(&(weft_options){.user = &borne});
    assert_non_null(world);
    assert_true(world_setup(world, &borne, &SMALL));
    for (int day = 0; day < 40; day++) {
        tick(world, 96);
        assert_int_equal(borne.count, colony_people_count(world));
        colony_people_iter it = colony_people_begin(world);
        while (colony_people_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) {
                assert_true(names_has(&borne, it.person[i].name));
            }
        }
        for (uint32_t i = 0; i < borne.count; i++) {
            for (uint32_t j = 0; j < i; j++) {
                assert_string_not_equal(borne.borne[i], borne.borne[j]);
            }
        }
    }
    assert_true(colony_chronicle_get(world)->deaths[COLONY_CAUSE_AGE] > 0);
    colony_close(world);
    assert_int_equal(borne.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dead_leave_nothing_dangling),
        cmocka_unit_test(the_ledger_adds_up),
        cmocka_unit_test(nobody_bears_the_name_of_another),
        cmocka_unit_test(same_seed_same_hash_at_every_tick),
    };
    return cmocka_run_group_tests_name("colony", tests, NULL, NULL);
}
