// State hashes of worlds with relations and with unread events, compared with the numbers that
// ../unit/test_hash_vectors.py computes from the definition alone.
//
// program: quick worlds byte_order
#include "../unit/hash_vectors.h"
#include "post_office.h"
#include "tree.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void relations_are_hashed_as_the_definition_says(void **state)
{
    enum { ROOT, ARM, HAND, LEG, STRAY, PEOPLE };
    (void)state;
    tree_world *w = tree_open(NULL);
    tree_entity e[PEOPLE];
    for (int i = 0; i < PEOPLE; i++) e[i] = tree_node_spawn(w, NULL);
    assert_true(tree_mark_set(w, e[ARM], (tree_mark){77}));
    assert_true(tree_heavy_set(w, e[HAND], (tree_heavy){2.5f}));
    assert_true(tree_frozen_set(w, e[LEG]));
    assert_true(tree_part_of_attach(w, e[STRAY], e[HAND]));
    assert_true(tree_part_of_attach(w, e[ARM], e[ROOT]));
    assert_true(tree_part_of_attach(w, e[LEG], e[ROOT]));
    assert_true(tree_part_of_attach(w, e[HAND], e[ARM]));
    assert_true(tree_follows_attach(w, e[LEG], e[HAND]));
    assert_true(tree_follows_attach(w, e[ROOT], e[HAND]));
    assert_true(tree_follows_attach(w, e[ARM], e[STRAY]));
    assert_int_not_equal(tree_hash(w), HASH_TREE_STATE);
    assert_true(tree_part_of_detach(w, e[STRAY]));
    assert_int_equal(tree_hash(w), HASH_TREE_STATE);
    tree_close(w);
}

static void unheard_events_are_hashed_as_the_definition_says(void **state)
{
    (void)state;
    static post_office office;
    post_world *w = post_open(&(weft_options){.user = &office});
    post_entity author = post_spawn(w);
    assert_true(post_author_set(w, author, (post_author){5, 2}));
    assert_int_equal(post_run_morning(w, 0.5), WEFT_OK);
    assert_int_equal(post_hash(w), HASH_POST_STATE);
    post_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_are_hashed_as_the_definition_says),
        cmocka_unit_test(unheard_events_are_hashed_as_the_definition_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
