// The walk over fields: which leaves are visited, in which order, and where lists and strings end.
//
// program: quick still portable
#include "fields_fixture.h"
#include "value/fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

// The leaves that a walk visited, in words: "field:type:bytes " for each.
typedef struct visits {
    char text[1024];
    size_t used;
    const unsigned char *start;
    size_t bytes; // of the value: every leaf must lie inside
} visits;

static void note(void *context, const weft_field *field, weft_type type, void *value,
                 uint32_t bytes)
{
    static const char *const types[] = {"bool", "u8",   "u16", "u32", "u64", "i8",
                                        "i16",  "i32",  "i64", "f32", "f64", "entity",
                                        "char", "enum", "?",   "?"};
    visits *v = (visits *)context;
    size_t from = (size_t)((const unsigned char *)value - v->start);
    assert_in_range(from + bytes, 0, v->bytes);
    int more = snprintf(v->text + v->used, sizeof v->text - v->used, "%s:%s:%u ", field->name,
                        types[type], (unsigned)bytes);
    v->used += (size_t)more;
    assert_in_range(v->used, 0, sizeof v->text - 1);
}

static void walk_component(zoo_component component, void *value, bool only_saved, visits *v)
{
    const weft_component_info *info = &zoo_schema.components[component];
    *v = (visits){.start = (const unsigned char *)value, .bytes = info->size};
    weft_fields_walk(&zoo_schema, info->fields, info->field_count, value, only_saved, note, v);
}

static const weft_field *field_of(zoo_component component, const char *name)
{
    const weft_component_info *info = &zoo_schema.components[component];
    for (uint32_t i = 0; i < info->field_count; i++) {
        if (strcmp(info->fields[i].name, name) == 0) return &info->fields[i];
    }
    fail_msg("no field %s", name);
    return NULL;
}

static zoo_worker worker_with_lists(void)
{
    zoo_worker worker = {.name = "ann"};
    worker.route.count = 2;
    memcpy(worker.route.items[0].label, "home", 4); // no NUL
    worker.friends.count = 1;
    return worker;
}

static void walk_visits_leaves_in_field_order(void **state)
{
    (void)state;
    zoo_worker worker = worker_with_lists();
    visits v;
    walk_component(ZOO_WORKER, &worker, false, &v);
    assert_string_equal(
        v.text, "job:enum:1 target:entity:8 skill:u8:1 skill:u8:1 skill:u8:1 skill:u8:1 "
                "name:char:3 route:u32:4 "
                "x:f32:4 y:f32:4 wait:u16:2 guide:entity:8 label:char:4 scenic:bool:1 cache:u32:4 "
                "x:f32:4 y:f32:4 wait:u16:2 guide:entity:8 label:char:0 scenic:bool:1 cache:u32:4 "
                "friends:u32:4 friends:entity:8 plans:u32:4 lucky:bool:1 money:u64:8 debt:i64:8 "
                "level:i8:1 weight:f64:8 m:f32:4 m:f32:4 m:f32:4 m:f32:4 secret:u32:4 ");
}

static void walk_passes_over_unsaved_fields_at_any_depth(void **state)
{
    (void)state;
    zoo_worker worker = worker_with_lists();
    visits v;
    walk_component(ZOO_WORKER, &worker, true, &v);
    assert_null(strstr(v.text, "cache"));
    assert_null(strstr(v.text, "secret"));
    assert_non_null(strstr(v.text, "scenic:bool:1 x:f32:4")); // what stands around it is there
}

static void leaves_can_be_written(void **state)
{
    (void)state;
    zoo_burning burning = {.kind = 9, .by = {5}};
    visits v;
    walk_component(ZOO_BURNING, &burning, false, &v);
    assert_string_equal(v.text, "kind:u8:1 seconds_left:f32:4 by:entity:8 ");
    weft_handle_write(&zoo_schema, &burning.by, UINT64_C(0x123456789abcdef0));
    assert_int_equal(burning.by.bits, UINT64_C(0x123456789abcdef0));
    assert_int_equal(burning.kind, 9);
}

// A count that C wrote wrongly must not lead the walk out of the list.
static void walk_stays_inside_a_list_with_a_wrong_count(void **state)
{
    (void)state;
    zoo_velocity velocity = {.trail = {.count = 4000000000u}};
    visits v;
    walk_component(ZOO_VELOCITY, &velocity, true, &v);
    assert_string_equal(v.text, "x:f32:4 y:f32:4 gear:u8:1 trail:u32:4 "
                                "trail:u16:2 trail:u16:2 trail:u16:2 ");
}

// As a column of a soa component has it: one member after the other, at any address.
static void member_walk_needs_no_struct_around_it(void **state)
{
    (void)state;
    zoo_trail trail = {.count = 1, .items = {17}};
    unsigned char odd[sizeof trail + 1];
    memcpy(odd + 1, &trail, sizeof trail);
    visits v = {.start = odd + 1, .bytes = sizeof trail};
    weft_member_walk(&zoo_schema, field_of(ZOO_VELOCITY, "trail"), odd + 1, true, note, &v);
    assert_string_equal(v.text, "trail:u32:4 trail:u16:2 ");

    uint32_t heat = 1;
    v = (visits){.start = (const unsigned char *)&heat, .bytes = sizeof heat};
    weft_member_walk(&zoo_schema, field_of(ZOO_VELOCITY, "heat"), &heat, true, note, &v);
    assert_string_equal(v.text, "");
    weft_member_walk(&zoo_schema, field_of(ZOO_VELOCITY, "heat"), &heat, false, note, &v);
    assert_string_equal(v.text, "heat:u32:4 ");
}

static void entities_are_found_at_any_depth(void **state)
{
    (void)state;
    const weft_component_info *components = zoo_schema.components;
    static const bool expected[] = {
        [ZOO_WORKER] = true, [ZOO_BURNING] = true, [ZOO_BUILDING] = false};
    for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(
            weft_fields_have_entities(&zoo_schema, components[i].fields, components[i].field_count),
            expected[i]);
    }
    // The list of structs alone: the handle is two levels down.
    assert_true(weft_fields_have_entities(&zoo_schema, field_of(ZOO_WORKER, "route"), 1));
    assert_false(weft_fields_have_entities(&zoo_schema, field_of(ZOO_WORKER, "frame"), 1));
    assert_false(weft_fields_have_entities(&zoo_schema, NULL, 0));
}

static void members_are_counted_by_shape(void **state)
{
    (void)state;
    zoo_worker worker = worker_with_lists();
    assert_int_equal(weft_member_count(field_of(ZOO_WORKER, "job"), &worker.job), 1);
    assert_int_equal(weft_member_count(field_of(ZOO_WORKER, "skill"), worker.skill), 4);
    assert_int_equal(weft_member_count(field_of(ZOO_WORKER, "name"), worker.name), 1);
    assert_int_equal(weft_member_count(field_of(ZOO_WORKER, "route"), &worker.route), 2);
    assert_int_equal(weft_member_count(field_of(ZOO_WORKER, "plans"), &worker.plans), 0);
    assert_ptr_equal(weft_field_struct(&zoo_schema, field_of(ZOO_WORKER, "route")),
                     &zoo_schema.structs[1]);
    assert_ptr_equal(weft_field_struct(&zoo_schema, field_of(ZOO_WORKER, "frame")),
                     &zoo_schema.externs[0]);
    assert_null(weft_field_struct(&zoo_schema, field_of(ZOO_WORKER, "job")));
}

static void handles_take_the_bytes_of_the_schema(void **state)
{
    (void)state;
    for (uint8_t bytes = 2; bytes <= 8; bytes = (uint8_t)(bytes * 2)) {
        weft_schema schema = zoo_schema;
        schema.handle_bytes = bytes;
        unsigned char memory[9];
        memset(memory, 0xee, sizeof memory);
        uint64_t bits = UINT64_C(0x0123456789abcdef) >> (64 - bytes * 8);
        weft_handle_write(&schema, memory, bits);
        assert_int_equal(weft_handle_read(&schema, memory), bits);
        assert_int_equal(memory[bytes], 0xee); // the neighbour
    }
}

static void bits_are_those_of_an_unsigned_integer(void **state)
{
    (void)state;
    const int8_t i8 = -1;
    const int16_t i16 = -2;
    const float f32 = -0.0f;
    const double f64 = 1.0;
    assert_int_equal(weft_bits_read(&i8, 1), 0xff);
    assert_int_equal(weft_bits_read(&i16, 2), 0xfffe);
    assert_int_equal(weft_bits_read(&f32, 4), 0x80000000u);
    assert_int_equal(weft_bits_read(&f64, 8), UINT64_C(0x3ff0000000000000));

    uint16_t narrow[2] = {0, 0x5555};
    weft_bits_write(narrow, 2, UINT64_C(0xffffffffffff1234));
    assert_int_equal(narrow[0], 0x1234);
    assert_int_equal(narrow[1], 0x5555);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walk_visits_leaves_in_field_order),
        cmocka_unit_test(walk_passes_over_unsaved_fields_at_any_depth),
        cmocka_unit_test(leaves_can_be_written),
        cmocka_unit_test(walk_stays_inside_a_list_with_a_wrong_count),
        cmocka_unit_test(member_walk_needs_no_struct_around_it),
        cmocka_unit_test(entities_are_found_at_any_depth),
        cmocka_unit_test(members_are_counted_by_shape),
        cmocka_unit_test(handles_take_the_bytes_of_the_schema),
        cmocka_unit_test(bits_are_those_of_an_unsigned_integer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
