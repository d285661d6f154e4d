// Answers have at most WEFT_SERVE_ANSWER_MAX bytes, exactly, alone and in batches.
//
// program: worlds
#include "desk_test.h"

enum { BRICKS = 60000 };

#define WALL                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"singleton\",\"params\":{\"name\":\"wall\"}}"

static void build(desk *d, size_t whole, size_t letters)
{
    desk_wall *wall = desk_wall_edit(d->world);
    desk_brick *const rows[] = {wall->low, wall->high, wall->top};
    for (size_t i = 0; i < 3u * BRICKS; i++) {
        rows[i / BRICKS][i % BRICKS] =
            i < whole ? DESK_BRICK_A_WHOLE_BRICK_THAT_TAKES_A_LOT_OF_SPACE_IN_THE_TEXT_OF_A_WALL
                      : DESK_BRICK_HALF;
    }
    memset(wall->text, 0, sizeof wall->text);
    memset(wall->text, 'x', letters);
}

// Builds a wall whose answer, in a batch or alone, has so many bytes.
static void build_answer(desk *d, const char *request, size_t bytes)
{
    build(d, 0, 0);
    const size_t least = strlen(ask(d, request));
    build(d, 1, 0);
    const size_t step = strlen(ask(d, request)) - least;
    const size_t whole = (bytes - least) / step;
    assert_true(whole <= 3u * BRICKS);
    build(d, whole, (bytes - least) % step);
}

static void a_single_answer_is_as_long_as_the_limit_at_most(void **state)
{
    (void)state;
    desk d = open_desk();
    for (size_t over = 0; over < 5; over++) {
        const size_t bytes = WEFT_SERVE_ANSWER_MAX - 2 + over;
        build_answer(&d, WALL, bytes);
        const char *answer = ask(&d, WALL);
        if (bytes <= WEFT_SERVE_ANSWER_MAX) {
            assert_done(answer);
            assert_int_equal(strlen(answer), bytes);
        } else {
            assert_refused(answer, -32002, "longer than 8388608 bytes");
        }
    }
    close_desk(&d);
}

static void the_last_answer_of_a_batch_may_fill_it(void **state)
{
    (void)state;
    desk d = open_desk();
    for (size_t over = 0; over < 5; over++) {
        const size_t bytes = WEFT_SERVE_ANSWER_MAX - 2 + over;
        build_answer(&d, "[" WALL "]", bytes);
        const char *answer = ask(&d, "[" WALL "]");
        assert_true(strlen(answer) <= WEFT_SERVE_ANSWER_MAX);
        assert_int_equal(count_of(answer, "\"error\":"), bytes > WEFT_SERVE_ANSWER_MAX);
    }
    close_desk(&d);
}

// A batch of some calls that read the wall, and then some that spawn: each has an answer, those
// that write are done and say so, and all of it is short enough.
static void batches_are_answered_within_the_limit(void **state)
{
    (void)state;
    desk d = open_desk();
    build(&d, 20000, 0);
    for (int walls = 0; walls <= 64; walls += walls < 5 ? 1 : 20) {
        static char batch[16384];
        size_t used = (size_t)snprintf(batch, sizeof batch, "[");
        for (int i = 0; i < 64; i++) {
            const char *one = i < walls
                                  ? WALL
                                  : "{\"jsonrpc\":\"2.0\",\"id\":\"" //
                                    "\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\","
                                    "\"method\":\"spawn\"}";
            used +=
                (size_t)snprintf(batch + used, sizeof batch - used, "%s%s", i == 0 ? "" : ",", one);
        }
        snprintf(batch + used, sizeof batch - used, "]");
        const uint64_t before = desk_stats(d.world).entities;
        const char *answer = ask(&d, batch);
        assert_true(strlen(answer) <= WEFT_SERVE_ANSWER_MAX);
        const size_t refused = count_of(answer, "\"error\":{\"code\":-32002");
        const size_t done = count_of(answer, "\"result\":");
        assert_int_equal(refused + done, 64);
        assert_int_equal(desk_stats(d.world).entities, before + (uint64_t)(64 - walls));
        assert_true(done >= (size_t)(64 - walls));
        assert_true((refused != 0) == (walls > 3));
    }
    close_desk(&d);
}

// A singleton whose JSON is longer than an answer is compared as all others are.
static void what_fits_into_no_answer_is_compared(void **state)
{
    (void)state;
    desk d = open_desk();
    build(&d, 3u * BRICKS, 0);
    const desk_entity e = desk_clerk_spawn(d.world, NULL);
    assert_done(call(&d, "remember", "{}"));
    const char *answer = call(&d, "changes", "{}");
    assert_non_null(strstr(answer, "\"changed\":[],\"changed_count\":0,"));
    desk_wall_edit(d.world)->low[7] = DESK_BRICK_HALF;
    desk_person_edit(d.world, e)->age = 31;
    answer = call(&d, "changes", "{}");
    assert_non_null(strstr(answer, "\"changed\":[{\"name\":\"wall\"},"
                                   "{\"name\":\"0:1\",\"was\":{"));
    assert_non_null(strstr(answer, "\"changed_count\":2,"));
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_answer_is_as_long_as_the_limit_at_most),
        cmocka_unit_test(the_last_answer_of_a_batch_may_fill_it),
        cmocka_unit_test(batches_are_answered_within_the_limit),
        cmocka_unit_test(what_fits_into_no_answer_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
