// Links in JSON: worlds and entities that are written and read again, wrong texts with their
// messages, damaged texts, and failing allocations.
//
// program: moving quick
#include "../../fuzz/dice.h"
#include "../../support/scarce.h"
#include "edit/despawn.h"
#include "random_world.h"
#include "ties_hooks.h"
#include "weft_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static weft_status read_world(ties_world *w, const char *text)
{
    return weft_json_world_read(ties_world_base(w), text, strlen(text));
}

static weft_status read_entity(ties_world *w, ties_entity e, const char *text)
{
    return weft_json_entity_read(ties_world_base(w), e.bits, text, strlen(text));
}

static void assert_world_is(ties_world *w, const char *text)
{
    json now = json_of_world(ties_world_base(w));
    assert_string_equal(now.text, text);
    json_free(&now);
}

static void assert_entity_is(ties_world *w, ties_entity e, const char *text)
{
    json now = json_of_entity(ties_world_base(w), e.bits);
    assert_string_equal(now.text, text);
    json_free(&now);
}

#define HEAD "{\n  \"weft\": 1,\n  \"world\": \"ties\",\n  \"singletons\": {},\n  \"entities\": ["
#define VALUE(gold)                                                                                \
    "{\"gold\": " gold ", \"mood\": \"calm\", \"note\": \"\", \"witness\": null, \"dues\": []}"

static void a_world_is_written_with_its_links_in_their_order(void **state)
{
    (void)state;
    ties_world *w = ties_open(NULL);
    ties_entity a = ties_spawn(w), b = ties_spawn(w), c = ties_spawn(w);
    ties_owes value = ties_owes_defaults();
    assert_true(ties_owes_set(w, b, a, value));
    value.gold = 7, value.mood = TIES_MOOD_ANGRY, value.witness = c, value.dues.count = 2;
    value.dues.items[1] = 9;
    memcpy(value.note, "so \"it\"", sizeof "so \"it\"");
    assert_true(ties_owes_set(w, a, c, value));
    assert_true(ties_owes_set(w, a, a, ties_owes_defaults()));
    assert_true(ties_likes_set(w, c, b, (ties_likes){.much = 0.5f}));
    assert_true(ties_knows_set(w, c, a));
    assert_true(ties_sees_set(w, a, b));
    const char *angry = "{\"gold\": 7, \"mood\": \"angry\", \"note\": \"so \\\"it\\\"\", "
                        "\"witness\": \"2:1\", \"dues\": [0, 9]}";
    char text[2000];
    snprintf(
        text, sizeof text,
        HEAD
        "\n"
        "    {\"id\": \"0:1\", \"components\": {}},\n"
        "    {\"id\": \"1:1\", \"components\": {}},\n"
        "    {\"id\": \"2:1\", \"components\": {}}\n  ],\n"
        "  \"relations\": {\n    \"part_of\": []\n  },\n  \"links\": {\n    \"owes\": [\n"
        "      {\"from\": \"0:1\", \"to\": \"0:1\", \"value\": " VALUE(
            "3") "},\n"
                 "      {\"from\": \"0:1\", \"to\": \"2:1\", \"value\": %s},\n"
                 "      {\"from\": \"1:1\", \"to\": \"0:1\", \"value\": " VALUE(
                     "3") "}\n    ],\n"
                          "    \"knows\": [\n      {\"from\": \"0:1\", \"to\": \"2:1\"}\n    ],\n"
                          "    \"likes\": [\n      {\"from\": \"1:1\", \"to\": \"2:1\", "
                          "\"value\": {\"much\": 0.5}}\n    ],\n"
                          "    \"sees\": [\n      {\"from\": \"0:1\", \"to\": \"1:1\"}\n    ]\n  "
                          "}\n}\n",
        angry);
    assert_world_is(w, text);
    snprintf(
        text, sizeof text,
        "{\"id\": \"0:1\", \"components\": {}, \"links\": {\"owes\": ["
        "{\"to\": \"0:1\", \"value\": " VALUE("3") "}, {\"to\": \"2:1\", \"value\": %s}, "
                                                   "{\"from\": \"1:1\", \"value\": " VALUE(
                                                       "3") "}], \"knows\": [{\"to\": \"2:1\"}], "
                                                            "\"sees\": [{\"to\": \"1:1\"}]}}",
        angry);
    assert_entity_is(w, a, text);
    assert_entity_is(w, b,
                     "{\"id\": \"1:1\", \"components\": {}, \"links\": {\"owes\": [{\"to\": "
                     "\"0:1\", \"value\": " VALUE(
                         "3") "}], \"likes\": [{\"to\": \"2:1\", "
                              "\"value\": {\"much\": 0.5}}], \"sees\": [{\"from\": \"0:1\"}]}}");
    ties_close(w);
}

// Links `n` pairs of random entities.
static void link_some(ties_world *w, dice *d, const ties_entity *e, uint32_t count, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        ties_entity a = e[dice_below(d, count)], b = e[dice_below(d, count)];
        ties_owes value = ties_owes_defaults();
        value.gold = dice_below(d, 1001);
        value.mood = dice_below(d, 2) ? TIES_MOOD_ANGRY : TIES_MOOD_CALM;
        value.witness = e[dice_below(d, count)];
        assert_true(ties_owes_set(w, a, b, value));
        assert_true(ties_knows_set(w, b, a));
        if (dice_below(d, 2)) assert_true(ties_sees_set(w, b, a));
        float much = (float)dice_below(d, 1000) / 1000;
        assert_true(ties_likes_set(w, a, b, (ties_likes){.much = much}));
    }
}

static void a_world_that_is_read_has_the_same_links(void **state)
{
    (void)state;
    enum { COUNT = 30 };
    for (uint64_t seed = 0; seed < 8; seed++) {
        dice d = {seed};
        ties_world *w = ties_open(NULL), *other = ties_open(NULL);
        ties_entity e[COUNT];
        for (uint32_t i = 0; i < COUNT; i++) e[i] = ties_spawn(w);
        link_some(w, &d, e, COUNT, 60);
        json text = json_of_world(ties_world_base(w));
        told_added = 0;
        assert_int_equal(read_world(other, text.text), WEFT_OK);
        assert_int_equal(told_added, ties_owes_count(w));
        assert_world_is(other, text.text);
        assert_int_equal(ties_debtors_count(other), ties_debtors_count(w));
        assert_int_equal(ties_friends_count(other), ties_friends_count(w));
        json_free(&text);
        ties_close(other);
        ties_close(w);
    }
}

// Entities that are away are not written, and neither are links from them or to them.
static void links_of_entities_that_are_away_are_left_out(void **state)
{
    (void)state;
    ties_world *w = ties_open(NULL), *other = ties_open(NULL);
    ties_entity a = ties_spawn(w), b = ties_spawn(w), c = ties_spawn(w);
    assert_true(ties_sees_set(w, a, b));
    assert_true(ties_sees_set(w, b, a));
    assert_true(ties_sees_set(w, c, a));
    assert_true(ties_knows_set(w, b, c));
    void *bytes = NULL;
    size_t count = 0;
    assert_int_equal(
        ties_part_save_memory(w, &b, 1, &(ties_part_options){.away = true}, &bytes, &count),
        WEFT_OK);
    assert_true(ties_away(w, b));
    assert_entity_is(w, a,
                     "{\"id\": \"0:1\", \"components\": {}, \"links\": {\"sees\": [{\"from\": "
                     "\"2:1\"}]}}");
    json text = json_of_world(ties_world_base(w));
    assert_null(strstr(text.text, "\"1:1\""));
    assert_int_equal(read_world(other, text.text), WEFT_OK);
    assert_int_equal(ties_sees_count(other), 1);
    assert_int_equal(ties_knows_count(other), 0);
    json_free(&text);
    free(bytes);
    ties_close(other);
    ties_close(w);
}

static void handles_of_links_are_translated(void **state)
{
    (void)state;
    ties_world *w = ties_open(NULL);
    const char *text =
        "{\"links\": {\"owes\": [{\"value\": {\"witness\": \"9:4\", \"gold\": 5}, \"to\": "
        "\"9:4\",\n"
        "\"from\": \"7:2\"}, {\"to\": \"7:2\", \"from\": \"9:4\"}], \"knows\": "
        "[{\"from\": \"9:4\", \"to\": \"7:2\"}]},\n"
        "\"weft\": 1, \"world\": \"ties\", \"entities\": [{\"id\": \"9:4\"}, {\"id\": \"7:2\"}]}";
    assert_int_equal(read_world(w, text), WEFT_OK);
    assert_entity_is(w, (ties_entity){65536},
                     "{\"id\": \"0:1\", \"components\": {}, \"links\": {\"owes\": [{\"to\": "
                     "\"1:1\", \"value\": {\"gold\": 5, \"mood\": \"calm\", \"note\": \"\", "
                     "\"witness\": \"1:1\", \"dues\": []}}, {\"from\": \"1:1\", \"value\": " VALUE(
                         "3") "}], \"knows\": [{\"to\": \"1:1\"}]}}");
    ties_close(w);
}

// ------------------------------------------------------------------------------------------------
// Wrong texts

#define LINKS(links)                                                                               \
    "{\"weft\": 1, \"world\": \"ties\", \"links\": {\n" links "},\n\"entities\": [{\"id\": "       \
    "\"0:1\"}, {\"id\": \"1:1\"}]}"
#define ENDS "\"from\": \"0:1\", \"to\": \"1:1\""

static const struct {
    const char *text;
    const char *words;
} wrongs[] = {
    {LINKS("\"ows\": []"), "2:1: links: there is no link 'ows', did you mean 'owes'?"},
    {LINKS("\"owes\": {}"), "2:9: links.owes: expected '['"},
    {LINKS("\"owes\": [], \"owes\": []"), "2:13: links.owes: it occurs twice"},
    {LINKS("\"owes\": [[\"0:1\", \"1:1\"]]"), "2:10: links.owes[0]: expected '{', not '['"},
    {LINKS("\"owes\": [{}]"), "2:10: links.owes[0]: a link lacks its 'from'"},
    {LINKS("\"owes\": [{\"from\": \"0:1\"}]"), "2:10: links.owes[0]: a link lacks its 'to'"},
    {LINKS("\"owes\": [{\"form\": \"0:1\"}]"),
     "2:11: links.owes[0]: there is no part 'form', did you mean 'from'?"},
    {LINKS("\"owes\": [{\"from\": null, \"to\": \"1:1\"}]"), "2:19: links.owes[0].from: expected"},
    {LINKS("\"owes\": [{\"from\": \"0:0\"}]"),
     "2:19: links.owes[0].from: '0:0' is not a handle: write index:generation"},
    {LINKS("\"owes\": [{\"from\": \"0:1\", \"to\": \"2:1\"}]"),
     "2:32: links.owes[0].to: \"2:1\" is not an entity in this text"},
    {LINKS("\"owes\": [{" ENDS "}, {\"to\": \"1:1\", \"from\": \"0:1\"}]"),
     "2:40: links.owes: the link occurs twice"},
    {LINKS("\"knows\": [{" ENDS "}, {\"from\": \"1:1\", \"to\": \"0:1\"}]"),
     "2:41: links.knows: the link occurs twice; it leads in both directions"},
    {LINKS("\"knows\": [{" ENDS ", \"value\": {}}]"),
     "2:49: links.knows[0].value: link 'knows' has no fields, so leave 'value' out"},
    {LINKS("\"owes\": [{" ENDS ", \"value\": {\"gold\": 1001}}]"),
     "2:57: links.owes[0].value.gold: is 1001, and must be at most 1000"},
    {LINKS("\"owes\": [{" ENDS ", \"value\": {\"silver\": 1}}]"),
     "links.owes[0].value: 'owes' has no field 'silver': there is gold, mood, note, witness, dues"},
    {LINKS("\"likes\": [{" ENDS ", \"value\": {\"much\": \"nan\"}}]"),
     "links.likes[0].value.much: is nan, and must be"},
    {LINKS("\"owes\": [{" ENDS ", \"value\": 3}]"), "links.owes[0].value: expected '{', not '3'"},
    {LINKS("\"owes\": [{" ENDS ", \"value\": {\"dues\": [1, 2, 3, 4]}}]"), "dues[3]"},
    {LINKS("\"owes\": [{" ENDS "}"), "2:38: links.owes: expected ',' or ']', not '}'"},
};

static void wrong_links_are_refused_with_their_place(void **state)
{
    (void)state;
    ties_world *w = ties_open(NULL);
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        assert_int_equal(read_world(w, wrongs[i].text), WEFT_BAD_VALUE);
        if (!strstr(ties_error(w), wrongs[i].words)) {
            fail_msg("'%s' lacks '%s'", ties_error(w), wrongs[i].words);
        }
        assert_int_equal(weft_entities_live(&ties_world_base(w)->entities), 0);
    }
    ties_close(w);
}

static void a_text_of_links_may_end_anywhere(void **state)
{
    (void)state;
    ties_world *w = ties_open(NULL);
    const char *whole =
        LINKS("\"owes\": [{" ENDS ", \"value\": {\"gold\": 1, \"mood\": \"angry\"}}]");
    for (size_t bytes = 0; bytes < strlen(whole); bytes++) {
        char *cut = (char *)malloc(bytes + 1);
        memcpy(cut, whole, bytes);
        assert_int_equal(weft_json_world_read(ties_world_base(w), cut, bytes), WEFT_BAD_VALUE);
        assert_int_equal(weft_entities_live(&ties_world_base(w)->entities), 0);
        free(cut);
    }
    char *other = (char *)malloc(strlen(whole));
    for (size_t at = 0; at < strlen(whole); at++) {
        memcpy(other, whole, strlen(whole));
        other[at] = other[at] == '1' ? '0' : '1';
        (void)weft_json_world_read(ties_world_base(w), other, strlen(whole));
        weft_despawn_every(ties_world_base(w));
    }
    free(other);
    ties_close(w);
}

// ------------------------------------------------------------------------------------------------
// Single entities

static void links_of_an_entity_are_added_or_written(void **state)
{
    (void)state;
    ties_world *w = ties_open(NULL);
    ties_entity a = ties_spawn(w), b = ties_spawn(w), c = ties_spawn(w);
    ties_owes value = ties_owes_defaults();
    value.mood = TIES_MOOD_ANGRY;
    assert_true(ties_owes_set(w, a, b, value));
    assert_true(ties_sees_set(w, a, c));
    told_added = 0;
    const char *text = "{\"links\": {\"owes\": [{\"value\": {\"gold\": 8}, \"to\": \"1:1\"}, "
                       "{\"from\": \"1:1\"}, {\"to\": \"0:1\", \"value\": {\"gold\": 1}}], "
                       "\"knows\": [{\"from\": \"2:1\"}]}, \"components\": {\"place\": {}}}";
    assert_int_equal(read_entity(w, a, text), WEFT_OK);
    assert_int_equal(told_added, 2);
    assert_int_equal(ties_owes_get(w, a, b)->gold, 8);
    assert_int_equal(ties_owes_get(w, a, b)->mood, TIES_MOOD_ANGRY); // was left out
    assert_int_equal(ties_owes_get(w, b, a)->gold, 3);
    assert_int_equal(ties_owes_get(w, a, a)->gold, 1);
    assert_true(ties_knows_has(w, a, c));
    assert_true(ties_sees_has(w, a, c)); // was not named
    assert_true(ties_place_has(w, a));
    assert_int_equal(ties_debtors_count(w), 2);
    assert_int_equal(ties_friends_count(w), 2);
    ties_close(w);
}

static void wrong_links_of_an_entity_change_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } lone[] = {
        {"{\"links\": {\"owes\": [{\"to\": \"1:1\"}, {\"to\": \"7:1\"}]}}",
         "1:43: owes[1].to: \"7:1\" is not alive"},
        {"{\"links\": {\"owes\": [{\"to\": \"1:1\"}, {\"to\": \"1:1\"}]}}",
         "1:36: owes: the link occurs twice"},
        {"{\"links\": {\"sees\": [{\"to\": \"1:1\"}], \"knows\": [{\"to\": \"1:1\"}, "
         "{\"from\": \"1:1\"}]}}",
         "knows: the link occurs twice; it leads in both directions"},
        {"{\"links\": {\"owes\": [{\"to\": \"1:1\", \"from\": \"0:1\"}]}}",
         "1:21: owes[0]: a link of an entity names only its other end: leave"},
        {"{\"links\": {\"owes\": [{\"value\": {}}]}}",
         "1:21: owes[0]: a link lacks its other end, 'from' or 'to'"},
        {"{\"links\": {\"owes\": [{\"to\": \"1:1\", \"value\": {\"gold\": 1001}}]}}",
         "gold: is 1001, and must be at most 1000"},
    };
    ties_world *w = ties_open(NULL);
    ties_entity a = ties_spawn(w);
    ties_spawn(w);
    json before = json_of_world(ties_world_base(w));
    told_added = told_removed = 0;
    for (size_t i = 0; i < sizeof lone / sizeof *lone; i++) {
        assert_int_equal(read_entity(w, a, lone[i].text), WEFT_BAD_VALUE);
        if (!strstr(ties_error(w), lone[i].words)) {
            fail_msg("'%s' lacks '%s'", ties_error(w), lone[i].words);
        }
        assert_world_is(w, before.text);
        assert_int_equal(ties_owes_count(w) + ties_knows_count(w) + ties_sees_count(w), 0);
    }
    assert_int_equal(told_added + told_removed, 0);
    json_free(&before);
    ties_close(w);
}

// Reads an entity with ever more memory, until it succeeds. Each failure leaves the world as it was.
static void an_entity_without_memory_is_as_it_was(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    char text[4000] = "{\"components\": {\"place\": {}}, \"links\": {\"owes\": [";
    for (uint32_t i = 0; i < COUNT; i++) {
        char one[80];
        snprintf(one, sizeof one, "%s{\"to\": \"%u:1\"}, {\"from\": \"%u:1\"}", i == 0 ? "" : ", ",
                 (unsigned)i + 1, (unsigned)i + 1);
        strcat(text, one);
    }
    strcat(text, "], \"knows\": [{\"to\": \"5:1\"}]}}");
    bool failed = false;
    for (uint32_t enough = 0;; enough++) {
        allocations_left = UINT32_MAX;
        ties_world *w = ties_open(&(weft_options){.memory = SCARCE_MEMORY});
        ties_entity a = ties_spawn(w);
        for (uint32_t i = 0; i < COUNT; i++) ties_spawn(w);
        json before = json_of_world(ties_world_base(w));
        told_added = told_removed = 0;
        allocations_left = enough;
        weft_status status = read_entity(w, a, text);
        allocations_left = UINT32_MAX;
        if (status == WEFT_OK) {
            assert_int_equal(told_added, 2 * COUNT);
            assert_int_equal(ties_owes_count(w), 2 * COUNT);
            assert_int_equal(ties_debtors_count(w), COUNT + 1);
        } else {
            failed = true;
            assert_int_equal(status, WEFT_NO_MEMORY);
            assert_int_equal(told_added + told_removed, 0);
            assert_world_is(w, before.text);
            assert_int_equal(ties_owes_count(w), 0);
        }
        json_free(&before);
        ties_close(w);
        if (status == WEFT_OK) break;
    }
    assert_true(failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_is_written_with_its_links_in_their_order),
        cmocka_unit_test(a_world_that_is_read_has_the_same_links),
        cmocka_unit_test(links_of_entities_that_are_away_are_left_out),
        cmocka_unit_test(handles_of_links_are_translated),
        cmocka_unit_test(wrong_links_are_refused_with_their_place),
        cmocka_unit_test(a_text_of_links_may_end_anywhere),
        cmocka_unit_test(links_of_an_entity_are_added_or_written),
        cmocka_unit_test(wrong_links_of_an_entity_change_nothing),
        cmocka_unit_test(an_entity_without_memory_is_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
