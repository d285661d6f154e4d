// Connections stay open after their answer until the client closes them, for a limited time, and a
// limited number of them. The test sets the clock.
//
// program: worlds
#include "serve/linger.c" // first; no library of the tests has sockets

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

// Adds one end of a connection, which the server closes at once. Returns the client's end.
static int add(serve_linger *linger, double now)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    serve_linger_add(linger, ends[0], now);
    close(ends[0]);
    return ends[1];
}

// Returns whether the server's end is open: only then can the client still send.
static bool is_open(int client)
{
    return send(client, "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

static void test_later_bytes_are_dropped_until_the_client_closes(void **state)
{
    serve_linger linger = {0};
    char end;
    (void)state;
    const int client = add(&linger, 10);
    assert_int_equal(recv(client, &end, 1, MSG_DONTWAIT), 0); // the answer has ended
    for (int i = 0; i < 1000; i++) {
        char more[4096] = {0};
        assert_int_equal(send(client, more, sizeof more, MSG_NOSIGNAL | MSG_DONTWAIT), sizeof more);
        serve_linger_poll(&linger, 10);
    }
    assert_int_equal(linger.count, 1);
    close(client);
    serve_linger_poll(&linger, 10);
    assert_int_equal(linger.count, 0);
}

static void test_nobody_lingers_for_ever(void **state)
{
    serve_linger linger = {0};
    (void)state;
    const int early = add(&linger, 10);
    const int late = add(&linger, 11);
    serve_linger_poll(&linger, 10 + SERVE_LINGER_SECONDS * 0.99);
    assert_true(is_open(early));
    serve_linger_poll(&linger, 10 + SERVE_LINGER_SECONDS);
    assert_false(is_open(early));
    assert_true(is_open(late));
    assert_int_equal(linger.count, 1);
    serve_linger_close(&linger);
    assert_false(is_open(late));
    close(early);
    close(late);
}

static void test_the_oldest_makes_space(void **state)
{
    int clients[SERVE_LINGER_MAX + 2];
    // On the heap, so that sanitizers see writes after its end.
    serve_linger *linger = (serve_linger *)calloc(1, sizeof *linger);
    (void)state;
    assert_non_null(linger);
    for (uint32_t i = 0; i < SERVE_LINGER_MAX + 2; i++) clients[i] = add(linger, 10);
    assert_int_equal(linger->count, SERVE_LINGER_MAX);
    for (uint32_t i = 0; i < SERVE_LINGER_MAX + 2; i++) {
        assert_int_equal(is_open(clients[i]), i >= 2);
        close(clients[i]);
    }
    serve_linger_close(linger);
    free(linger);
}

// A client that always has more bytes to read does not hold up the game.
static void test_a_poll_reads_a_limited_number_of_bytes(void **state)
{
    serve_linger linger = {0};
    static char more[2 * DRAIN_TIMES * 4096];
    int bytes = sizeof more * 2;
    int ends[2];
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes), 0);
    assert_int_equal(send(ends[1], more, sizeof more, MSG_NOSIGNAL), sizeof more);
    serve_linger_add(&linger, ends[0], 10);
    serve_linger_poll(&linger, 10);
    assert_int_equal(recv(ends[0], more, sizeof more, MSG_DONTWAIT), sizeof more / 2);
    serve_linger_close(&linger);
    close(ends[0]);
    close(ends[1]);
}

// If the process may open no more files, the connection is closed as it would be without lingering.
static void test_a_wire_that_cannot_be_copied(void **state)
{
    serve_linger linger = {0};
    (void)state;
    serve_linger_add(&linger, -1, 10);
    assert_int_equal(linger.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_later_bytes_are_dropped_until_the_client_closes),
        cmocka_unit_test(test_nobody_lingers_for_ever),
        cmocka_unit_test(test_the_oldest_makes_space),
        cmocka_unit_test(test_a_poll_reads_a_limited_number_of_bytes),
        cmocka_unit_test(test_a_wire_that_cannot_be_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
