// Two bare threads share a loop. A thread that wakes too late finds no part left, so the other one
// does not wait for it.
#include "by_hand.h"

#include "setup.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct by_hand {
    void (*body)(void *state, uint32_t part);
    void *state;
    uint32_t parts;
    atomic_uint unfinished;
    atomic_uint claimed;
    pthread_t helper;
    pthread_mutex_t mutex; // of all that follows, and of falling asleep
    pthread_cond_t work;
    pthread_cond_t done;
    uint32_t runs;
    bool ending;
};

static void take_parts(by_hand *loop)
{
    uint32_t part;
    while ((part = atomic_fetch_add(&loop->claimed, 1)) < loop->parts) {
        loop->body(loop->state, part);
        if (atomic_fetch_sub(&loop->unfinished, 1) != 1) continue;
        pthread_mutex_lock(&loop->mutex);
        pthread_cond_signal(&loop->done);
        pthread_mutex_unlock(&loop->mutex);
    }
}

static void *help(void *argument)
{
    by_hand *loop = (by_hand *)argument;
    uint32_t seen = 0;
    pthread_mutex_lock(&loop->mutex);
    while (!loop->ending) {
        if (loop->runs == seen) {
            pthread_cond_wait(&loop->work, &loop->mutex);
            continue;
        }
        seen = loop->runs;
        pthread_mutex_unlock(&loop->mutex);
        take_parts(loop);
        pthread_mutex_lock(&loop->mutex);
    }
    pthread_mutex_unlock(&loop->mutex);
    return NULL;
}

by_hand *by_hand_open(void (*body)(void *state, uint32_t part), void *state, uint32_t parts)
{
    by_hand *loop = (by_hand *)calloc(1, sizeof *loop);
    setup_require(loop, "memory");
    loop->body = body;
    loop->state = state;
    loop->parts = parts;
    atomic_init(&loop->claimed, parts);
    setup_require(pthread_mutex_init(&loop->mutex, NULL) == 0 &&
                      pthread_cond_init(&loop->work, NULL) == 0 &&
                      pthread_cond_init(&loop->done, NULL) == 0 &&
                      pthread_create(&loop->helper, NULL, help, loop) == 0,
                  "a thread");
    return loop;
}

void by_hand_close(by_hand *loop)
{
    pthread_mutex_lock(&loop->mutex);
    loop->ending = true;
    pthread_cond_signal(&loop->work);
    pthread_mutex_unlock(&loop->mutex);
    pthread_join(loop->helper, NULL);
    pthread_cond_destroy(&loop->done);
    pthread_cond_destroy(&loop->work);
    pthread_mutex_destroy(&loop->mutex);
    free(loop);
}

void by_hand_run(by_hand *loop)
{
    atomic_store(&loop->unfinished, loop->parts); // before a part can be claimed
    atomic_store(&loop->claimed, 0);
    pthread_mutex_lock(&loop->mutex);
    loop->runs++;
    pthread_cond_signal(&loop->work);
    pthread_mutex_unlock(&loop->mutex);
    take_parts(loop);
    pthread_mutex_lock(&loop->mutex);
    while (atomic_load(&loop->unfinished) != 0) pthread_cond_wait(&loop->done, &loop->mutex);
    pthread_mutex_unlock(&loop->mutex);
}

// -------------------------------------------------------------------------------------------------
// Processors

standing by_hand_step_forward(void)
{
    standing before = {.policy = sched_getscheduler(0)};
    setup_require(sched_getaffinity(0, sizeof before.processors, &before.processors) == 0 &&
                      sched_getparam(0, &before.priority) == 0,
                  "asking for processors");
    cpu_set_t all;
    memset(&all, 0xFF, sizeof all);
    setup_require(sched_setaffinity(0, sizeof all, &all) == 0, "more than one processor");
    struct sched_param least = {.sched_priority = sched_get_priority_min(SCHED_RR)};
    (void)sched_setscheduler(0, SCHED_RR, &least); // without it others are in the times
    return before;
}

void by_hand_step_back(const standing *before)
{
    setup_require(sched_setscheduler(0, before->policy, &before->priority) == 0 &&
                      sched_setaffinity(0, sizeof before->processors, &before->processors) == 0,
                  "the processor of before");
}
