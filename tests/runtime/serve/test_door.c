// Who is let in and who is hung up on when a crowd of strangers connects. The clock is the test's.
//
// program: worlds
#include "serve/door.c" // no library of the tests has sockets
#include "serve/pass.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CROWD 400 // more than may wait at the same time, and fewer than the system's backlog

typedef struct hall {
    serve_door door;
    uint32_t entered;
    int crowd[CROWD];
} hall;

static void let_in(void *user, int wire)
{
    ((hall *)user)->entered++;
    close(wire);
}

static int come(const hall *at, const char *said)
{
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons((uint16_t)at->door.port)};
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int wire = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(wire >= 0);
    assert_int_equal(connect(wire, (struct sockaddr *)&there, sizeof there), 0);
    const ssize_t bytes = (ssize_t)strlen(said);
    assert_int_equal(send(wire, said, (size_t)bytes, MSG_NOSIGNAL), bytes);
    return wire;
}

static void ask(const hall *at, int wire)
{
    char head[256];
    const int bytes = snprintf(head, sizeof head,
                               "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                               "Authorization: Bearer %s\r\nContent-Length: 0\r\n\r\n",
                               at->door.port, at->door.token);
    assert_int_equal(send(wire, head, (size_t)bytes, MSG_NOSIGNAL), bytes);
}

static void begin(hall *at)
{
    *at = (hall){0};
    assert_true(serve_door_open(&at->door, 0));
    memset(at->door.token, 'a', sizeof at->door.token - 1);
}

static void end(hall *at)
{
    for (uint32_t i = 0; i < CROWD; i++) close(at->crowd[i]);
    serve_door_close(&at->door);
}

// The owner connects, a crowd arrives, and only then does the owner send its request.
static void play(const char *said, double seconds)
{
    hall at;
    begin(&at);
    const int owner = come(&at, "");
    serve_door_poll(&at.door, 10, let_in, &at);
    assert_int_equal(at.door.count, 1);
    for (uint32_t i = 0; i < CROWD; i++) at.crowd[i] = come(&at, said);
    for (int i = 1; i <= 4; i++) serve_door_poll(&at.door, 10 + seconds * i / 4, let_in, &at);
    assert_true(at.door.count >= SERVE_GUESTS_MAX - 1);
    ask(&at, owner);
    serve_door_poll(&at.door, 10 + seconds, let_in, &at);
    assert_int_equal(at.entered, 1);
    close(owner);
    end(&at);
}

static void test_a_silent_crowd(void **state)
{
    (void)state;
    play("", SERVE_GRACE_SECONDS * 0.9);
}

static void test_a_crowd_of_pieces(void **state)
{
    (void)state;
    play("POST /rpc HTT", SERVE_GUEST_SECONDS * 0.9);
}

static void test_a_crowd_that_is_refused(void **state)
{
    (void)state;
    play("POST /rpc HTTP/1.1\r\nHost: x\r\n\r\n", SERVE_GUEST_SECONDS * 0.9);
}

// A silent crowd does not keep later owners out: who has waited for the grace makes space.
static void test_who_comes_after_a_crowd(void **state)
{
    (void)state;
    hall at;
    begin(&at);
    for (uint32_t i = 0; i < CROWD; i++) at.crowd[i] = come(&at, "");
    serve_door_poll(&at.door, 10, let_in, &at);
    const int owner = come(&at, "");
    ask(&at, owner);
    serve_door_poll(&at.door, 10 + SERVE_GRACE_SECONDS * 0.9, let_in, &at);
    assert_int_equal(at.entered, 0);
    serve_door_poll(&at.door, 10 + SERVE_GRACE_SECONDS * 1.1, let_in, &at);
    assert_int_equal(at.entered, 1);
    close(owner);
    end(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_silent_crowd),
        cmocka_unit_test(test_a_crowd_of_pieces),
        cmocka_unit_test(test_a_crowd_that_is_refused),
        cmocka_unit_test(test_who_comes_after_a_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
