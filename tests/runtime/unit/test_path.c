// Paths: the values that they lead to, and the messages of wrong paths.
//
// program: quick units portable byte_order
#include "park.h"
#include "weft_reflect.h"
#include "world/report.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void no_path(const park *p, const char *path, const char *words)
{
    double value = 5.0;
    assert_int_equal(weft_field_get_number(p->world, p->e, path, &value), WEFT_NOT_FOUND);
    assert_string_equal(weft_world_error(p->world), words);
    assert_true(value == 5.0);
    assert_int_equal(weft_field_set_number(p->world, p->e, path, 1.0), WEFT_NOT_FOUND);
}

static void paths_lead_into_structs_arrays_lists_and_externs(void **state)
{
    const park *p = (const park *)*state;
    set_number(p, "worker.skill[2]", 7);
    set_number(p, "worker.route[1].at.y", -2.25);
    set_number(p, "worker.route[0].wait", 60);
    set_number(p, "worker.frame.m[3]", 0.5);
    set_number(p, "worker.lucky", 1);
    zoo_worker worker = worker_of(p);
    assert_int_equal(worker.skill[2], 7);
    assert_true(worker.route.items[1].at.y == -2.25f);
    assert_int_equal(worker.route.items[1].wait, 30);
    assert_int_equal(worker.route.items[0].wait, 60);
    assert_true(worker.frame.m[3] == 0.5f);
    assert_true(worker.lucky);
}

static void paths_lead_into_columns_stores_and_singletons(void **state)
{
    const park *p = (const park *)*state;
    set_number(p, "velocity.x", 0.5);
    set_number(p, "velocity.gear", 250);
    set_number(p, "velocity.trail[0]", 65535);
    set_number(p, "burning.seconds_left", 1.5);
    zoo_velocity velocity = velocity_of(p);
    assert_true(velocity.x == 0.5f && velocity.y == 0.0f);
    assert_int_equal(velocity.gear, 250);
    assert_int_equal(velocity.trail.items[0], 65535);
    const zoo_burning *burning = (const zoo_burning *)weft_sparse_find(
        &p->world->sparse[0], weft_handle_index(zoo_plan.format, p->e));
    assert_true(burning->seconds_left == 1.5f);
    assert_int_equal(burning->kind, 9);

    assert_int_equal(weft_field_set_number(p->world, 0, "calendar.day", 12), WEFT_OK);
    assert_int_equal(p->zoo->calendar.day, 12);
    assert_int_equal(weft_field_set_number(p->world, p->e, "calendar.day", 13), WEFT_NOT_FOUND);
    assert_string_equal(weft_world_error(p->world),
                        "calendar.day: 'calendar' is a singleton: ask for it with handle 0");
}

static void wrong_paths_are_explained(void **state)
{
    const park *p = (const park *)*state;
    no_path(p, "", ": a component or singleton should be here");
    no_path(p, "wroker.skill[0]",
            "wroker.skill[0]: there is no component or singleton 'wroker', did you mean 'worker'?");
    no_path(p, "worker", "worker: names all of 'worker': continue with .field");
    no_path(p, "worker.",
            "worker.: a field of 'worker' should be here: there is job, target, skill, name, "
            "route, friends, …");
    no_path(p, "worker[0]", "worker[0]: names all of 'worker': continue with .field");
    no_path(p, "worker.skil", "worker.skil: 'worker' has no field 'skil', did you mean 'skill'?");
    no_path(p, "worker.skill", "worker.skill: names all of 'skill': continue with [index]");
    no_path(p, "worker.skill.count",
            "worker.skill.count: names all of 'skill': continue with [index]");
    no_path(p, "worker.skill[]", "worker.skill[]: '[]' is not an index: write [0], [1] and so on");
    no_path(p, "worker.skill[-1]",
            "worker.skill[-1]: '[-1]' is not an index: write [0], [1] and so on");
    no_path(p, "worker.skill[1", "worker.skill[1: '[1' is not an index: write [0], [1] and so on");
    no_path(p, "worker.route[last].wait",
            "worker.route[last].wait: '[last]' is not an index: write [0], [1] and so on");
    no_path(p, "worker.skill[4]", "worker.skill[4]: there is no [4] in 'skill', which has 4");
    no_path(p, "worker.skill[4294967296]",
            "worker.skill[4294967296]: there is no [4294967296] in 'skill', which has 4");
    no_path(p, "worker.skill[18446744073709551616]", // 2^64
            "worker.skill[18446744073709551616]: there is no [18446744073709551616] in 'skill', "
            "which has 4");
    no_path(p, "worker.skill[0][0]",
            "worker.skill[0][0]: 'skill' is a single value, nothing can follow it");
    no_path(p, "worker.route",
            "worker.route: names all of 'route': continue with [index] or .count");
    no_path(p, "worker.route.counter",
            "worker.route.counter: names all of 'route': continue with [index] or .count");
    no_path(p, "worker.route[1]", "worker.route[1]: names all of 'stop': continue with .field");
    no_path(p, "worker.route[2].wait",
            "worker.route[2].wait: there is no [2] in 'route', which has 2");
    no_path(p, "worker.route[0].at",
            "worker.route[0].at: names all of 'vec2': continue with .field");
    no_path(p, "worker.route[0].at.z",
            "worker.route[0].at.z: 'vec2' has no field 'z': there is x, y");
    no_path(p, "worker.job.x", "worker.job.x: 'job' is a single value, nothing can follow it");
    no_path(p, "worker.name[0]", "worker.name[0]: 'name' is a single value, nothing can follow it");
    no_path(p, "selected", "selected: 'selected' is a tag: it has no fields");
    no_path(p, "selected.on", "selected.on: 'selected' is a tag: it has no fields");
    no_path(p, "sprite.texture", "entity 0:1 has no 'sprite'");
}

static void a_long_path_leaves_space_for_the_reason(void **state)
{
    const park *p = (const park *)*state;
    char path[2000] = "worker.";
    double value;
    memset(path + 7, 'x', sizeof path - 8);
    assert_int_equal(weft_field_get_number(p->world, p->e, path, &value), WEFT_NOT_FOUND);
    const char *error = weft_world_error(p->world);
    assert_non_null(strstr(error, ": 'worker' has no field 'xxx"));
    assert_in_range(strlen(error), 100, 200);
}

static void dead_handles_are_refused(void **state)
{
    const park *p = (const park *)*state;
    const uint64_t dead[] = {0, UINT64_C(0x200000000), UINT64_C(0x100000007), UINT64_MAX};
    double value = 3.0;
    for (uint32_t i = 0; i < sizeof dead / sizeof *dead; i++) {
        assert_int_equal(weft_field_get_number(p->world, dead[i], "position.x", &value), WEFT_DEAD);
        assert_int_equal(weft_field_set_number(p->world, dead[i], "position.x", 1), WEFT_DEAD);
        assert_int_equal(weft_component_add_by_name(p->world, dead[i], "sprite"), WEFT_DEAD);
        assert_int_equal(weft_component_remove_by_name(p->world, dead[i], "sprite"), WEFT_DEAD);
        assert_false(weft_component_has_by_name(p->world, dead[i], "position"));
    }
    assert_true(value == 3.0);
    weft_field_get_number(p->world, dead[2], "position.x", &value);
    assert_string_equal(weft_world_error(p->world), "entity 7:1 was never one of this world");
}

static void found_values_say_what_they_are(void **state)
{
    const park *p = (const park *)*state;
    weft_leaf_ref leaf;
    assert_int_equal(weft_field_find(p->world, p->e, "worker.route[1].wait", &leaf), WEFT_OK);
    assert_string_equal(leaf.field->name, "wait");
    assert_int_equal(leaf.type, WEFT_TYPE_U16);
    assert_int_equal(leaf.bytes, 2);
    assert_false(leaf.is_count);
    assert_int_equal(*(const uint16_t *)leaf.value, 30);
    assert_int_equal(weft_field_find(p->world, p->e, "worker.route.count", &leaf), WEFT_OK);
    assert_string_equal(leaf.field->name, "route");
    assert_int_equal(leaf.type, WEFT_TYPE_U32);
    assert_true(leaf.is_count);
    assert_int_equal(weft_field_find(p->world, p->e, "worker.name", &leaf), WEFT_OK);
    assert_int_equal(leaf.type, WEFT_TYPE_CHAR);
    assert_int_equal(leaf.bytes, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PARK_TEST(paths_lead_into_structs_arrays_lists_and_externs),
        PARK_TEST(paths_lead_into_columns_stores_and_singletons),
        PARK_TEST(wrong_paths_are_explained),
        PARK_TEST(a_long_path_leaves_space_for_the_reason),
        PARK_TEST(dead_handles_are_refused),
        PARK_TEST(found_values_say_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
