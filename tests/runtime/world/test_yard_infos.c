// Reflection knows the parts of composite prefabs: their names, prefabs, relations, counts and
// places in the prefab's struct.
//
// program: worlds quick
#include "yard_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const weft_prefab_info *prefab_named(const char *name)
{
    const weft_schema *schema = yard_schema();
    for (uint32_t i = 0; i < schema->prefab_count; i++) {
        if (strcmp(schema->prefabs[i].name, name) == 0) return &schema->prefabs[i];
    }
    fail_msg("no prefab %s", name);
    return NULL;
}

static void expect(const weft_part_info *part, const char *name, const char *prefab,
                   const char *relation, uint32_t count)
{
    const weft_schema *schema = yard_schema();
    assert_string_equal(part->name, name);
    assert_string_equal(schema->prefabs[part->prefab].name, prefab);
    assert_string_equal(schema->relations[part->relation].name, relation);
    assert_int_equal(part->count, count);
}

static void the_schema_lists_the_parts(void **state)
{
    (void)state;
    const weft_prefab_info *tank = prefab_named("tank");
    assert_int_equal(tank->part_count, 3); // not the parts of its turret
    expect(&tank->parts[0], "turret", "turret", "mounted_on", 1);
    expect(&tank->parts[1], "wheel", "wheel", "beside", 4);
    expect(&tank->parts[2], "scout", "wheel", "follows", 1);
    assert_string_equal(tank->parts[0].doc, "It turns.");
    assert_string_equal(tank->parts[1].doc, "");
    const weft_prefab_info *turret = &yard_schema()->prefabs[tank->parts[0].prefab];
    assert_int_equal(turret->part_count, 2);
    expect(&turret->parts[1], "flag", "flag", "follows", 1);
}

static void a_variant_lists_inherited_parts(void **state)
{
    (void)state;
    const weft_prefab_info *heavy = prefab_named("heavy_tank");
    assert_int_equal(heavy->part_count, 3); // without the scout
    expect(&heavy->parts[0], "turret", "turret", "mounted_on", 1);
    expect(&heavy->parts[1], "wheel", "wheel", "beside", 4);
    expect(&heavy->parts[2], "pennant", "flag", "mounted_on", 2);
    assert_string_equal(heavy->parts[0].doc, "It turns.");
}

static void other_prefabs_list_no_parts(void **state)
{
    (void)state;
    assert_int_equal(prefab_named("wheel")->part_count, 0);
    assert_null(prefab_named("wheel")->parts);
}

static void values_of_parts_are_at_their_offsets(void **state)
{
    (void)state;
    const weft_prefab_info *tank = prefab_named("tank");
    yard_tank value = yard_tank_defaults();
    unsigned char *bytes = (unsigned char *)&value;
    yard_wheel *wheels = (yard_wheel *)(void *)(bytes + tank->parts[1].offset);
    wheels[3].turn.angle = 5.0f;
    assert_int_equal(tank->parts[0].offset, offsetof(yard_tank, turret));
    assert_int_equal(tank->parts[2].offset, offsetof(yard_tank, scout));
    yard_world *w = yard_open(NULL);
    assert_non_null(w);
    yard_entity e = yard_tank_spawn(w, &value);
    assert_true(yard_turn_get(w, yard_tank_wheel(w, e, 3))->angle == 5.0f);
    assert_true(yard_turn_get(w, yard_tank_wheel(w, e, 2))->angle == 1.0f);
    yard_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schema_lists_the_parts),
        cmocka_unit_test(a_variant_lists_inherited_parts),
        cmocka_unit_test(other_prefabs_list_no_parts),
        cmocka_unit_test(values_of_parts_are_at_their_offsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
