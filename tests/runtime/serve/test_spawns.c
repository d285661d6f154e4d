// Spawns of composite prefabs by the inspector: values for parts and for parts of parts, and wrong
// ones, which spawn nothing.
//
// program: worlds byte_order
#include "desk_test.h"

enum { INVALID_PARAMS = -32602, REFUSED = -32000 };

// Spawns a cabinet and returns it.
static desk_entity spawned(const desk *d, const char *params)
{
    unsigned index = 0, generation = 0;
    const char *answer = call(d, "spawn", params);
    assert_done(answer);
    const char *id = strstr(answer, "\"id\":\"");
    if (!id || sscanf(id, "\"id\":\"%u:%u\"", &index, &generation) != 2) fail_msg("%s", answer);
    const uint64_t high = (uint64_t)generation << desk_schema()->index_bits;
    desk_entity e = desk_entity_of(high | index);
    assert_true(desk_alive(d->world, e));
    return e;
}

static const char *note_of(const desk *d, desk_entity e)
{
    return desk_note_get(d->world, e)->text;
}

static const desk_mark *label_of(const desk *d, desk_entity cabinet, uint32_t drawer)
{
    desk_entity of = desk_cabinet_drawer(d->world, cabinet, drawer);
    return desk_mark_get(d->world, desk_drawer_label(d->world, of));
}

static void parts_get_their_values(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_entity e = spawned(
        &d, "{\"prefab\": \"cabinet\", \"components\": {\"note\": {\"text\": \"elm\"}}, "
            "\"parts\": {\"drawer\": [null, {\"components\": {\"note\": {\"text\": \"top\"}, "
            "\"keen\": true}, \"parts\": {\"label\": {\"components\": {\"mark\": "
            "{\"text\": \"B\"}}}}}], \"own\\u0065r\": {\"components\": {\"person\": "
            "{\"name\": \"Ada\"}}}}}");
    desk_entity owner = desk_cabinet_owner(d.world, e);
    desk_entity second = desk_cabinet_drawer(d.world, e, 1);
    assert_string_equal(note_of(&d, e), "elm");
    assert_string_equal(note_of(&d, second), "top");
    assert_true(desk_keen_has(d.world, second));
    for (uint32_t i = 0; i < 3; i += 2) {
        desk_entity other = desk_cabinet_drawer(d.world, e, i);
        assert_string_equal(note_of(&d, other), "empty");
        assert_false(desk_keen_has(d.world, other));
        assert_string_equal(label_of(&d, e, i)->text, "");
    }
    assert_string_equal(label_of(&d, e, 1)->text, "B");
    assert_int_equal(label_of(&d, e, 1)->number, 1); // was left out
    const desk_person *person = desk_person_get(d.world, owner);
    assert_string_equal(person->name, "Ada");
    assert_int_equal(person->age, 30);
    assert_true(desk_same(person->boss, e)); // refs hold
    assert_true(desk_same(desk_under_parent(d.world, second), e));
    assert_int_equal(desk_stats(d.world).entities, 8);
    close_desk(&d);
}

static void without_values_everything_has_its_defaults(void **state)
{
    static const char *const given[] = {
        "{\"prefab\": \"cabinet\"}",
        "{\"prefab\": \"cabinet\", \"parts\": {}}",
        "{\"prefab\": \"cabinet\", \"parts\": {\"owner\": null, \"drawer\": null}}",
        "{\"prefab\": \"cabinet\", \"parts\": {\"owner\": {}, \"drawer\": [null, null, null]}}",
        "{\"prefab\": \"cabinet\", \"parts\": {\"owner\": {\"components\": {}, \"parts\": {}}}}",
        "{\"prefab\": \"cabinet\", \"parts\": {\"drawer\": []}}",
    };
    (void)state;
    desk hand = open_desk();
    desk_cabinet_spawn(hand.world, NULL);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        desk d = open_desk();
        spawned(&d, given[i]);
        assert_int_equal(desk_hash(d.world), desk_hash(hand.world));
        close_desk(&d);
    }
    close_desk(&hand);
}

#define PARTS(text) "{\"prefab\": \"cabinet\", \"parts\": " text "}"

static void wrong_parts_spawn_nothing(void **state)
{
    static const struct {
        const char *params;
        int code;
        const char *words;
    } wrong[] = {
        {"{\"parts\": {}}", INVALID_PARAMS, "'prefab' is missing"},
        {"{\"prefab\": \"clerk\", \"parts\": {\"owner\": {}}}", INVALID_PARAMS,
         "prefab 'clerk' has no part \\\"owner\\\" here"},
        {PARTS("{\"ownr\": {}}"), INVALID_PARAMS, "prefab 'cabinet' has no part \\\"ownr\\\" here"},
        {PARTS("{\"owner\": {}, \"own\\u0065r\": {}}"), INVALID_PARAMS, "'owner' occurs twice"},
        {PARTS("{\"drawer\": [], \"drawer\": []}"), INVALID_PARAMS, "'drawer' occurs twice"},
        {PARTS("{\"owner\": []}"), INVALID_PARAMS, "'owner' must be an object or null"},
        {PARTS("{\"owner\": 5}"), INVALID_PARAMS, "'owner' must be an object or null"},
        {PARTS("{\"drawer\": {}}"), INVALID_PARAMS, "'drawer' must be an array or null"},
        {PARTS("{\"drawer\": [{}, 5]}"), INVALID_PARAMS, "'drawer' must be an object or null"},
        {PARTS("{\"drawer\": [{}, {}, {}, {}]}"), INVALID_PARAMS, "'drawer' has more than 3 items"},
        {PARTS("{\"owner\": {\"person\": {}}}"), INVALID_PARAMS,
         "parts.owner: a part takes no \\\"person\\\""},
        {PARTS("{\"owner\": {\"components\": []}}"), INVALID_PARAMS,
         "parts.owner: 'components' must be an object"},
        {PARTS("{\"owner\": {\"parts\": null}}"), INVALID_PARAMS,
         "parts.owner: 'parts' must be an object"},
        {PARTS("{\"owner\": {\"components\": {}, \"components\": {}}}"), INVALID_PARAMS,
         "parts.owner: 'components' occurs twice"},
        {PARTS("{\"owner\": {\"parts\": {\"label\": {}}}}"), INVALID_PARAMS,
         "parts.owner: prefab 'clerk' has no part"},
        {PARTS("{\"drawer\": [null, {\"parts\": {\"spare\": {}}}]}"), INVALID_PARAMS,
         "parts.drawer[1]: prefab 'drawer' has no part \\\"spare\\\" here"},
        {PARTS("{\"owner\": {\"components\": {\"person\": {\"age\": \"x\"}}}}"), REFUSED,
         "parts.owner: "},
        {PARTS("{\"owner\": {\"components\": {\"nobody\": {}}}}"), REFUSED, "nobody"},
        {PARTS("{\"drawer\": [{}, {}, {\"parts\": {\"label\": {\"components\": "
               "{\"mark\": {\"number\": 0.5}}}}}]}"),
         REFUSED, "parts.drawer[2].parts.label: "},
        {PARTS("{\"owner\": {\"components\": {\"keen\": true, \"tired\": true}}}"), REFUSED,
         "excludes"},
    };
    (void)state;
    desk d = open_desk();
    desk_clerk_spawn(d.world, NULL);
    const uint64_t before = desk_hash_exact(d.world);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *answer = call(&d, "spawn", wrong[i].params);
        assert_refused(answer, wrong[i].code, wrong[i].words);
        if (desk_hash_exact(d.world) != before) fail_msg("%s spawns", wrong[i].params);
    }
    close_desk(&d);
}

// An exclusion that only the defaults of a part show is found after the spawn.
static void a_part_that_the_world_refuses_takes_all_others_along(void **state)
{
    (void)state;
    desk d = open_desk();
    const char *answer = call(&d, "spawn",
                              "{\"prefab\": \"office\", \"parts\": {\"worker\": {\"components\": "
                              "{\"tired\": true}}}}");
    assert_refused(answer, REFUSED, "parts.worker: ");
    assert_int_equal(desk_stats(d.world).entities, 0);
    assert_done(call(&d, "spawn",
                     "{\"prefab\": \"office\", \"parts\": {\"chair\": {\"components\": "
                     "{\"tired\": true}}}}"));
    assert_int_equal(desk_stats(d.world).entities, 3);
    close_desk(&d);
}

static void the_schema_lists_parts(void **state)
{
    (void)state;
    desk d = open_desk();
    const char *schema = call(&d, "schema", "{}");
    assert_non_null(strstr(
        schema, "{\"name\":\"cabinet\",\"components\":[\"note\"],\"values\":{\"note\":{\"text\": "
                "\"oak\"}},\"parts\":[{\"name\":\"drawer\",\"prefab\":\"drawer\",\"by\":\"under\","
                "\"count\":3},{\"name\":\"owner\","
                "\"doc\":\"Who has the \\\"key\\\".\",\"prefab\":\"clerk\",\"by\":\"under\","
                "\"count\":1}],\"left_out\":[\"drawer.spare\"]}"));
    assert_non_null(strstr(schema, "\"rank\": 0}}},{\"name\":\"label\",")); // clerk has no parts
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_get_their_values),
        cmocka_unit_test(without_values_everything_has_its_defaults),
        cmocka_unit_test(wrong_parts_spawn_nothing),
        cmocka_unit_test(a_part_that_the_world_refuses_takes_all_others_along),
        cmocka_unit_test(the_schema_lists_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
