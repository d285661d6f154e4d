// Values and components by name: types, bounds, conversions, and the messages of refusals.
//
// program: quick units released portable byte_order
#include "edit/spawn.h"
#include "fixture.h"
#include "park.h"
#include "run/phase.h"
#include "value/access.h"
#include "value/fields.h"
#include "weft_reflect.h"
#include "world/report.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Setting is refused with these words, and the value stays.
static void refuse(const park *p, const char *path, double value, const char *words)
{
    double before = number(p, path);
    assert_int_equal(weft_field_set_number(p->world, p->e, path, value), WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world), words);
    assert_true(number(p, path) == before);
}

static void no_item(const park *p, const char *path)
{
    weft_leaf_ref leaf;
    assert_int_equal(weft_field_find(p->world, p->e, path, &leaf), WEFT_NOT_FOUND);
}

// ------------------------------------------------------------------------------------------------
// Numbers

static void numbers_keep_to_their_types(void **state)
{
    const park *p = (const park *)*state;
    set_number(p, "velocity.gear", 0);
    set_number(p, "velocity.gear", 255);
    refuse(p, "velocity.gear", 256, "velocity.gear: is u8, which cannot hold 256");
    refuse(p, "velocity.gear", -1, "velocity.gear: is u8, which cannot hold -1");
    refuse(p, "velocity.gear", 1.5, "velocity.gear: is u8, which cannot hold 1.5");
    refuse(p, "velocity.gear", NAN, "velocity.gear: is u8, which cannot hold nan");
    refuse(p, "velocity.gear", INFINITY, "velocity.gear: is u8, which cannot hold inf");
    refuse(p, "worker.level", 128, "worker.level: is i8, which cannot hold 128");
    refuse(p, "worker.level", -128.5, "worker.level: is i8, which cannot hold -128.5");
    set_number(p, "worker.lucky", 1);
    refuse(p, "worker.lucky", 2, "worker.lucky: is 2, and a bool is 0 or 1: write false or true");
}

static void wide_integers_are_exact_or_refused(void **state)
{
    const park *p = (const park *)*state;
    const double two_64 = 18446744073709551616.0;
    double value = 3.0;
    set_number(p, "worker.money", 9007199254740993.0 - 1); // 2^53
    set_number(p, "worker.money", two_64 - 2048);          // the largest double below
    refuse(p, "worker.money", two_64,
           "worker.money: is u64, which cannot hold 1.84467440737096e+19");
    set_number(p, "worker.debt", -two_64 / 2);
    set_number(p, "worker.debt", two_64 / 2 - 1024);
    refuse(p, "worker.debt", two_64 / 2,
           "worker.debt: is i64, which cannot hold 9.22337203685478e+18");
    refuse(p, "worker.debt", -two_64 / 2 - 2048,
           "worker.debt: is i64, which cannot hold -9.22337203685478e+18");

    uint64_t money = UINT64_MAX;
    assert_int_equal(weft_field_set(p->world, p->e, "worker.money", WEFT_TYPE_U64, &money, 8),
                     WEFT_OK);
    assert_int_equal(weft_field_get_number(p->world, p->e, "worker.money", &value), WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world),
                        "worker.money: 18446744073709551615 has more digits than a double, "
                        "get it as u64");
    money = 9007199254740993; // 2^53 + 1
    assert_int_equal(weft_field_set(p->world, p->e, "worker.money", WEFT_TYPE_U64, &money, 8),
                     WEFT_OK);
    assert_int_equal(weft_field_get_number(p->world, p->e, "worker.money", &value), WEFT_BAD_VALUE);
    const int64_t debts[] = {INT64_MAX, INT64_MIN + 1, 9007199254740993};
    for (uint32_t i = 0; i < 3; i++) {
        int64_t debt = 0;
        assert_int_equal(weft_field_set(p->world, p->e, "worker.debt", WEFT_TYPE_I64, &debts[i], 8),
                         WEFT_OK);
        assert_int_equal(weft_field_get_number(p->world, p->e, "worker.debt", &value),
                         WEFT_BAD_VALUE);
        assert_int_equal(weft_field_get(p->world, p->e, "worker.debt", WEFT_TYPE_I64, &debt, 8),
                         WEFT_OK);
        assert_true(debt == debts[i]);
    }
    assert_true(value == 3.0);
}

static void floats_round_but_do_not_overflow(void **state)
{
    const park *p = (const park *)*state;
    assert_int_equal(weft_field_set_number(p->world, p->e, "velocity.x", 0.1), WEFT_OK);
    assert_true(number(p, "velocity.x") == (double)0.1f);
    set_number(p, "velocity.x", (double)FLT_MAX);
    refuse(p, "velocity.x", (double)FLT_MAX * 2,
           "velocity.x: is f32, which cannot hold 6.80564693277058e+38");
    set_number(p, "velocity.x", -INFINITY);
    assert_int_equal(weft_field_set_number(p->world, p->e, "velocity.x", NAN), WEFT_OK);
    double nan_read = number(p, "velocity.x");
    assert_true(nan_read != nan_read); // isnan converts to float where Windows is
    set_number(p, "worker.weight", DBL_MAX);
}

static void bounds_hold_for_every_element(void **state)
{
    const park *p = (const park *)*state;
    set_number(p, "worker.level", -5);
    set_number(p, "worker.level", 5);
    refuse(p, "worker.level", -6, "worker.level: is -6, and must be at least -5");
    refuse(p, "worker.level", 6, "worker.level: is 6, and must be at most 5");
    set_number(p, "worker.skill[3]", 100);
    refuse(p, "worker.skill[3]", 101, "worker.skill[3]: is 101, and must be at most 100");
    refuse(p, "worker.route[1].wait", 0, "worker.route[1].wait: is 0, and must be at least 1");
    refuse(p, "position.x", 1024.5, "position.x: is 1024.5, and must be at most 1024");
    refuse(p, "position.x", 1024.0001,
           "position.x: is 1024.00012, and must be at most 1024"); // as a float
    refuse(p, "position.x", NAN, "position.x: is nan, and must be at least 0");
    refuse(p, "position.y", NAN, "position.y: is nan, and must be at most 0.1");
    assert_int_equal(weft_field_set_number(p->world, 0, "calendar.day", 0), WEFT_BAD_VALUE);
    assert_int_equal(p->zoo->calendar.day, 1);
}

// max = 0.1, and the nearest float is a little more: what the field holds must still pass.
static void a_float_at_its_bound_can_be_set_again(void **state)
{
    const park *p = (const park *)*state;
    float y = 0.0f;
    assert_int_equal(weft_field_set_number(p->world, p->e, "position.y", 0.1), WEFT_OK);
    assert_int_equal(weft_field_get(p->world, p->e, "position.y", WEFT_TYPE_F32, &y, sizeof y),
                     WEFT_OK);
    assert_true(y == 0.1f);
    assert_int_equal(weft_field_set(p->world, p->e, "position.y", WEFT_TYPE_F32, &y, sizeof y),
                     WEFT_OK);
    set_number(p, "position.y", number(p, "position.y"));
    assert_int_equal(weft_field_set_number(p->world, p->e, "position.y", 0.100001), WEFT_BAD_VALUE);
}

static void types_must_be_the_fields_own(void **state)
{
    const park *p = (const park *)*state;
    int16_t i16 = 5;
    uint32_t u32 = 5;
    uint16_t u16 = 5;
    assert_int_equal(weft_field_set(p->world, p->e, "worker.route[0].wait", WEFT_TYPE_I16, &i16, 2),
                     WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world),
                        "worker.route[0].wait: is u16 of 2 bytes, not i16 of 2");
    assert_int_equal(weft_field_set(p->world, p->e, "worker.route[0].wait", WEFT_TYPE_U32, &u32, 4),
                     WEFT_BAD_VALUE);
    assert_int_equal(weft_field_get(p->world, p->e, "worker.route[0].wait", WEFT_TYPE_U16, &u32, 4),
                     WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world),
                        "worker.route[0].wait: is u16 of 2 bytes, not u16 of 4");
    assert_int_equal(u32, 5);
    assert_int_equal(weft_field_set(p->world, p->e, "worker.route[0].wait", WEFT_TYPE_U16, &u16, 2),
                     WEFT_OK);
    u16 = 61;
    assert_int_equal(weft_field_set(p->world, p->e, "worker.route[0].wait", WEFT_TYPE_U16, &u16, 2),
                     WEFT_BAD_VALUE);
    assert_true(number(p, "worker.route[0].wait") == 5.0);
    assert_int_equal(weft_field_get(p->world, p->e, "worker.route[0].wait", (weft_type)77, &u16, 2),
                     WEFT_BAD_VALUE);
}

// The type that C has for it is as good as that of the schema, and no other of its size is.
static void some_values_have_two_types(void **state)
{
    static const struct {
        const char *path;
        size_t bytes;
        weft_type types[2]; // that it has
        weft_type other;
    } values[] = {
        {"worker.lucky", 1, {WEFT_TYPE_BOOL, WEFT_TYPE_U8}, WEFT_TYPE_I8},
        {"worker.job", 1, {WEFT_TYPE_ENUM, WEFT_TYPE_U8}, WEFT_TYPE_I8},
        {"worker.level", 1, {WEFT_TYPE_I8, WEFT_TYPE_I8}, WEFT_TYPE_U8},
    };
    const park *p = (const park *)*state;
    for (uint32_t i = 0; i < sizeof values / sizeof *values; i++) {
        unsigned char value[8] = {0};
        for (uint32_t k = 0; k < 2; k++) {
            assert_int_equal(weft_field_get(p->world, p->e, values[i].path, values[i].types[k],
                                            value, values[i].bytes),
                             WEFT_OK);
            assert_int_equal(weft_field_set(p->world, p->e, values[i].path, values[i].types[k],
                                            value, values[i].bytes),
                             WEFT_OK);
        }
        assert_int_equal(
            weft_field_get(p->world, p->e, values[i].path, values[i].other, value, values[i].bytes),
            WEFT_BAD_VALUE);
    }
}

static void bools_are_one_or_zero(void **state)
{
    const park *p = (const park *)*state;
    bool lucky = true;
    uint8_t byte = 2;
    assert_int_equal(weft_field_set(p->world, p->e, "worker.lucky", WEFT_TYPE_BOOL, &lucky, 1),
                     WEFT_OK);
    assert_int_equal(weft_field_set(p->world, p->e, "worker.lucky", WEFT_TYPE_U8, &byte, 1),
                     WEFT_BAD_VALUE);
    assert_int_equal(weft_field_get(p->world, p->e, "worker.lucky", WEFT_TYPE_U8, &byte, 1),
                     WEFT_OK);
    assert_int_equal(byte, 1);
}

// ------------------------------------------------------------------------------------------------
// Enums, strings, lists, handles

static weft_status set_text(const park *p, const char *path, const char *text)
{
    return weft_field_set(p->world, p->e, path, WEFT_TYPE_CHAR, text, strlen(text) + 1);
}

static void enums_go_by_number_and_by_name(void **state)
{
    const park *p = (const park *)*state;
    char name[8];
    uint8_t byte = 0;
    assert_int_equal(set_text(p, "worker.job", "haul"), WEFT_OK);
    assert_int_equal(worker_of(p).job, ZOO_JOB_HAUL);
    assert_int_equal(weft_field_get(p->world, p->e, "worker.job", WEFT_TYPE_ENUM, &byte, 1),
                     WEFT_OK);
    assert_int_equal(byte, ZOO_JOB_HAUL);
    assert_int_equal(weft_field_set(p->world, p->e, "worker.job", WEFT_TYPE_U8, "\1", 1), WEFT_OK);
    assert_int_equal(
        weft_field_get(p->world, p->e, "worker.job", WEFT_TYPE_CHAR, name, sizeof name), WEFT_OK);
    assert_string_equal(name, "gather");
    assert_int_equal(weft_field_get(p->world, p->e, "worker.job", WEFT_TYPE_CHAR, name, 6),
                     WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world), "worker.job: needs 7 bytes, there are 6");
    assert_int_equal(set_text(p, "worker.job", "haull"), WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world),
                        "worker.job: enum 'job' has no value 'haull', did you mean 'haul'?");
    refuse(p, "worker.job", 3,
           "worker.job: is 3, and enum 'job' has values of 0 to 2: write one of these");
    set_number(p, "worker.plans.count", 2);
    assert_int_equal(set_text(p, "worker.plans[1]", "gather"), WEFT_OK);
    assert_int_equal(worker_of(p).plans.items[1], ZOO_JOB_GATHER);
}

// C can write what is no value; reading its name must not go astray.
static void a_broken_enum_has_no_name(void **state)
{
    const park *p = (const park *)*state;
    weft_leaf_ref leaf;
    char name[8] = "before";
    assert_int_equal(weft_field_find(p->world, p->e, "worker.job", &leaf), WEFT_OK);
    *(zoo_job *)(uintptr_t)leaf.value = 200;
    assert_int_equal(
        weft_field_get(p->world, p->e, "worker.job", WEFT_TYPE_CHAR, name, sizeof name),
        WEFT_BAD_VALUE);
    assert_string_equal(
        weft_world_error(p->world),
        "worker.job: is 200, and enum 'job' has values of 0 to 2: write one of these");
    assert_string_equal(name, "before");
    assert_true(number(p, "worker.job") == 200.0);
}

static void strings_are_whole_and_bounded(void **state)
{
    const park *p = (const park *)*state;
    char text[8];
    assert_int_equal(
        weft_field_get(p->world, p->e, "worker.name", WEFT_TYPE_CHAR, text, sizeof text), WEFT_OK);
    assert_string_equal(text, "nobody");
    assert_int_equal(set_text(p, "worker.name", "matilda"), WEFT_OK); // 8 with the NUL
    assert_int_equal(set_text(p, "worker.name", "ann"), WEFT_OK);
    assert_memory_equal(worker_of(p).name, "ann\0\0\0\0", 8); // nothing of matilda is left
    assert_int_equal(set_text(p, "worker.name", "12345678"), WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world),
                        "worker.name: has 8 bytes, and there is room for 7");
    assert_int_equal(weft_field_set(p->world, p->e, "worker.name", WEFT_TYPE_CHAR, "bob", 3),
                     WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world),
                        "worker.name: has no NUL in its 3 bytes: end it with one");
    assert_int_equal(weft_field_get(p->world, p->e, "worker.name", WEFT_TYPE_CHAR, text, 3),
                     WEFT_BAD_VALUE);
    assert_int_equal(weft_field_get(p->world, p->e, "worker.name", WEFT_TYPE_CHAR, text, 0),
                     WEFT_BAD_VALUE);
    assert_int_equal(weft_field_get(p->world, p->e, "worker.name", WEFT_TYPE_CHAR, text, 4),
                     WEFT_OK);
    assert_string_equal(text, "ann");
    assert_int_equal(set_text(p, "worker.level", "3"), WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world), "worker.level: is i8, not a string or enum");
    assert_int_equal(weft_field_set_number(p->world, p->e, "worker.name", 1), WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world), "worker.name: is char, which cannot hold 1");
    double value;
    assert_int_equal(weft_field_get_number(p->world, p->e, "worker.name", &value), WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world), "worker.name: is char, not a number");
}

static void a_string_without_nul_ends_with_its_field(void **state)
{
    const park *p = (const park *)*state;
    weft_leaf_ref leaf;
    char text[9];
    assert_int_equal(weft_field_find(p->world, p->e, "worker.name", &leaf), WEFT_OK);
    memset((void *)(uintptr_t)leaf.value, 'x', 8);
    assert_int_equal(
        weft_field_get(p->world, p->e, "worker.name", WEFT_TYPE_CHAR, text, sizeof text), WEFT_OK);
    assert_string_equal(text, "xxxxxxxx");
}

static void a_string_may_be_set_to_a_part_of_itself(void **state)
{
    const park *p = (const park *)*state;
    weft_leaf_ref leaf;
    assert_int_equal(set_text(p, "worker.name", "matilda"), WEFT_OK);
    assert_int_equal(weft_field_find(p->world, p->e, "worker.name", &leaf), WEFT_OK);
    const char *name = (const char *)leaf.value;
    assert_int_equal(weft_field_set(p->world, p->e, "worker.name", WEFT_TYPE_CHAR, name + 1, 7),
                     WEFT_OK);
    assert_memory_equal(name, "atilda\0", 8);
}

static void lists_have_the_items_they_count(void **state)
{
    const park *p = (const park *)*state;
    uint32_t count = 0;
    assert_true(number(p, "worker.route.count") == 2.0);
    set_number(p, "worker.route.count", 1);
    no_item(p, "worker.route[1].wait");
    set_number(p, "worker.route.count", 3);
    assert_true(number(p, "worker.route[1].wait") == 0.0); // not the 30 from before
    assert_true(number(p, "worker.route[1].at.y") == 0.0);
    refuse(p, "worker.route.count", 4, "worker.route.count: is 4, and there is room for 3 items");
    refuse(p, "worker.route.count", 0.5, "worker.route.count: is u32, which cannot hold 0.5");
    assert_int_equal(weft_field_get(p->world, p->e, "worker.route.count", WEFT_TYPE_U32, &count, 4),
                     WEFT_OK);
    assert_int_equal(count, 3);
    count = 0;
    assert_int_equal(weft_field_set(p->world, p->e, "worker.route.count", WEFT_TYPE_U32, &count, 4),
                     WEFT_OK);
    set_number(p, "velocity.trail.count", 3); // in a column of its own
    set_number(p, "velocity.trail[2]", 5);
    assert_true(number(p, "velocity.trail[0]") == 7.0);
    assert_true(number(p, "velocity.trail[1]") == 0.0);
    no_item(p, "worker.route[0].wait");
}

static void handles_are_64_bits_here(void **state)
{
    const park *p = (const park *)*state;
    const uint64_t handles[] = {p->e, 0, UINT64_C(0x300000005),
                                UINT64_MAX}; // the last two are dead
    double value;
    for (uint32_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        uint64_t got = 1;
        assert_int_equal(weft_field_set(p->world, p->e, "worker.target", WEFT_TYPE_ENTITY,
                                        &handles[i], sizeof handles[i]),
                         WEFT_OK);
        assert_int_equal(
            weft_field_get(p->world, p->e, "worker.target", WEFT_TYPE_ENTITY, &got, sizeof got),
            WEFT_OK);
        assert_true(got == handles[i]);
    }
    assert_int_equal(weft_field_set(p->world, p->e, "worker.target", WEFT_TYPE_U64, &handles[0], 8),
                     WEFT_BAD_VALUE);
    assert_int_equal(weft_field_get_number(p->world, p->e, "worker.target", &value),
                     WEFT_BAD_VALUE);
    assert_string_equal(weft_world_error(p->world), "worker.target: is entity, not a number");
    assert_int_equal(weft_field_set_number(p->world, p->e, "worker.target", 0), WEFT_BAD_VALUE);
}

// ------------------------------------------------------------------------------------------------
// Components

static void components_come_and_go_by_name(void **state)
{
    const park *p = (const park *)*state;
    static const char *const names[] = {"sprite", "scorched", "hidden"}; // a column, a store, a tag
    for (uint32_t i = 0; i < 3; i++) {
        assert_false(weft_component_has_by_name(p->world, p->e, names[i]));
        assert_int_equal(weft_component_add_by_name(p->world, p->e, names[i]), WEFT_OK);
        assert_true(weft_component_has_by_name(p->world, p->e, names[i]));
    }
    assert_true(number(p, "sprite.texture") == 7.0); // the default
    set_number(p, "sprite.texture", 8);
    assert_int_equal(weft_component_add_by_name(p->world, p->e, "sprite"), WEFT_OK);
    assert_true(number(p, "sprite.texture") == 8.0); // it was there already
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(weft_component_remove_by_name(p->world, p->e, names[i]), WEFT_OK);
        assert_false(weft_component_has_by_name(p->world, p->e, names[i]));
        assert_int_equal(weft_component_remove_by_name(p->world, p->e, names[i]), WEFT_NOT_FOUND);
    }
    assert_string_equal(weft_world_error(p->world), "entity 0:1 has no 'hidden'");
    assert_false(weft_component_has_by_name(p->world, p->e, "nothing"));
    assert_int_equal(weft_component_add_by_name(p->world, p->e, "nothing"), WEFT_NOT_FOUND);
    assert_string_equal(weft_world_error(p->world),
                        "there is no component 'nothing': there is position, velocity, worker, "
                        "sprite, burning, scorched, …");
    assert_int_equal(weft_component_remove_by_name(p->world, p->e, "calendar"), WEFT_NOT_FOUND);
}

static void rules_hold_by_name_too(void **state)
{
    const park *p = (const park *)*state;
    uint64_t house = weft_spawn_empty(p->world);
    assert_int_equal(weft_component_add_by_name(p->world, p->e, "building"), WEFT_REFUSED);
    assert_false(weft_component_has_by_name(p->world, p->e, "building"));
    assert_int_equal(weft_component_add_by_name(p->world, house, "building"), WEFT_OK);
    assert_true(weft_component_has_by_name(p->world, house, "position"));
    assert_int_equal(weft_component_remove_by_name(p->world, house, "position"), WEFT_REFUSED);
    assert_true(weft_component_has_by_name(p->world, house, "position"));
    assert_true(strlen(weft_world_error(p->world)) > 0);
}

// Reading goes on while a phase runs, writing does not.
static void set_while_a_phase_runs(void *context)
{
    const park *p = (const park *)context;
    assert_int_equal(weft_field_set_number(p->world, p->e, "position.x", 5), WEFT_BUSY);
    assert_int_equal(weft_field_set(p->world, p->e, "worker.job", WEFT_TYPE_CHAR, "haul", 5),
                     WEFT_BUSY);
}

static void a_phase_is_not_disturbed(void **state)
{
    park *p = (park *)*state;
    assert_int_equal(weft_phase_begin(p->world, 0), WEFT_OK);
#ifdef NDEBUG
    set_while_a_phase_runs(p);
#else
    assert_true(fixture_asserts(set_while_a_phase_runs, p, "phase 'simulate' runs"));
#endif
    assert_true(number(p, "position.x") == 1.0);
    assert_int_equal(weft_phase_end(p->world), WEFT_OK);
    set_number(p, "position.x", 5);
}

// ------------------------------------------------------------------------------------------------
// The rows of the systems this grew from

// Appends the value of one leaf to a text, as an inspector in a game would show it.
static void show_leaf(const park *p, const char *path, char *text, size_t bytes)
{
    weft_leaf_ref leaf;
    char value[64];
    size_t used = strlen(text);
    uint64_t handle = 0;
    assert_int_equal(weft_field_find(p->world, p->e, path, &leaf), WEFT_OK);
    if (leaf.type == WEFT_TYPE_CHAR || leaf.type == WEFT_TYPE_ENUM) {
        assert_int_equal(weft_field_get(p->world, p->e, path, WEFT_TYPE_CHAR, value, sizeof value),
                         WEFT_OK);
    } else if (leaf.type == WEFT_TYPE_ENTITY) {
        assert_int_equal(
            weft_field_get(p->world, p->e, path, WEFT_TYPE_ENTITY, &handle, sizeof handle),
            WEFT_OK);
        snprintf(value, sizeof value, "0x%llx", (unsigned long long)handle);
    } else {
        snprintf(value, sizeof value, "%g", number(p, path));
    }
    snprintf(text + used, bytes - used, "%s = %s\n", path, value);
}

// Knows nothing of the zoo but its schema.
static void show_component(const park *p, const weft_component_info *info, char *text, size_t bytes)
{
    for (uint32_t i = 0; i < info->field_count; i++) {
        const weft_field *field = &info->fields[i];
        char path[64];
        bool list = field->shape == WEFT_SHAPE_LIST;
        if (!list && weft_field_struct(p->world->plan->schema, field)) continue;
        const char *element = field->shape == WEFT_SHAPE_ARRAY ? "[0]" : "";
        if (list) element = ".count";
        snprintf(path, sizeof path, "%s.%s%s", info->name, field->name, element);
        show_leaf(p, path, text, bytes);
    }
}

static void seed_F5_a_component_describes_itself_to_an_inspector(void **state)
{
    const park *p = (const park *)*state;
    const weft_schema *schema = p->world->plan->schema;
    char text[2048] = "";
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const weft_component_info *info = &schema->components[i];
        if (!weft_component_has_by_name(p->world, p->e, info->name)) continue;
        show_component(p, info, text, sizeof text);
    }
    assert_string_equal(text, "position.x = 1\nposition.y = 0\n"
                              "velocity.x = 0\nvelocity.y = 0\nvelocity.gear = 3\n"
                              "velocity.trail.count = 1\nvelocity.heat = 0\n"
                              "worker.job = idle\nworker.target = 0x0\nworker.skill[0] = 1\n"
                              "worker.name = nobody\nworker.route.count = 2\n"
                              "worker.friends.count = 0\nworker.plans.count = 0\n"
                              "worker.lucky = 0\nworker.money = 0\nworker.debt = 0\n"
                              "worker.level = 0\nworker.weight = 70.5\nworker.secret = 0\n"
                              "burning.kind = 9\nburning.seconds_left = 0\nburning.by = 0x0\n");
}

// Names, types, offsets and sizes are enough to take a value apart without its C type, as saving
// does.
static void seed_F5_offsets_and_sizes_are_those_of_the_value(void **state)
{
    const park *p = (const park *)*state;
    zoo_worker value = worker_of(p);
    int component = weft_component_index(p->world->plan->schema, "worker");
    const weft_component_info *info = &p->world->plan->schema->components[component];
    double weight = 0;
    assert_int_equal(info->size, sizeof value);
    for (uint32_t i = 0; i < info->field_count; i++) {
        const weft_field *field = &info->fields[i];
        assert_in_range(field->offset + field->size, 1, info->size);
        if (i > 0) assert_in_range(field->offset, field[-1].offset + field[-1].size, info->size);
        if (strcmp(field->name, "weight") != 0) continue;
        assert_int_equal(field->type, WEFT_TYPE_F64);
        assert_int_equal(field->size, sizeof weight);
        memcpy(&weight, (const unsigned char *)&value + field->offset, field->size);
    }
    assert_true(weight == 70.5);
    assert_int_equal(weft_component_index(p->world->plan->schema, "workers"), -1);
}

static void seed_M2_components_are_addressed_by_name(void **state)
{
    const park *p = (const park *)*state;
    uint64_t e = weft_spawn_empty(p->world);
    double x = 0;
    assert_int_equal(weft_component_add_by_name(p->world, e, "position"), WEFT_OK);
    assert_int_equal(weft_field_set_number(p->world, e, "position.x", 12.5), WEFT_OK);
    assert_int_equal(weft_field_get_number(p->world, e, "position.x", &x), WEFT_OK);
    assert_true(x == 12.5);
    assert_int_equal(weft_component_remove_by_name(p->world, e, "position"), WEFT_OK);
    assert_int_equal(weft_field_get_number(p->world, e, "position.x", &x), WEFT_NOT_FOUND);
    assert_string_equal(weft_world_error(p->world), "entity 1:1 has no 'position'");
}

// ---- floats as texts

static double read_float(const char *text, bool single)
{
    return single ? (double)strtof(text, NULL) : strtod(text, NULL);
}

// Counts the digits of a number from the first to the last that is not 0.
static int digits_of(const char *text)
{
    int digits = 0;
    int zeros = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && digits == 0)) continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        digits++;
    }
    return digits - zeros;
}

// Returns whether any of the three decimals of so many digits that are nearest to a value reads
// back.
static bool any_reads_back(double value, bool single, int digits)
{
    char text[40];
    unsigned long long mantissa = 0;
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    for (const char *at = text; *at != 'e'; at++) {
        if (*at != '.') mantissa = mantissa * 10 + (unsigned long long)(*at - '0');
    }
    const int exponent = atoi(strchr(text, 'e') + 1) - (digits - 1);
    for (unsigned long long tried = mantissa - 1; tried <= mantissa + 1; tried++) {
        snprintf(text, sizeof text, "%llue%d", tried, exponent);
        if (read_float(text, single) == value) return true;
    }
    return false;
}

static void assert_shortest(double value, bool single)
{
    char text[WEFT_NUMBER_BYTES];
    weft_float_text(value, single, text);
    assert_true(read_float(text, single) == value);
    const int digits = digits_of(text);
    if (digits > 1) assert_false(any_reads_back(value, single, digits - 1));
}

// Powers of two lie nearer to the value below them than to that above, so that the nearest decimal
// may not read back although another one of that length does.
static void test_texts_of_powers_of_two_are_the_shortest(void **state)
{
    (void)state;
    for (double value = DBL_TRUE_MIN; value < DBL_MAX / 4; value *= 2) {
        assert_shortest(value, false);
        assert_shortest(value * 1.5, false);
        assert_shortest(value * 1.3, false);
    }
    for (double value = (double)FLT_TRUE_MIN; value <= (double)FLT_MAX; value *= 2) {
        assert_shortest(value, true);
        if (value < (double)FLT_MAX / 2) assert_shortest((double)(float)(value * 1.7), true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PARK_TEST(numbers_keep_to_their_types),
        PARK_TEST(wide_integers_are_exact_or_refused),
        PARK_TEST(floats_round_but_do_not_overflow),
        PARK_TEST(bounds_hold_for_every_element),
        PARK_TEST(a_float_at_its_bound_can_be_set_again),
        PARK_TEST(types_must_be_the_fields_own),
        PARK_TEST(some_values_have_two_types),
        PARK_TEST(bools_are_one_or_zero),
        PARK_TEST(enums_go_by_number_and_by_name),
        PARK_TEST(a_broken_enum_has_no_name),
        PARK_TEST(strings_are_whole_and_bounded),
        PARK_TEST(a_string_without_nul_ends_with_its_field),
        PARK_TEST(a_string_may_be_set_to_a_part_of_itself),
        PARK_TEST(lists_have_the_items_they_count),
        PARK_TEST(handles_are_64_bits_here),
        PARK_TEST(components_come_and_go_by_name),
        PARK_TEST(rules_hold_by_name_too),
        PARK_TEST(a_phase_is_not_disturbed),
        PARK_TEST(seed_F5_a_component_describes_itself_to_an_inspector),
        PARK_TEST(seed_F5_offsets_and_sizes_are_those_of_the_value),
        PARK_TEST(seed_M2_components_are_addressed_by_name),
        cmocka_unit_test(test_texts_of_powers_of_two_are_the_shortest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
