// A world uses the threads it has if the machine gives it fewer than it asked for.
//
// program: worlds threads
// libs: -Wl,--wrap=pthread_create
#include "crew.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static uint32_t threads_left;

// The linker has all calls of the one come to the other: see workers.ninja.
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *), void *argument)
{
    if (threads_left == 0) return EAGAIN;
    threads_left--;
    return __real_pthread_create(thread, attributes, body, argument);
}

static uint64_t play(uint32_t workers, uint32_t *got)
{
    crew_world *w = crew_open(&(weft_options){.workers = workers});
    assert_non_null(w);
    assert_int_equal(crew_hand_spawn_many(w, 3000, NULL, NULL), 3000);
    for (uint32_t i = 0; i < 20; i++) assert_int_equal(crew_tick(w, 0.25), WEFT_OK);
    uint64_t exact = crew_hash_exact(w);
    *got = crew_stats(w).workers;
    crew_close(w);
    return exact;
}

static void a_world_makes_do_with_the_threads_there_are(void **state)
{
    (void)state;
    uint32_t got;
    uint64_t alone = play(1, &got);
    for (uint32_t there = 0; there < 4; there++) {
        threads_left = there;
        assert_int_equal(play(8, &got), alone);
        assert_int_equal(got, 1 + there);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_makes_do_with_the_threads_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
