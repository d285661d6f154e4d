// Links by name, and their values by path.
//
// program: moving quick
#include "ties_hooks.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct pair {
    ties_world *w;
    weft_world *world;
    uint64_t a, b;
} pair;

static pair pair_open(void)
{
    ties_world *w = ties_open(NULL);
    pair p = {.w = w, .world = ties_world_base(w), .a = ties_spawn(w).bits};
    p.b = ties_spawn(w).bits;
    return p;
}

// Returns the number of rows that a turn of a reader of changes gets.
static uint32_t changed_now(ties_world *w)
{
    uint32_t count = 0;
    ties_changed_iter it = ties_changed_begin(w);
    while (ties_changed_next(&it)) count++;
    return count;
}

static void assert_says(pair p, const char *words)
{
    if (!strstr(ties_error(p.w), words)) fail_msg("'%s' lacks '%s'", ties_error(p.w), words);
}

static void links_are_set_read_and_removed_by_name(void **state)
{
    (void)state;
    pair p = pair_open();
    ties_owes value = ties_owes_defaults(), found;
    value.gold = 12;
    told_added = told_removed = 0;
    assert_int_equal(weft_link_index(p.world->plan->schema, "likes"), 2);
    assert_int_equal(weft_link_index(p.world->plan->schema, "place"), -1);
    assert_false(weft_link_has_by_name(p.world, "owes", p.a, p.b));
    assert_int_equal(weft_link_set_by_name(p.world, "owes", p.a, p.b, &value, sizeof value),
                     WEFT_OK);
    assert_int_equal(weft_link_set_by_name(p.world, "owes", p.b, p.a, NULL, 0), WEFT_OK);
    assert_int_equal(weft_link_set_by_name(p.world, "knows", p.b, p.a, NULL, 0), WEFT_OK);
    assert_int_equal(told_added, 2);
    assert_true(weft_link_has_by_name(p.world, "knows", p.a, p.b));
    assert_int_equal(weft_link_get_by_name(p.world, "owes", p.a, p.b, &found, sizeof found),
                     WEFT_OK);
    assert_int_equal(found.gold, 12);
    assert_int_equal(weft_link_get_by_name(p.world, "owes", p.b, p.a, &found, sizeof found),
                     WEFT_OK);
    assert_int_equal(found.gold, 3);
    assert_int_equal(weft_link_get_by_name(p.world, "knows", p.a, p.b, NULL, 0), WEFT_OK);
    assert_int_equal(weft_link_remove_by_name(p.world, "owes", p.a, p.b), WEFT_OK);
    assert_int_equal(told_removed, 1);
    assert_int_equal(weft_link_remove_by_name(p.world, "owes", p.a, p.b), WEFT_NOT_FOUND);
    assert_says(p, "there is no link 'owes' from entity 0:1 to entity 1:1");
    ties_close(p.w);
}

static void links_are_walked_by_name(void **state)
{
    (void)state;
    pair p = pair_open();
    uint64_t c = ties_spawn(p.w).bits;
    const weft_format f = p.world->plan->format;
    weft_link_set_by_name(p.world, "sees", p.a, c, NULL, 0);
    weft_link_set_by_name(p.world, "sees", p.a, p.b, NULL, 0);
    weft_link_set_by_name(p.world, "sees", c, p.a, NULL, 0);
    weft_link_walk walk = weft_link_walk_by_name(p.world, "sees", p.a, true);
    assert_true(weft_link_walk_next(&walk, f));
    assert_int_equal(walk.other, p.b);
    assert_true(weft_link_walk_next(&walk, f));
    assert_int_equal(walk.other, c);
    assert_false(weft_link_walk_next(&walk, f));
    walk = weft_link_walk_by_name(p.world, "sees", p.a, false);
    assert_true(weft_link_walk_next(&walk, f));
    assert_int_equal(walk.other, c);
    assert_false(weft_link_walk_next(&walk, f));
    walk = weft_link_walk_by_name(p.world, "place", p.a, true);
    assert_false(weft_link_walk_next(&walk, f));
    ties_close(p.w);
}

static void values_are_read_and_written_by_path(void **state)
{
    (void)state;
    pair p = pair_open();
    double number = 0;
    char text[8];
    uint64_t witness = 1;
    weft_link_set_by_name(p.world, "owes", p.a, p.b, NULL, 0);
    assert_int_equal(weft_link_field_get_number(p.world, p.a, p.b, "owes.gold", &number), WEFT_OK);
    assert_true(number == 3);
    changed_now(p.w);
    assert_int_equal(changed_now(p.w), 0);
    assert_int_equal(weft_link_field_set_number(p.world, p.a, p.b, "owes.gold", 1000), WEFT_OK);
    assert_true(changed_now(p.w) != 0);
    assert_int_equal(weft_link_field_set(p.world, p.a, p.b, "owes.mood", WEFT_TYPE_CHAR, "angry",
                                         sizeof "angry"),
                     WEFT_OK);
    assert_int_equal(
        weft_link_field_set(p.world, p.a, p.b, "owes.note", WEFT_TYPE_CHAR, "soon", sizeof "soon"),
        WEFT_OK);
    assert_int_equal(weft_link_field_set_number(p.world, p.a, p.b, "owes.dues.count", 2), WEFT_OK);
    assert_int_equal(weft_link_field_set_number(p.world, p.a, p.b, "owes.dues[1]", 7), WEFT_OK);
    assert_int_equal(
        weft_link_field_set(p.world, p.a, p.b, "owes.witness", WEFT_TYPE_ENTITY, &p.b, sizeof p.b),
        WEFT_OK);
    const ties_owes *value =
        ties_owes_get(p.w, (ties_entity){(uint32_t)p.a}, (ties_entity){(uint32_t)p.b});
    assert_int_equal(value->gold, 1000);
    assert_int_equal(value->mood, TIES_MOOD_ANGRY);
    assert_string_equal(value->note, "soon");
    assert_int_equal(value->dues.items[1], 7);
    assert_int_equal(
        weft_link_field_get(p.world, p.a, p.b, "owes.note", WEFT_TYPE_CHAR, text, sizeof text),
        WEFT_OK);
    assert_string_equal(text, "soon");
    assert_int_equal(weft_link_field_get(p.world, p.a, p.b, "owes.witness", WEFT_TYPE_ENTITY,
                                         &witness, sizeof witness),
                     WEFT_OK);
    assert_int_equal(witness, p.b);
    ties_close(p.w);
}

static void mistakes_are_refused_and_change_nothing(void **state)
{
    (void)state;
    pair p = pair_open();
    double number;
    weft_leaf_ref leaf;
    ties_owes value = ties_owes_defaults();
    value.gold = 1001;
    weft_link_set_by_name(p.world, "owes", p.a, p.b, NULL, 0);
    uint64_t hash = ties_hash(p.w);
    assert_int_equal(weft_link_set_by_name(p.world, "owes", p.a, p.b, &value, sizeof value),
                     WEFT_BAD_VALUE);
    assert_says(p, "owes.gold: is 1001, and must be at most 1000");
    assert_int_equal(weft_link_set_by_name(p.world, "owes", p.a, p.b, &value, 3), WEFT_BAD_VALUE);
    assert_says(p, "bytes, not 3");
    assert_int_equal(weft_link_set_by_name(p.world, "ows", p.a, p.b, NULL, 0), WEFT_NOT_FOUND);
    assert_says(p, "there is no link 'ows', did you mean 'owes'?");
    assert_int_equal(weft_link_set_by_name(p.world, "owes", p.a, 99, NULL, 0), WEFT_DEAD);
    assert_int_equal(weft_link_remove_by_name(p.world, "owes", 99, p.b), WEFT_DEAD);
    assert_int_equal(weft_link_field_set_number(p.world, p.a, p.b, "owes.gold", 1001),
                     WEFT_BAD_VALUE);
    assert_says(p, "owes.gold: is 1001, and must be at most 1000");
    assert_int_equal(weft_link_field_set_number(p.world, p.b, p.a, "owes.gold", 1), WEFT_NOT_FOUND);
    assert_int_equal(weft_link_field_get_number(p.world, p.a, 99, "owes.gold", &number), WEFT_DEAD);
    assert_int_equal(weft_link_field_find(p.world, p.a, p.b, "owes.silver", &leaf), WEFT_NOT_FOUND);
    assert_says(p, "owes.silver: 'owes' has no field 'silver'");
    assert_int_equal(weft_link_field_find(p.world, p.a, p.b, "owes", &leaf), WEFT_NOT_FOUND);
    assert_int_equal(weft_link_field_find(p.world, p.a, p.b, "owes.dues[0]", &leaf),
                     WEFT_NOT_FOUND);
    assert_int_equal(ties_hash(p.w), hash);
    ties_close(p.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_set_read_and_removed_by_name),
        cmocka_unit_test(links_are_walked_by_name),
        cmocka_unit_test(values_are_read_and_written_by_path),
        cmocka_unit_test(mistakes_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
