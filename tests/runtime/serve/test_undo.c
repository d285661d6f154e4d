// Undoing a despawn, or something that was removed: the world is the same as before, as far as JSON
// describes it. Handles are new only if others have got their indices.
//
// program: worlds byte_order
#include "undoing.h"

enum { ROUNDS = 60 };

static unsigned despawn(const desk *d, desk_entity e)
{
    char params[64];
    snprintf(params, sizeof params, "{\"id\": \"%s\"}", handle_text(e));
    return undo_of(call(d, "despawn", params));
}

static void a_despawn_leaves_no_trace_after_its_undo(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        desk d = open_desk();
        desk_entity people[DESKS] = {{0}};
        state_of_dice = round;
        fill(&d, people);
        for (uint32_t i = 0; i < 4; i++) {
            const desk_entity one = people[below(DESKS)];
            char *before = world_text(&d);
            const unsigned number = despawn(&d, one);
            char *between = world_text(&d);
            assert_string_not_equal(before, between);
            const char *answer = undo(&d, number);
            assert_done(answer);
            assert_non_null(strstr(answer, handle_text(one)));
            assert_non_null(strstr(answer, "\"renewed\":0,\"dropped\":0"));
            char *after = world_text(&d);
            assert_string_equal(before, after);
            assert_true(desk_alive(d.world, one));
            assert_refused(undo(&d, number), REFUSED, "only the last");
            free(before);
            free(between);
            free(after);
        }
        close_desk(&d);
    }
}

// The index of each entity is used again. Handles in the entities follow, those of others do not.
static void handles_are_new_if_others_have_got_their_indices(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_world *w = d.world;
    desk_entity box = desk_clerk_spawn(w, NULL), inner = desk_clerk_spawn(w, NULL),
                friend = desk_clerk_spawn(w, NULL);
    desk_inside_attach(w, inner, box);
    desk_person_edit(w, inner)->boss = box;
    desk_person_edit(w, box)->boss = friend;
    desk_person_edit(w, friend)->boss = box;
    desk_owes owes = desk_owes_defaults();
    owes.who = inner;
    desk_owes_set(w, friend, box, owes);
    const unsigned number = despawn(&d, box);
    assert_false(desk_alive(w, inner));
    const desk_entity taker = desk_clerk_spawn(w, NULL), second = desk_clerk_spawn(w, NULL);
    const char *answer = undo(&d, number);
    assert_done(answer);
    assert_non_null(strstr(answer, "\"entities\":2,\"renewed\":2,\"dropped\":0"));
    assert_true(desk_alive(w, taker) && desk_alive(w, second) && !desk_alive(w, box));
    const desk_entity new_box = entity(3, 1), new_inner = entity(4, 1);
    assert_true(desk_alive(w, new_box) && desk_alive(w, new_inner));
    assert_true(desk_same(desk_inside_parent(w, new_inner), new_box));
    assert_true(desk_same(desk_person_get(w, new_inner)->boss, new_box));
    assert_true(desk_same(desk_person_get(w, new_box)->boss, friend));
    assert_true(desk_same(desk_person_get(w, friend)->boss, box)); // as it was: a dead handle
    assert_true(desk_same(desk_owes_get(w, friend, new_box)->who, new_inner));
    close_desk(&d);
}

static void what_has_died_meanwhile_is_left_out(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_world *w = d.world;
    desk_entity one = desk_clerk_spawn(w, NULL), debtor = desk_clerk_spawn(w, NULL),
                above = desk_clerk_spawn(w, NULL), child = desk_clerk_spawn(w, NULL);
    desk_owes_set(w, debtor, one, desk_owes_defaults());
    desk_under_attach(w, one, above);
    desk_under_attach(w, child, one);
    const unsigned number = despawn(&d, one);
    desk_despawn(w, above);
    desk_despawn(w, debtor);
    desk_under_attach(w, child, desk_clerk_spawn(w, NULL)); // it has another parent now
    const char *answer = undo(&d, number);
    assert_non_null(strstr(answer, "\"entities\":1,"));
    assert_non_null(strstr(answer, "\"dropped\":3"));
    close_desk(&d);
}

static void what_was_removed_comes_back(void **state)
{
    static const char *const steps[][2] = {
        {"remove", "{\"id\": \"1:1\", \"component\": \"person\"}"},
        {"remove", "{\"id\": \"1:1\", \"component\": \"tired\"}"},
        {"unlink", "{\"id\": \"1:1\", \"link\": \"owes\", \"to\": \"2:1\"}"},
        {"unlink", "{\"id\": \"1:1\", \"link\": \"owes\", \"to\": \"1:1\"}"},
        {"unlink", "{\"id\": \"2:1\", \"link\": \"knows\", \"to\": \"1:1\"}"},
        {"detach", "{\"id\": \"1:1\", \"relation\": \"under\"}"},
    };
    (void)state;
    desk d = open_desk();
    desk_world *w = d.world;
    for (int i = 0; i < 5; i++) desk_clerk_spawn(w, NULL);
    const desk_entity one = entity(1, 1), two = entity(2, 1);
    desk_person_edit(w, one)->wealth = 0.1;
    desk_tired_set(w, one);
    desk_owes owes = desk_owes_defaults();
    owes.sum = 77;
    owes.who = two;
    desk_owes_set(w, one, two, owes);
    desk_owes_set(w, one, one, owes);
    desk_knows_set(w, one, two);
    for (uint32_t i = 0; i < 4; i++) {
        if (i != 1) desk_under_attach(w, entity(i, 1), entity(4, 1));
        if (i == 2) desk_under_attach(w, one, entity(4, 1));
    }
    char *before = world_text(&d);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const unsigned number = undo_of(call(&d, steps[i][0], steps[i][1]));
        char *between = world_text(&d);
        assert_string_not_equal(before, between);
        free(between);
        assert_done(undo(&d, number));
        char *after = world_text(&d);
        assert_string_equal(before, after);
        free(after);
        const unsigned again = undo_of(call(&d, steps[i][0], steps[i][1]));
        assert_true(again > number);
        assert_done(undo(&d, again));
    }
    free(before);
    close_desk(&d);
}

static void what_is_there_again_is_left_alone(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_world *w = d.world;
    for (int i = 0; i < 3; i++) desk_clerk_spawn(w, NULL);
    const desk_entity one = entity(1, 1), two = entity(2, 1), three = entity(0, 1);
    unsigned number = undo_of(call(&d, "remove", "{\"id\": \"1:1\", \"component\": \"person\"}"));
    desk_person_set(w, one, desk_person_defaults());
    assert_refused(undo(&d, number), REFUSED, "it has 'person' again");
    desk_owes_set(w, one, two, desk_owes_defaults());
    number = undo_of(call(&d, "unlink", "{\"id\": \"1:1\", \"link\": \"owes\", \"to\": \"2:1\"}"));
    desk_owes_set(w, one, two, desk_owes_defaults());
    assert_refused(undo(&d, number), REFUSED, "it has this link 'owes' again");
    desk_owes_remove(w, one, two);
    desk_despawn(w, two);
    assert_refused(undo(&d, number), REFUSED, "the other end of 'owes' is no longer alive");
    desk_under_attach(w, one, three);
    number = undo_of(call(&d, "detach", "{\"id\": \"1:1\", \"relation\": \"under\"}"));
    desk_despawn(w, three);
    assert_refused(undo(&d, number), REFUSED, "its parent is no longer alive");
    desk_despawn(w, one);
    assert_refused(undo(&d, number), REFUSED, "1:1 is no longer alive");
    close_desk(&d);
}

// A refused change leaves the last step as it was.
static void a_refused_despawn_is_no_step(void **state)
{
    (void)state;
    desk d = open_desk();
    const desk_entity one = desk_clerk_spawn(d.world, NULL);
    const unsigned number = despawn(&d, one);
    assert_refused(call(&d, "despawn", "{\"id\": \"0:1\"}"), REFUSED, "0:1");
    assert_refused(call(&d, "remove", "{\"id\": \"0:1\", \"component\": \"tired\"}"), REFUSED, "");
    assert_done(undo(&d, number));
    assert_true(desk_alive(d.world, one));
    close_desk(&d);
}

// After a load the same handles are other entities, which an old step must not change.
static void a_load_ends_the_last_step(void **state)
{
    (void)state;
    static const struct {
        const char *method, *params;
    } changes[] = {
        {"despawn", "{\"id\": \"0:1\"}"},
        {"remove", "{\"id\": \"0:1\", \"component\": \"person\"}"},
        {"bulk", "{\"ids\": [\"0:1\"], \"change\": \"set\", \"path\": \"person.age\", "
                 "\"value\": 7}"},
        {"unlink", "{\"id\": \"0:1\", \"link\": \"owes\", \"to\": \"1:1\"}"},
        {"detach", "{\"id\": \"0:1\", \"relation\": \"under\"}"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        desk d = open_desk();
        desk_world *w = d.world;
        const desk_entity one = desk_clerk_spawn(w, NULL), two = desk_clerk_spawn(w, NULL);
        assert_string_equal(handle_text(one), "0:1");
        assert_string_equal(handle_text(two), "1:1");
        desk_owes_set(w, one, two, desk_owes_defaults());
        desk_under_attach(w, one, two);
        void *bytes;
        size_t count;
        assert_int_equal(desk_save_memory(w, &bytes, &count), WEFT_OK);
        const unsigned number = undo_of(call(&d, changes[i].method, changes[i].params));
        assert_int_not_equal(number, 0);
        assert_int_not_equal(desk_load_memory(w, bytes, count - 1), WEFT_OK); // changes nothing
        assert_int_equal(desk_load_memory(w, bytes, count), WEFT_OK);
        char *before = world_text(&d);
        assert_refused(undo(&d, number), REFUSED, "a save was loaded since then");
        char *after = world_text(&d);
        assert_string_equal(before, after);
        free(before);
        free(after);
        free(bytes);
        close_desk(&d);
    }
}

static void a_refused_load_keeps_the_last_step(void **state)
{
    (void)state;
    desk d = open_desk();
    const desk_entity one = desk_clerk_spawn(d.world, NULL);
    const unsigned number = despawn(&d, one);
    assert_int_not_equal(desk_load_memory(d.world, "no save", 7), WEFT_OK);
    assert_done(undo(&d, number));
    assert_true(desk_alive(d.world, one));
    close_desk(&d);
}

static void a_despawn_of_many_has_no_undo(void **state)
{
    (void)state;
    desk d = open_desk();
    const desk_entity box = desk_clerk_spawn(d.world, NULL);
    for (int i = 0; i < 2048; i++) {
        desk_inside_attach(d.world, desk_clerk_spawn(d.world, NULL), box);
    }
    assert_int_equal(despawn(&d, box), 0);
    assert_refused(undo(&d, 0), REFUSED, "only the last");
    assert_refused(undo(&d, 1), REFUSED, "only the last");
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_despawn_leaves_no_trace_after_its_undo),
        cmocka_unit_test(handles_are_new_if_others_have_got_their_indices),
        cmocka_unit_test(what_has_died_meanwhile_is_left_out),
        cmocka_unit_test(what_was_removed_comes_back),
        cmocka_unit_test(what_is_there_again_is_left_alone),
        cmocka_unit_test(a_refused_despawn_is_no_step),
        cmocka_unit_test(a_load_ends_the_last_step),
        cmocka_unit_test(a_refused_load_keeps_the_last_step),
        cmocka_unit_test(a_despawn_of_many_has_no_undo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
