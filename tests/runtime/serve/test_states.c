// States by name: setting `next` requests a value like <world>_<state>_go, and no other part of a
// state can be set by any call that sets values by name. A state in JSON has begun.
//
// program: worlds byte_order
#include "desk_test.h"
#include "weft_json.h"
#include "weft_reflect.h"

static void tick(desk *d)
{
    assert_int_equal(desk_tick(d->world, 1.0), WEFT_OK);
}

static void assert_equal_worlds(desk *one, desk *other)
{
    assert_true(desk_hash_exact(one->world) == desk_hash_exact(other->world));
}

// Goes through all values in turn by two ways, with entities that live in one of them.
static void next_is_what_the_call_asks_for(void **state)
{
    static const char *const names[] = {"play", "over", "menu", "play", "play", "menu"};
    static const desk_game values[] = {DESK_GAME_PLAY, DESK_GAME_OVER, DESK_GAME_MENU,
                                       DESK_GAME_PLAY, DESK_GAME_PLAY, DESK_GAME_MENU};
    (void)state;
    desk by_call = open_desk(), by_name = open_desk(), by_text = open_desk();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char params[128];
        snprintf(params, sizeof params, "{\"path\": \"game.next\", \"value\": \"%s\"}", names[i]);
        assert_true(desk_game_go(by_call.world, values[i]));
        assert_done(call(&by_name, "set", params));
        assert_int_equal(weft_field_set_number(desk_world_base(by_text.world), 0, "game.next",
                                               (double)values[i]),
                         WEFT_OK);
        for (int k = 0; k < 2; k++) {
            assert_equal_worlds(&by_call, &by_name);
            assert_equal_worlds(&by_call, &by_text);
            tick(&by_call), tick(&by_name), tick(&by_text);
        }
        assert_int_equal(desk_game_now(by_name.world), values[i]);
    }
    close_desk(&by_call), close_desk(&by_name), close_desk(&by_text);
}

static void all_else_of_a_state_is_refused(void **state)
{
    static const char *const paths[] = {"game.now", "game.again", "game.begin_due",
                                        "game.finish_due"};
    static const char *const values[] = {"\"play\"", "1",    "0",  "\"menu\"", "true",
                                         "false",    "null", "77", "\"\""};
    (void)state;
    desk d = open_desk();
    weft_world *base = desk_world_base(d.world);
    const uint64_t before = desk_hash_exact(d.world);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const uint8_t value = 1;
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            char params[128];
            snprintf(params, sizeof params, "{\"path\": \"%s\", \"value\": %s}", paths[i],
                     values[k]);
            const char *answer = call(&d, "set", params);
            if (!strstr(answer, "\"error\":")) fail_msg("%s: %s", params, answer);
        }
        assert_int_equal(weft_field_set_number(base, 0, paths[i], 1), WEFT_REFUSED);
        assert_int_equal(weft_field_set(base, 0, paths[i], WEFT_TYPE_U8, &value, 1), WEFT_REFUSED);
        assert_int_equal(weft_field_set(base, 0, paths[i], WEFT_TYPE_CHAR, "play", 5),
                         WEFT_REFUSED);
        assert_non_null(strstr(desk_error(d.world), "set 'game.next'"));
    }
    assert_true(desk_hash_exact(d.world) == before);
    close_desk(&d);
}

static weft_status read_states(desk *d, const char *game)
{
    char text[256];
    const int bytes =
        snprintf(text, sizeof text,
                 "{\"weft\": 1, \"world\": \"desk\", \"singletons\": {\"game\": {%s}}}", game);
    return weft_json_world_read(desk_world_base(d->world), text, (size_t)bytes);
}

// A text that names the value alone is of a state that has had it for long: nothing else is asked
// for, and no turn is due.
static void a_state_in_a_text_is_whole(void **state)
{
    static const char *const texts[] = {
        "\"now\": \"play\"",
        "\"next\": \"play\", \"now\": \"play\"",
        "\"begin_due\": false, \"now\": \"play\", \"finish_due\": false",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        desk d = open_desk();
        assert_int_equal(read_states(&d, texts[i]), WEFT_OK);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(desk_game_now(d.world), DESK_GAME_PLAY);
            tick(&d);
        }
        assert_int_equal(desk_stats(d.world).entities, 0); // `begin` spawns
        close_desk(&d);
    }
}

static void what_a_text_says_of_turns_counts(void **state)
{
    (void)state;
    desk d = open_desk();
    assert_int_equal(read_states(&d, "\"begin_due\": true, \"now\": \"play\""), WEFT_OK);
    tick(&d);
    assert_int_equal(desk_stats(d.world).entities, 1);
    desk other = open_desk();
    assert_int_equal(read_states(&other, "\"next\": \"play\""), WEFT_OK);
    desk third = open_desk();
    assert_true(desk_game_go(third.world, DESK_GAME_PLAY));
    assert_equal_worlds(&other, &third);
    assert_int_equal(read_states(&third, "\"now\": \"plays\""), WEFT_BAD_VALUE);
    assert_equal_worlds(&other, &third);
    close_desk(&d), close_desk(&other), close_desk(&third);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(next_is_what_the_call_asks_for),
        cmocka_unit_test(all_else_of_a_state_is_refused),
        cmocka_unit_test(a_state_in_a_text_is_whole),
        cmocka_unit_test(what_a_text_says_of_turns_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
