// Changes of many entities in one call: refusals of some of them, and the undo of all. Random
// changes of random worlds leave no trace after their undo.
//
// program: worlds byte_order
#include "undoing.h"

enum { ROUNDS = 60, LISTED = 200, PARAMS_BYTES = 8000 };

// Returns the params of a bulk call: `rest` follows the handles.
static const char *params_of(const desk_entity *some, uint32_t count, const char *rest)
{
    static char params[PARAMS_BYTES];
    size_t used = (size_t)snprintf(params, sizeof params, "{\"ids\": [");
    for (uint32_t i = 0; i < count; i++) {
        used += (size_t)snprintf(params + used, sizeof params - used, "%s\"%s\"", i ? ", " : "",
                                 handle_text(some[i]));
    }
    snprintf(params + used, sizeof params - used, "], %s}", rest);
    return params;
}

static const char *bulk(const desk *d, const desk_entity *some, uint32_t count, const char *rest)
{
    return call(d, "bulk", params_of(some, count, rest));
}

static void assert_has(const char *answer, const char *words)
{
    if (!strstr(answer, words)) fail_msg("'%s' is missing in %.800s", words, answer);
}

static void spawn_some(const desk *d, desk_entity *some, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) some[i] = desk_clerk_spawn(d->world, NULL);
}

static void a_value_is_set_and_restored(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_entity some[5];
    spawn_some(&d, some, 5);
    for (uint32_t i = 0; i < 5; i++) desk_person_edit(d.world, some[i])->age = 20 + (int64_t)i;
    desk_person_remove(d.world, some[3]);
    const char *answer =
        bulk(&d, some, 5, "\"change\": \"set\", \"path\": \"person.age\", \"value\": 77");
    assert_has(answer, "\"done\":4,\"refused\":1,");
    assert_has(answer, "\"count\":1,\"id\":\"3:1\"}],\"left_off\":0,");
    const unsigned number = undo_of(answer);
    for (uint32_t i = 0; i < 5; i++) {
        if (i != 3) assert_int_equal(desk_person_get(d.world, some[i])->age, 77);
    }
    desk_person_edit(d.world, some[0])->weight = 4; // another field, which stays
    desk_person_remove(d.world, some[1]);
    desk_despawn(d.world, some[2]);
    answer = undo(&d, number);
    assert_has(answer, "\"renewed\":0,\"dropped\":2}");
    assert_int_equal(desk_person_get(d.world, some[0])->age, 20);
    assert_true(desk_person_get(d.world, some[0])->weight == 4);
    assert_null(desk_person_get(d.world, some[1]));
    assert_int_equal(desk_person_get(d.world, some[4])->age, 24);
    close_desk(&d);
}

// Items that are lost with a smaller count return with the whole component.
static void items_of_a_list_are_restored(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_entity some[2];
    spawn_some(&d, some, 2);
    for (uint32_t i = 0; i < 2; i++) {
        desk_path path = desk_path_defaults();
        path.spots.count = 3;
        path.spots.items[2] = (desk_spot){4, 5 + (float)i};
        desk_path_set(d.world, some[i], path);
    }
    const char *answer =
        bulk(&d, some, 2, "\"change\": \"set\", \"path\": \"path.spots.count\", \"value\": 1");
    const unsigned number = undo_of(answer);
    assert_int_equal(desk_path_get(d.world, some[1])->spots.count, 1);
    assert_done(undo(&d, number));
    assert_int_equal(desk_path_get(d.world, some[1])->spots.count, 3);
    assert_true(desk_path_get(d.world, some[1])->spots.items[2].y == 6);
    close_desk(&d);
}

static void added_components_are_removed_again(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_entity some[4];
    spawn_some(&d, some, 4);
    desk_tired_set(d.world, some[1]);
    desk_keen_set(d.world, some[2]);
    const char *answer = bulk(&d, some, 4, "\"change\": \"add\", \"component\": \"keen\"");
    assert_has(answer, "\"done\":3,\"refused\":1,");
    assert_has(answer, "never both");
    assert_true(desk_keen_has(d.world, some[0]) && desk_keen_has(d.world, some[3]));
    assert_has(undo(&d, undo_of(answer)), "\"dropped\":0}");
    assert_false(desk_keen_has(d.world, some[0]) || desk_keen_has(d.world, some[3]));
    assert_true(desk_keen_has(d.world, some[2])); // it had it before
    close_desk(&d);
}

static void required_components_are_removed_again(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_entity some[3];
    spawn_some(&d, some, 3);
    desk_lamp_set(d.world, some[1]);
    desk_plugged_set(d.world, some[2]);
    char *before = world_text(&d);
    unsigned number = undo_of(bulk(&d, some, 3, "\"change\": \"add\", \"component\": \"lit\""));
    for (uint32_t i = 0; i < 3; i++) assert_true(desk_lit_has(d.world, some[i]));
    assert_done(undo(&d, number));
    char *after = world_text(&d);
    assert_string_equal(before, after);
    free(before);
    free(after);
    number = undo_of(bulk(&d, some, 1, "\"change\": \"add\", \"component\": \"lamp\""));
    desk_lit_set(d.world, some[0]);
    assert_refused(undo(&d, number), REFUSED, "another component requires 'lamp' now");
    assert_true(desk_lit_has(d.world, some[0]));
    close_desk(&d);
}

// Entities that the despawn of another one of the list has ended are not refused.
static void trees_are_despawned_and_restored(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_entity some[6];
    spawn_some(&d, some, 6);
    for (uint32_t i = 0; i < 3; i++) desk_inside_attach(d.world, some[i + 1], some[i]);
    desk_under_attach(d.world, some[4], some[2]);
    desk_despawn(d.world, some[5]);
    char *before = world_text(&d);
    const desk_entity twice[] = {some[2], some[0], some[3], some[5], some[2]};
    const char *answer = bulk(&d, twice, 5, "\"change\": \"despawn\"");
    assert_has(answer, "\"done\":4,\"refused\":1,");
    const unsigned number = undo_of(answer);
    for (uint32_t i = 0; i < 4; i++) assert_false(desk_alive(d.world, some[i]));
    assert_has(undo(&d, number), "\"entities\":4,\"renewed\":0,\"dropped\":0}");
    char *after = world_text(&d);
    assert_string_equal(before, after);
    free(before);
    free(after);
    close_desk(&d);
}

// The step before it can still be undone.
static void a_bulk_that_changes_nothing_is_no_step(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_entity some[2];
    spawn_some(&d, some, 2);
    const unsigned number =
        undo_of(bulk(&d, some, 1, "\"change\": \"remove\", \"component\": \"person\""));
    const char *answer = bulk(&d, some, 1, "\"change\": \"remove\", \"component\": \"person\"");
    assert_has(answer, "\"done\":0,\"refused\":1,");
    assert_int_equal(undo_of(answer), 0);
    assert_done(undo(&d, number));
    assert_non_null(desk_person_get(d.world, some[0]));
    close_desk(&d);
}

// Reasons that differ are listed up to a limit, and the rest is counted.
static void refusals_are_counted_by_their_reasons(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_entity some[LISTED];
    spawn_some(&d, some, 12);
    for (uint32_t i = 0; i < 10; i++) desk_despawn(d.world, some[i]);
    const char *answer = bulk(&d, some, 12, "\"change\": \"add\", \"component\": \"tired\"");
    assert_has(answer, "\"done\":2,\"refused\":10,");
    assert_has(answer, "\"left_off\":2,");
    assert_int_equal(count_of(answer, "\"why\":"), 8);
    answer =
        bulk(&d, some + 10, 2, "\"change\": \"set\", \"path\": \"person.rank\", \"value\": 1000");
    assert_has(answer, "\"done\":0,\"refused\":2,");
    assert_int_equal(count_of(answer, "\"why\":"), 1);
    assert_has(answer, "\"count\":2,\"id\":\"10:1\"}],\"left_off\":0,");
    close_desk(&d);
}

static void more_than_the_limit_are_refused(void **state)
{
    (void)state;
    enum { BULK_MAX = 1000 };
    static char request[32000];
    desk d = open_desk();
    const desk_entity one = desk_clerk_spawn(d.world, NULL);
    for (uint32_t count = BULK_MAX; count <= BULK_MAX + 1; count++) {
        size_t used =
            (size_t)snprintf(request, sizeof request,
                             "{\"id\": 1, \"method\": \"bulk\", \"params\": "
                             "{\"change\": \"add\", \"component\": \"tired\", \"ids\": [");
        for (uint32_t i = 0; i < count; i++) {
            used +=
                (size_t)snprintf(request + used, sizeof request - used, "%s\"0:1\"", i ? "," : "");
        }
        snprintf(request + used, sizeof request - used, "]}}");
        const char *answer = ask(&d, request);
        if (count == BULK_MAX)
            assert_has(answer, "\"done\":1000,");
        else
            assert_refused(answer, -32602, "'ids' are 1 to 1000 handles");
        assert_int_equal(desk_tired_has(d.world, one), count == BULK_MAX);
        desk_tired_remove(d.world, one);
    }
    close_desk(&d);
}

static const char *random_change(void)
{
    static const char *const changes[] = {
        "\"change\": \"set\", \"path\": \"person.wealth\", \"value\": 0.1",
        "\"change\": \"set\", \"path\": \"person.name\", \"value\": \"a \\\"b\\\"\"",
        "\"change\": \"set\", \"path\": \"person.boss\", \"value\": null",
        "\"change\": \"set\", \"path\": \"mark.text\", \"value\": \"b\"",
        "\"change\": \"add\", \"component\": \"mark\"",
        "\"change\": \"add\", \"component\": \"lit\"",
        "\"change\": \"add\", \"component\": \"keen\"",
        "\"change\": \"remove\", \"component\": \"person\"",
        "\"change\": \"remove\", \"component\": \"mark\"",
        "\"change\": \"remove\", \"component\": \"tired\"",
        "\"change\": \"despawn\"",
    };
    return changes[below(sizeof changes / sizeof *changes)];
}

static void random_changes_leave_no_trace_after_their_undo(void **state)
{
    (void)state;
    uint32_t changed = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        desk d = open_desk();
        desk_entity people[DESKS] = {{0}}, some[DESKS];
        state_of_dice = round;
        fill(&d, people);
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t count = 1 + below(DESKS - 1);
            for (uint32_t k = 0; k < count; k++) some[k] = people[below(DESKS)];
            char *before = world_text(&d);
            const unsigned number = undo_of(bulk(&d, some, count, random_change()));
            char *between = world_text(&d);
            changed += strcmp(before, between) != 0;
            if (number != 0) assert_has(undo(&d, number), "\"renewed\":0,\"dropped\":0}");
            char *after = world_text(&d);
            assert_string_equal(before, after);
            free(before);
            free(between);
            free(after);
        }
        close_desk(&d);
    }
    assert_true(changed > 4 * ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_set_and_restored),
        cmocka_unit_test(items_of_a_list_are_restored),
        cmocka_unit_test(added_components_are_removed_again),
        cmocka_unit_test(required_components_are_removed_again),
        cmocka_unit_test(trees_are_despawned_and_restored),
        cmocka_unit_test(a_bulk_that_changes_nothing_is_no_step),
        cmocka_unit_test(refusals_are_counted_by_their_reasons),
        cmocka_unit_test(more_than_the_limit_are_refused),
        cmocka_unit_test(random_changes_leave_no_trace_after_their_undo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
