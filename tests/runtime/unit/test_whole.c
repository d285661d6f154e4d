// Whole components and structs by name: one change, applied completely or not at all, with the
// checks of a single field.
//
// program: quick moving released portable
#include "edit/calls.h"
#include "fixture.h"
#include "park.h"
#include "run/phase.h"
#include "weft_reflect.h"
#include "world/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static weft_status get(const park *p, const char *name, void *value, size_t bytes)
{
    return weft_component_get_by_name(p->world, p->e, name, value, bytes);
}

static weft_status set(const park *p, const char *name, const void *value, size_t bytes)
{
    return weft_component_set_by_name(p->world, p->e, name, value, bytes);
}

// A worker of the park whose fields are all within their bounds.
static zoo_worker good_worker(const park *p)
{
    zoo_worker hand;
    assert_int_equal(get(p, "worker", &hand, sizeof hand), WEFT_OK);
    hand.route.items[0].wait = 1;
    return hand;
}

static void refuses(const park *p, const zoo_worker *hand, const char *words)
{
    zoo_worker before = worker_of(p);
    uint32_t version = weft_version(p->world);
    assert_int_equal(set(p, "worker", hand, sizeof *hand), WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world), words);
    zoo_worker after = worker_of(p);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(weft_version(p->world), version);
}

static void seed_M2_a_component_of_any_layout_is_got_and_set_whole(void **state)
{
    const park *p = (const park *)*state;
    zoo_worker hand = good_worker(p);
    zoo_velocity pace;
    zoo_burning fire;
    hand.level = 4;
    hand.route.items[1].at.y = 3.5f;
    assert_int_equal(set(p, "worker", &hand, sizeof hand), WEFT_OK);
    assert_int_equal(worker_of(p).level, 4);
    assert_true(number(p, "worker.route[1].at.y") == 3.5);

    assert_int_equal(get(p, "velocity", &pace, sizeof pace), WEFT_OK);
    assert_int_equal(pace.gear, 3);
    assert_int_equal(pace.trail.items[0], 7);
    pace.x = 1.5f;
    pace.trail.count = 2;
    assert_int_equal(set(p, "velocity", &pace, sizeof pace), WEFT_OK);
    assert_true(number(p, "velocity.x") == 1.5);
    assert_true(number(p, "velocity.trail.count") == 2);

    assert_int_equal(get(p, "burning", &fire, sizeof fire), WEFT_OK);
    assert_int_equal(fire.kind, 9);
    fire.seconds_left = 2;
    assert_int_equal(set(p, "burning", &fire, sizeof fire), WEFT_OK);
    assert_true(number(p, "burning.seconds_left") == 2);
}

static void seed_M2_setting_adds_what_is_not_there(void **state)
{
    park *p = (park *)*state;
    uint64_t hand = p->e;
    zoo_building house = {7};
    zoo_building found;
    assert_int_equal(set(p, "building", &house, sizeof house), WEFT_REFUSED); // excludes hand
    assert_int_equal(get(p, "building", &found, sizeof found), WEFT_NOT_FOUND);
    assert_string_equal(weft_world_error(p->world), "entity 0:1 has no 'building'");
    p->e = weft_spawn_empty(p->world);
    assert_int_equal(set(p, "building", &house, sizeof house), WEFT_OK);
    assert_int_equal(get(p, "building", &found, sizeof found), WEFT_OK);
    assert_int_equal(found.kind, 7);
    assert_true(weft_component_has_by_name(p->world, p->e, "position")); // which it requires
    assert_int_equal(set(p, "hidden", NULL, 0), WEFT_OK);                // a tag
    assert_int_equal(get(p, "hidden", NULL, 0), WEFT_OK);
    assert_true(weft_despawn(p->world, p->e));
    assert_int_equal(set(p, "building", &house, sizeof house), WEFT_DEAD);
    assert_int_equal(get(p, "building", &found, sizeof found), WEFT_DEAD);
    p->e = hand;
}

// Each leaf at any depth is checked before the first is written.
static void seed_M3_a_value_with_a_field_that_is_refused_changes_nothing(void **state)
{
    const park *p = (const park *)*state;
    zoo_worker hand = good_worker(p);
    hand.money = 5; // never to be seen
    hand.job = 200;
    refuses(p, &hand,
            "worker.job: is 200, and enum 'job' has values of 0 to 2: write one of these");
    hand = good_worker(p);
    hand.skill[3] = 101;
    refuses(p, &hand, "worker.skill[3]: is 101, and must be at most 100");
    hand = good_worker(p);
    memset(hand.name, 'x', sizeof hand.name);
    refuses(p, &hand, "worker.name: has no NUL in its 8 bytes: end it with one");
    hand = good_worker(p);
    hand.route.items[1].wait = 61;
    refuses(p, &hand, "worker.route[1].wait: is 61, and must be at most 60");
    hand = good_worker(p);
    memset(hand.route.items[0].label, 'x', 4);
    refuses(p, &hand, "worker.route[0].label: has no NUL in its 4 bytes: end it with one");
    hand = good_worker(p);
    hand.route.count = 4;
    refuses(p, &hand, "worker.route.count: is 4, and there is room for 3 items");
    hand = good_worker(p);
    hand.plans.count = 2;
    hand.plans.items[1] = 3;
    refuses(p, &hand,
            "worker.plans[1]: is 3, and enum 'job' has values of 0 to 2: write one of these");
    hand = good_worker(p);
    memset(&hand.lucky, 2, 1);
    refuses(p, &hand, "worker.lucky: is 2, and a bool is 0 or 1: write false or true");
    hand = good_worker(p);
    hand.route.items[2].wait = 61; // beyond the count: no item
    assert_int_equal(set(p, "worker", &hand, sizeof hand), WEFT_OK);
}

static void names_and_sizes_are_checked(void **state)
{
    const park *p = (const park *)*state;
    zoo_position spot = {1, 0};
    assert_int_equal(set(p, "nothing", &spot, sizeof spot), WEFT_NOT_FOUND);
    assert_string_equal(weft_world_error(p->world),
                        "there is no component 'nothing': there is position, velocity, worker, "
                        "sprite, burning, scorched, …");
    assert_int_equal(get(p, "nothing", &spot, sizeof spot), WEFT_NOT_FOUND);
    assert_int_equal(set(p, "position", &spot, 4), WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world), "position: has 8 bytes, not 4");
    assert_int_equal(get(p, "position", &spot, 9), WEFT_BAD_VALUE);
    assert_int_equal(get(p, "selected", &spot, 8), WEFT_BAD_VALUE);
    assert_int_equal(set(p, "position", &spot, sizeof spot), WEFT_OK);
}

// ---- structs by path

static weft_status set_struct(const park *p, const char *path, const void *value, size_t bytes)
{
    return weft_field_set(p->world, p->e, path, WEFT_TYPE_STRUCT, value, bytes);
}

static weft_status get_struct(const park *p, const char *path, void *value, size_t bytes)
{
    return weft_field_get(p->world, p->e, path, WEFT_TYPE_STRUCT, value, bytes);
}

static void seed_M2_a_struct_is_got_and_set_by_its_path(void **state)
{
    const park *p = (const park *)*state;
    zoo_stop stop;
    zoo_vec2 at = {8, 9};
    zoo_mat2 frame = {{1, 2, 3, 4}};
    assert_int_equal(get_struct(p, "worker.route[1]", &stop, sizeof stop), WEFT_OK);
    assert_int_equal(stop.wait, 30);
    stop.wait = 31;
    assert_int_equal(set_struct(p, "worker.route[1]", &stop, sizeof stop), WEFT_OK);
    assert_true(number(p, "worker.route[1].wait") == 31);
    assert_int_equal(set_struct(p, "worker.route[1].at", &at, sizeof at), WEFT_OK);
    assert_true(number(p, "worker.route[1].at.y") == 9);
    assert_true(number(p, "worker.route[1].wait") == 31);
    assert_int_equal(set_struct(p, "worker.frame", &frame, sizeof frame), WEFT_OK); // an extern
    assert_true(number(p, "worker.frame.m[3]") == 4);
}

static void seed_M3_a_struct_that_is_refused_changes_nothing(void **state)
{
    const park *p = (const park *)*state;
    zoo_stop stop;
    double value;
    assert_int_equal(get_struct(p, "worker.route[1]", &stop, sizeof stop), WEFT_OK);
    stop.at.x = 77;
    stop.wait = 0;
    assert_int_equal(set_struct(p, "worker.route[1]", &stop, sizeof stop), WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world),
                        "worker.route[1].wait: is 0, and must be at least 1");
    assert_true(number(p, "worker.route[1].at.x") == 0);
    assert_int_equal(set_struct(p, "worker.route[1]", &stop, sizeof stop - 1), WEFT_BAD_VALUE);
    assert_int_equal(set_struct(p, "worker.level", &stop, 1), WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world), "worker.level: is i8 of 1 bytes, not struct "
                                                    "of 1");
    assert_int_equal(set_struct(p, "worker.route", &stop, sizeof stop), WEFT_NOT_FOUND);
    assert_int_equal(set_struct(p, "worker.route[2]", &stop, sizeof stop), WEFT_NOT_FOUND);
    assert_int_equal(weft_field_get_number(p->world, p->e, "worker.route[1]", &value),
                     WEFT_NOT_FOUND);
    assert_string_equal(weft_world_error(p->world),
                        "worker.route[1]: names all of 'stop': continue with .field");
}

// ---- phases

static void set_while_a_phase_runs(void *context)
{
    const park *p = (const park *)context;
    assert_int_equal(set(p, "position", &(zoo_position){5, 0}, sizeof(zoo_position)), WEFT_BUSY);
}

static void a_phase_is_not_disturbed(void **state)
{
    park *p = (park *)*state;
    zoo_position spot;
    assert_int_equal(weft_phase_begin(p->world, 0), WEFT_OK);
#ifdef NDEBUG
    set_while_a_phase_runs(p);
#else
    assert_true(fixture_asserts(set_while_a_phase_runs, p, "phase 'simulate' runs"));
#endif
    assert_int_equal(get(p, "position", &spot, sizeof spot), WEFT_OK);
    assert_true(spot.x == 1);
    assert_int_equal(weft_phase_end(p->world), WEFT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PARK_TEST(seed_M2_a_component_of_any_layout_is_got_and_set_whole),
        PARK_TEST(seed_M2_setting_adds_what_is_not_there),
        PARK_TEST(seed_M3_a_value_with_a_field_that_is_refused_changes_nothing),
        PARK_TEST(names_and_sizes_are_checked),
        PARK_TEST(seed_M2_a_struct_is_got_and_set_by_its_path),
        PARK_TEST(seed_M3_a_struct_that_is_refused_changes_nothing),
        PARK_TEST(a_phase_is_not_disturbed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
