// Series: values after each tick, of singletons, entities and aggregates, compared with a model that
// reads the world; when sampling begins and ends; jumps; and texts that are refused. The test sets
// the clock of the polls.
//
// program: worlds byte_order
#include "desk_test.h"

#include "serve/answer.h"
#include "serve/state.h"

#include <math.h>

enum { CLERKS = 150, TICKS = 60, SERIES_MAX = 16, POINTS_MAX = 4096 };

typedef struct scene {
    desk_world *world;
    serve_state state;
    serve_text answer;
    desk_entity clerks[CLERKS];
} scene;

static weft_status tick_once(void *user)
{
    return desk_tick((desk_world *)user, 1.0);
}

static int open_scene(void **state)
{
    static scene s;
    memset(&s, 0, sizeof s);
    s.world = desk_open(NULL);
    assert_non_null(s.world);
    const weft_serve_options options = {.writable = true, .tick = tick_once, .user = s.world};
    serve_state_open(&s.state, desk_world_base(s.world), &options);
    serve_state_poll(&s.state, serve_now());
    for (uint32_t i = 0; i < CLERKS; i++) s.clerks[i] = desk_clerk_spawn(s.world, NULL);
    *state = &s;
    return 0;
}

static int close_scene(void **state)
{
    scene *s = *state;
    serve_free(&s->answer);
    serve_state_close(&s->state);
    desk_close(s->world);
    return 0;
}

#define SERIES_TEST(function) cmocka_unit_test_setup_teardown(function, open_scene, close_scene)

// Calls `series`, and returns the answer.
static const char *series(scene *s, const char *of, unsigned since)
{
    char params[400];
    const int bytes = snprintf(params, sizeof params, "{\"of\": \"%s\", \"since\": %u}", of, since);
    assert_true(bytes > 0 && (size_t)bytes < sizeof params);
    return call_state(&s->state, &s->answer, "series", params);
}

static unsigned member(const char *answer, const char *name)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", name);
    const char *at = strstr(answer, quoted);
    if (!at) fail_msg("no '%s': %.300s", name, answer);
    return (unsigned)strtoul(at + strlen(quoted), NULL, 10);
}

// Reads the points of an answer. A value that is null becomes NAN. Returns how many there are.
static uint32_t points_of(const char *answer, double (*points)[2])
{
    uint32_t count = 0;
    const char *at = strstr(answer, "\"points\":[");
    if (!at) fail_msg("refused: %.300s", answer);
    for (at += strlen("\"points\":["); *at == '[' || *at == ',';) {
        char *end;
        if (*at == ',') at++;
        points[count][0] = strtod(at + 1, &end);
        bool none = strncmp(end + 1, "null", 4) == 0;
        points[count++][1] = none ? NAN : strtod(end + 1, &end);
        at = strchr(none ? end + 1 : end, ']') + 1;
    }
    return count;
}

// Lets a tick pass, and then a poll as the game makes it. Aggregates may rest by the real clock, so
// the clock of the test is far ahead of it.
static void pass_tick(scene *s)
{
    desk_tick(s->world, 1.0);
    serve_state_poll(&s->state, serve_now() + 5);
}

static int32_t age_of(uint32_t tick, uint32_t clerk)
{
    return (int32_t)((tick * 7919 + clerk * 104729) % 1000);
}

static void set_ages(scene *s, uint32_t tick)
{
    for (uint32_t i = 0; i < CLERKS; i++) {
        desk_person *person = desk_person_edit(s->world, s->clerks[i]);
        if (person) person->age = age_of(tick, i) % 200;
    }
}

typedef struct model {
    double count, sum, least, greatest, mean;
} model;

// Reads all clerks; with `least`, only those of this age or more.
static model model_of(const scene *s, int least)
{
    model m = {.least = INFINITY, .greatest = -INFINITY};
    for (uint32_t i = 0; i < CLERKS; i++) {
        const desk_person *person = desk_person_get(s->world, s->clerks[i]);
        if (!person || person->age < least) continue;
        const double age = (double)person->age;
        m.count++;
        m.sum += age;
        if (age < m.least) m.least = age;
        if (age > m.greatest) m.greatest = age;
    }
    m.mean = m.count == 0 ? NAN : m.sum / m.count;
    if (m.count == 0) m.least = m.greatest = NAN;
    return m;
}

static void each_tick_has_its_value(void **state)
{
    scene *s = *state;
    static const char *const texts[] = {
        "person.age of 5:1",
        "clock.ticks",
        "count of person",
        "count of person & person.age >= 90",
        "sum of person.age",
        "sum of person.age where person.age >= 90",
        "least of person.age",
        "greatest of person.age where person.age >= 90",
        "mean of person.age where person.age >= 90",
        "mean of person.age where person.age >= 255",
    };
    enum { TEXTS = sizeof texts / sizeof *texts };
    static double expected[TEXTS][TICKS + 1];
    static double points[POINTS_MAX][2];
    for (uint32_t t = 0; t <= TICKS; t++) {
        set_ages(s, t);
        const uint32_t i = t * 37 % CLERKS;
        if (t == 30)
            desk_despawn(s->world, desk_entity_of((uint64_t)1 << desk_schema()->index_bits | 5));
        if (t % 9 == 8) desk_despawn(s->world, s->clerks[i]);
        if (t % 5 == 4)
            desk_note_set(s->world, s->clerks[i], desk_note_defaults()); // another table
        if (t != 0) pass_tick(s);
        for (uint32_t k = 0; k < TEXTS; k++) { // a poll that is short of time leaves some for later
            while (member(series(s, texts[k], 0), "next") != t + 1) {
                serve_state_poll(&s->state, serve_now() + 5);
            }
        }
        const desk_entity five = desk_entity_of((uint64_t)1 << desk_schema()->index_bits | 5);
        const desk_person *one = desk_person_get(s->world, five);
        const model all = model_of(s, 0), old = model_of(s, 90);
        const double now[TEXTS] = {one ? (double)one->age : NAN,
                                   (double)desk_clock_get(s->world)->ticks,
                                   all.count,
                                   old.count,
                                   all.sum,
                                   old.sum,
                                   all.least,
                                   old.greatest,
                                   old.mean,
                                   NAN};
        for (uint32_t k = 0; k < TEXTS; k++) expected[k][t] = now[k];
    }
    for (uint32_t k = 0; k < TEXTS; k++) {
        const uint32_t count = points_of(series(s, texts[k], 0), points);
        if (count != TICKS + 1)
            fail_msg("%s: %u points, the second of tick %g", texts[k], count, points[1][0]);
        for (uint32_t t = 0; t < count; t++) {
            assert_true(points[t][0] == t);
            bool same = isnan(expected[k][t]) ? isnan(points[t][1])
                                              : fabs(points[t][1] - expected[k][t]) < 1e-9;
            if (!same)
                fail_msg("%s, tick %u: %g, not %g", texts[k], t, points[t][1], expected[k][t]);
        }
    }
}

static void only_newer_points_are_sent(void **state)
{
    scene *s = *state;
    static double points[POINTS_MAX][2];
    series(s, "clock.ticks", 0);
    for (int i = 0; i < 10; i++) pass_tick(s);
    const unsigned next = member(series(s, "clock.ticks", 0), "next");
    assert_int_equal(next, 11);
    assert_int_equal(points_of(series(s, "clock.ticks", next), points), 0);
    for (int i = 0; i < 3; i++) pass_tick(s);
    assert_int_equal(points_of(series(s, "clock.ticks", next), points), 3);
    assert_true(points[0][0] == 11 && points[2][0] == 13);
    assert_int_equal(points_of(series(s, "clock.ticks", 99999), points), 14); // of an older game
    for (int i = 0; i < POINTS_MAX; i++) pass_tick(s);
    assert_int_equal(points_of(series(s, "clock.ticks", next), points), POINTS_MAX);
    assert_true(points[POINTS_MAX - 1][0] == POINTS_MAX + 13);
    assert_int_equal(member(series(s, "clock.ticks", 0), "first"), 14);
}

// A step within one request samples each of its ticks.
static void a_step_samples_each_tick(void **state)
{
    scene *s = *state;
    static double points[POINTS_MAX][2];
    static const char request[] = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"step\", "
                                  "\"params\": {\"ticks\": 5}}";
    series(s, "clock.ticks", 0);
    uint64_t done = 0;
    while (done < 20) { // on a slow machine a step ends early
        serve_free(&s->answer);
        s->answer.limit = WEFT_SERVE_ANSWER_MAX;
        serve_answer(&s->state, request, sizeof request - 1, &s->answer);
        done = desk_stats(s->world).ticks;
    }
    assert_int_equal(points_of(series(s, "clock.ticks", 0), points), done + 1);
}

static void nothing_is_sampled_when_no_page_asks(void **state)
{
    scene *s = *state;
    assert_int_equal(s->state.series_count, 0);
    series(s, "clock.ticks", 0);
    series(s, "count of person", 0);
    assert_int_equal(s->state.series_count, 2);
    const uint64_t bytes = desk_world_base(s->world)->heap.bytes;
    serve_state_poll(&s->state, serve_now() + 9);
    assert_int_equal(s->state.series_count, 2);
    serve_state_poll(&s->state, serve_now() + 11);
    assert_int_equal(s->state.series_count, 0);
    assert_true(desk_world_base(s->world)->heap.bytes < bytes); // the expression is gone
    assert_int_equal(member(series(s, "clock.ticks", 0), "next"), 1);
}

static void a_load_begins_a_series_anew(void **state)
{
    scene *s = *state;
    static double points[POINTS_MAX][2];
    for (int i = 0; i < 5; i++) desk_tick(s->world, 1.0);
    series(s, "clock.ticks", 0);
    void *save = NULL;
    size_t bytes = 0;
    assert_int_equal(desk_save_memory(s->world, &save, &bytes), WEFT_OK);
    for (int i = 0; i < 5; i++) pass_tick(s);
    assert_int_equal(desk_load_memory(s->world, save, bytes), WEFT_OK);
    pass_tick(s);
    assert_int_equal(points_of(series(s, "clock.ticks", 0), points), 1);
    assert_true(points[0][0] == 6 && points[0][1] == 6);
    free(save);
}

// A change is a jump if it is large beside those before it, and only once these are known.
static void jumps_are_large_changes(void **state)
{
    scene *s = *state;
    const char *of = "person.age of 1:1";
    const desk_entity one = desk_entity_of((uint64_t)1 << desk_schema()->index_bits | 1);
    static const uint8_t ages[] = {1,   90,  91, 92, 93, 94, 95, 96, 97, 98, 99,
                                   100, 103, 50, 51, 52, 52, 52, 52, 52, 52, 52,
                                   52,  52,  52, 52, 52, 52, 52, 52, 52, 52};
    desk_person_edit(s->world, one)->age = 0;
    series(s, of, 0);
    for (uint32_t i = 0; i < sizeof ages; i++) {
        desk_person_edit(s->world, one)->age = ages[i];
        pass_tick(s);
    }
    const char *answer = series(s, of, 0);
    assert_int_equal(count_of(answer, "\"writer\""), 1);
    assert_non_null(strstr(answer, "{\"number\":14,\"from\":13,\"to\":14,\"change\":-53,"
                                   "\"writer\":null,\"commands\":false,\"by_writer\":null}"));
    assert_null(strstr(series(s, of, 15), "\"writer\""));
}

static void wrong_texts_are_refused(void **state)
{
    scene *s = *state;
    char of[64];
    static const struct {
        const char *of, *words;
    } wrong[] = {
        {"", "a component, singleton or relation should be here"},
        {"person.age", "'person.age' is of an entity: add ' of ' and its index:generation"},
        {"person.age of 1", "is of an entity: add ' of ' and its index:generation"},
        {"clock.ticks of 1:1", "'clock.ticks' is of a singleton, which has no handle"},
        {"person of 1:1", "'person' is not a number"},
        {"person.name of 1:1", "'person.name' is not a number"},
        {"person.agge of 1:1", "did you mean 'age'"},
        {"count of persn", "did you mean 'person'"},
        {"count of ", "column 1: the text ends where a name"},
        {"sum of person", "'person' is not a number"},
        {"mean of person.name", "'person.name' is not a number"},
        {"sum of clock.ticks", "'of': there is no component 'clock'"},
        {"sum of person.agge", "'of': column 8: 'person' has no field 'agge'"},
        {"sum of person.age where persn", "did you mean 'person'"},
        {"least of person.age when person", "'of': column 11: the path should end here"},
    };
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *answer = series(s, wrong[i].of, 0);
        if (!strstr(answer, "\"error\"") || !strstr(answer, wrong[i].words)) {
            fail_msg("%s: %s", wrong[i].of, answer);
        }
        assert_int_equal(s->state.series_count, 0);
    }
    for (uint32_t i = 0; i < SERIES_MAX; i++) {
        snprintf(of, sizeof of, "person.age of %u:1", i);
        assert_null(strstr(series(s, of, 0), "\"error\""));
    }
    assert_non_null(strstr(series(s, "clock.ticks", 0), "there are already 16 charts"));
    assert_null(strstr(series(s, "person.age of 3:1", 0), "\"error\"")); // it is one of them
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIES_TEST(each_tick_has_its_value),     SERIES_TEST(only_newer_points_are_sent),
        SERIES_TEST(a_step_samples_each_tick),    SERIES_TEST(nothing_is_sampled_when_no_page_asks),
        SERIES_TEST(a_load_begins_a_series_anew), SERIES_TEST(jumps_are_large_changes),
        SERIES_TEST(wrong_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
