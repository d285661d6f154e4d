// The pool of threads that worlds run their systems on.
//
// program: quick still released threads less_portable
#include "base/clock.h"
#include "base/workers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

enum { JOBS = 2, PATIENCE = 60 }; // seconds

typedef struct meeting {
    atomic_uint there;
    atomic_uint met;
} meeting;

// Ends when all jobs have begun, which takes a thread for each of them.
static void meet(void *argument)
{
    meeting *m = argument;
    m->there++;
    time_t end = time(NULL) + PATIENCE;
    while (m->there < JOBS && time(NULL) < end) {
    }
    m->met += m->there == JOBS;
}

static void threads_of_the_pool_run_jobs(void **state)
{
    (void)state;
    weft_heap heap;
    weft_heap_open(&heap, &(weft_memory){0});
    weft_workers *workers = weft_workers_open(&heap, JOBS - 1);
    assert_non_null(workers);
    assert_int_equal(weft_workers_count(workers), JOBS - 1);
    weft_executor executor = weft_workers_executor(workers);
    for (int round = 0; round < 100; round++) {
        meeting m = {0};
        executor.start(executor.user, JOBS, meet, &m);
        executor.wait(executor.user);
        assert_int_equal(m.met, JOBS);
    }
    weft_workers_close(&heap, workers);
    assert_int_equal(heap.bytes, 0);
}

// All threads of a pool sleep after a while, and all of them wake when it is closed.
static void a_pool_that_sleeps_is_closed(void **state)
{
    (void)state;
    weft_heap heap;
    weft_heap_open(&heap, &(weft_memory){0});
    weft_workers *workers = weft_workers_open(&heap, 4);
    assert_non_null(workers);
    uint64_t end = weft_now_ns() + 50000000;
    while (weft_now_ns() < end) continue;
    weft_workers_close(&heap, workers);
    assert_int_equal(heap.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_of_the_pool_run_jobs),
        cmocka_unit_test(a_pool_that_sleeps_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
