// Recordings of ticks: which zones they contain, in worlds that the game measures itself and in
// others; when they end and are freed; and counts of turns at the same time. The test sets the clock
// of the polls.
//
// program: worlds byte_order
#include "desk_test.h"

#include "run/profiler.h"
#include "serve/state.h"
#include "serve/timeline.h"

enum { ZONES_A_TICK = 4 }; // two phases, `ring` and `hear`; `begin` and `finish` have no turns

typedef struct scene {
    desk_world *world;
    serve_state state;
    serve_text answer;
    unsigned begins; // of zones that the game's own profile was notified of
    unsigned ends;
} scene;

static void game_begins(void *user, const weft_zone *zone)
{
    (void)zone;
    ((scene *)user)->begins++;
}

static void game_ends(void *user, const weft_zone *zone)
{
    (void)zone;
    ((scene *)user)->ends++;
}

static weft_status tick_once(void *user)
{
    return desk_tick((desk_world *)user, 1.0);
}

static scene *open_with(void **state, bool profiled)
{
    static scene s;
    memset(&s, 0, sizeof s);
    weft_options options = {.seed = 1};
    if (profiled) options.profile = (weft_profile){game_begins, game_ends, &s, false};
    s.world = desk_open(&options);
    assert_non_null(s.world);
    const weft_serve_options serving = {.writable = true, .tick = tick_once, .user = s.world};
    serve_state_open(&s.state, desk_world_base(s.world), &serving);
    *state = &s;
    return &s;
}

static int open_scene(void **state)
{
    open_with(state, false);
    return 0;
}

static int open_profiled(void **state)
{
    open_with(state, true);
    return 0;
}

static int close_scene(void **state)
{
    scene *s = *state;
    serve_free(&s->answer);
    serve_state_close(&s->state);
    assert_null(s->state.recording);
    desk_close(s->world);
    return 0;
}

static const char *asked(scene *s, const char *method, const char *params)
{
    return call_state(&s->state, &s->answer, method, params);
}

static void tick(scene *s, int count)
{
    for (int i = 0; i < count; i++) assert_int_equal(desk_tick(s->world, 1.0), WEFT_OK);
}

// Asserts that a recording has ended with this number of ticks, each with all its zones.
static void assert_recorded(scene *s, unsigned ticks)
{
    char head[128];
    const char *answer = asked(s, "timeline", "{}");
    snprintf(head, sizeof head, "\"ticks\":%u,\"done\":%u,\"left_off\":0", ticks, ticks);
    if (!strstr(answer, head) || !strstr(answer, "\"recording\":false")) {
        fail_msg("not %u ticks: %.300s", ticks, answer);
    }
    const size_t begins = count_of(answer, "[1,");
    assert_int_equal(begins, (size_t)ZONES_A_TICK * ticks);
    assert_int_equal(count_of(answer, "[0,"), begins);
    for (unsigned i = 0; i < 2 * ticks; i++) {
        snprintf(head, sizeof head, "[1,0,%u,0,0,%u,", i % 2, i / 2); // both phases of the tick
        assert_int_equal(count_of(answer, head), 1);
    }
}

// More ticks than requested may run between two polls.
static void test_requested_ticks_are_recorded(void **state)
{
    scene *s = *state;
    tick(s, 3);
    assert_non_null(strstr(asked(s, "timeline", "{}"), "\"result\":null"));
    assert_null(desk_world_base(s->world)->profiler);
    for (unsigned ticks = 1; ticks <= SERVE_RECORDED_TICKS_MAX; ticks += 19) {
        char params[32];
        snprintf(params, sizeof params, "{\"ticks\": %u}", ticks);
        assert_done(asked(s, "record", params));
        const char *answer = asked(s, "timeline", "{}");
        assert_non_null(strstr(answer, "\"recording\":true"));
        assert_non_null(strstr(answer, "\"boundaries\":[]"));
        tick(s, (int)ticks + 4);
        assert_recorded(s, ticks);
        assert_null(desk_world_base(s->world)->observers.sampler);
    }
    tick(s, 1);
    assert_null(desk_world_base(s->world)->profiler);
    assert_refused(asked(s, "record", "{\"ticks\": 0}"), SERVE_INVALID_PARAMS, "ticks");
    assert_refused(asked(s, "record", "{\"ticks\": 21}"), SERVE_INVALID_PARAMS, "ticks");
}

// The game's own profile is notified of each zone, before, during and after a recording.
static void test_the_profile_of_the_game_goes_on(void **state)
{
    scene *s = *state;
    tick(s, 1);
    assert_done(asked(s, "record", "{\"ticks\": 2}"));
    tick(s, 2);
    assert_recorded(s, 2);
    tick(s, 1);
    assert_int_equal(s->begins, 4 * ZONES_A_TICK);
    assert_int_equal(s->ends, s->begins);
    assert_recorded(s, 2);
    assert_int_equal(weft_world_system_stats(desk_world_base(s->world), 0).turns, 4);
}

// The steps of a page are recorded as the ticks of the game are.
static void test_steps_are_recorded(void **state)
{
    scene *s = *state;
    assert_done(asked(s, "record", "{\"ticks\": 3}"));
    assert_done(asked(s, "step", "{\"ticks\": 3}"));
    assert_recorded(s, 3);
}

// The counts of `systems` go on after a recording, and a recording goes on after the counts end.
static void test_counts_and_recordings_are_apart(void **state)
{
    scene *s = *state;
    const weft_world *world = desk_world_base(s->world);
    assert_done(asked(s, "systems", "{\"count\": true}"));
    assert_done(asked(s, "record", "{\"ticks\": 2}"));
    tick(s, 2);
    assert_recorded(s, 2);
    assert_non_null(world->observers.sampler);
    assert_done(asked(s, "record", "{\"ticks\": 2}"));
    tick(s, 1);
    serve_turns_poll(&s->state, serve_now() + 2 * SERVE_COUNT_SECONDS);
    assert_true(s->state.counted == 0);
    tick(s, 1);
    assert_recorded(s, 2);
    assert_null(world->observers.sampler);
}

// Begins and ends for which there is no space are counted, and the others are listed.
static void test_a_full_recording_counts_the_rest(void **state)
{
    scene *s = *state;
    assert_done(asked(s, "record", "{}"));
    const weft_profile *recorder = desk_world_base(s->world)->observers.sampler->second;
    const weft_zone zone = {.kind = WEFT_ZONE_APPLY};
    for (unsigned i = 0; i < SERVE_RECORDED_MAX - 3; i++) recorder->begin(recorder->user, &zone);
    tick(s, 1);
    const char *answer = asked(s, "timeline", "{}");
    assert_non_null(strstr(answer, "\"left_off\":5,"));
    unsigned listed = 0; // boundaries, of which each is an array
    for (const char *at = strstr(answer, "\"boundaries\":[") + 14; *at; at++) listed += *at == '[';
    assert_int_equal(listed, SERVE_RECORDED_MAX);
}

// A load of an earlier tick ends a recording, which keeps what it has.
static void test_a_load_ends_a_recording(void **state)
{
    scene *s = *state;
    void *save = NULL;
    size_t bytes = 0;
    assert_int_equal(desk_save_memory(s->world, &save, &bytes), WEFT_OK);
    tick(s, 1);
    assert_done(asked(s, "record", "{\"ticks\": 9}"));
    tick(s, 2);
    assert_non_null(strstr(asked(s, "timeline", "{}"), "\"done\":2"));
    assert_int_equal(desk_load_memory(s->world, save, bytes), WEFT_OK);
    tick(s, 1);
    const char *answer = asked(s, "timeline", "{}");
    assert_non_null(
        strstr(answer, "\"recording\":false,\"number\":1,\"first\":1,\"ticks\":9,\"done\":2"));
    assert_int_equal(count_of(answer, "[1,"), 2 * ZONES_A_TICK + 1); // the load begins in tick 3
    assert_int_equal(count_of(answer, "[1,5,0,0,0,2,"), 1);
    assert_null(desk_world_base(s->world)->observers.sampler);
    free(save);
}

// A recording that no page asks for is freed, whether it has its ticks or not.
static void test_a_forgotten_recording_is_freed(void **state)
{
    scene *s = *state;
    for (int ticks = 0; ticks < 4; ticks += 3) {
        assert_done(asked(s, "record", "{\"ticks\": 2}"));
        tick(s, ticks);
        serve_state_poll(&s->state, serve_now());
        assert_non_null(s->state.recording);
        serve_state_poll(&s->state, serve_now() + SERVE_RECORDED_SECONDS);
        assert_null(s->state.recording);
        assert_null(desk_world_base(s->world)->observers.sampler);
        tick(s, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_requested_ticks_are_recorded, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(test_the_profile_of_the_game_goes_on, open_profiled,
                                        close_scene),
        cmocka_unit_test_setup_teardown(test_steps_are_recorded, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(test_counts_and_recordings_are_apart, open_scene,
                                        close_scene),
        cmocka_unit_test_setup_teardown(test_a_full_recording_counts_the_rest, open_scene,
                                        close_scene),
        cmocka_unit_test_setup_teardown(test_a_load_ends_a_recording, open_scene, close_scene),
        cmocka_unit_test_setup_teardown(test_a_forgotten_recording_is_freed, open_scene,
                                        close_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
