// Which connections are accepted and which are closed when a crowd of strangers connects. The test
// sets the clock.
//
// program: worlds
#include "serve/door.c" // first; no library of the tests has sockets
#include "serve/linger.c"
#include "serve/pass.c"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CROWD 400 // more than may wait at the same time, and fewer than the system's backlog

typedef struct hall {
    uint32_t entered;
    int crowd[CROWD];
    serve_door door; // last, so that sanitizers see who reads beyond its guests
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
    for (uint32_t i = 0; i < CROWD; i++) {
        if (at->crowd[i] > 0) close(at->crowd[i]);
    }
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

// ------------------------------------------------------------------------------------------------
// One after the other

enum { PART_A = 5, PART_B = 9, REFUSED = 20 };

// One more comes to a full door: the guest that had this wire is out, and the others have moved up.
static void takes_the_place_of(hall *at, int *wires, uint32_t out, double now)
{
    const int one = come(at, "");
    for (uint32_t i = out; i + 1 < SERVE_GUESTS_MAX; i++) wires[i] = wires[i + 1];
    serve_door_poll(&at->door, now, let_in, at);
    assert_int_equal(at->door.count, SERVE_GUESTS_MAX);
    for (uint32_t i = 0; i + 1 < SERVE_GUESTS_MAX; i++) {
        assert_int_equal(at->door.guests[i].wire, wires[i]);
    }
    wires[SERVE_GUESTS_MAX - 1] = at->door.guests[SERVE_GUESTS_MAX - 1].wire;
    at->crowd[SERVE_GUESTS_MAX + at->entered++] = one; // closed at the end
}

static void test_who_was_refused_leaves_before_who_sent_a_part(void **state)
{
    (void)state;
    hall at;
    int wires[SERVE_GUESTS_MAX];
    begin(&at);
    for (uint32_t i = 0; i < SERVE_GUESTS_MAX; i++) {
        const bool part = i == PART_A || i == PART_B;
        at.crowd[i] = come(&at, part ? "POST" : i == REFUSED ? "no request\r\n\r\n" : "");
    }
    serve_door_poll(&at.door, 10, let_in, &at);
    assert_int_equal(at.door.count, SERVE_GUESTS_MAX);
    for (uint32_t i = 0; i < SERVE_GUESTS_MAX; i++) wires[i] = at.door.guests[i].wire;
    takes_the_place_of(&at, wires, REFUSED, 10);
    takes_the_place_of(&at, wires, PART_A, 10);
    takes_the_place_of(&at, wires, PART_B - 1, 10);
    takes_the_place_of(&at, wires, 0, 10 + SERVE_GRACE_SECONDS * 1.1);
    end(&at);
}

static void test_nobody_waits_for_ever(void **state)
{
    static const char *const said[] = {"", "POST", "no request\r\n\r\n"};
    (void)state;
    for (uint32_t i = 0; i < sizeof said / sizeof *said; i++) {
        hall at;
        begin(&at);
        at.crowd[0] = come(&at, said[i]);
        serve_door_poll(&at.door, 10, let_in, &at);
        serve_door_poll(&at.door, 10 + SERVE_GUEST_SECONDS * 0.9, let_in, &at);
        assert_int_equal(at.door.count, 1);
        serve_door_poll(&at.door, 10 + SERVE_GUEST_SECONDS, let_in, &at);
        assert_int_equal(at.door.count, 0);
        assert_int_equal(at.entered, 0);
        end(&at);
    }
}

// A wait ends when a guest has waited for too long.
static void test_a_wait_ends_with_the_time_of_a_guest(void **state)
{
    (void)state;
    hall at;
    begin(&at);
    at.crowd[0] = come(&at, "");
    serve_door_poll(&at.door, 10, let_in, &at);
    const uint64_t begun = weft_now_ns();
    serve_door_wait(&at.door, 10 + SERVE_GUEST_SECONDS, 60);
    serve_door_wait(&at.door, 10 + SERVE_GUEST_SECONDS - 0.01, 60);
    assert_true(weft_now_ns() - begun < UINT64_C(30000000000));
    end(&at);
}

static void test_a_head_without_an_end_is_refused(void **state)
{
    char head[SERVE_HEAD_MAX + 1] = "";
    char answer[32] = "";
    (void)state;
    hall at;
    begin(&at);
    memset(head, 'a', SERVE_HEAD_MAX - 1);
    at.crowd[0] = come(&at, head);
    serve_door_poll(&at.door, 10, let_in, &at);
    assert_false(at.door.guests[0].refused); // its end may come with the last byte
    assert_int_equal(send(at.crowd[0], "a", 1, MSG_NOSIGNAL), 1);
    serve_door_poll(&at.door, 10, let_in, &at);
    assert_true(at.door.guests[0].refused);
    assert_true(recv(at.crowd[0], answer, sizeof answer - 1, 0) > 0);
    assert_memory_equal(answer, "HTTP/1.1 431 ", 13);
    end(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_silent_crowd),
        cmocka_unit_test(test_a_crowd_of_pieces),
        cmocka_unit_test(test_a_crowd_that_is_refused),
        cmocka_unit_test(test_who_comes_after_a_crowd),
        cmocka_unit_test(test_who_was_refused_leaves_before_who_sent_a_part),
        cmocka_unit_test(test_nobody_waits_for_ever),
        cmocka_unit_test(test_a_wait_ends_with_the_time_of_a_guest),
        cmocka_unit_test(test_a_head_without_an_end_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
