// The lock of a world, a pool of threads, and a thread for one job.
#include "thread.h" // first, because it selects what the system's headers declare

#include "workers.h"

#include <stdatomic.h>

WEFT_THREAD_LOCAL char weft_this_thread;

uint32_t weft_clock_ns(void)
{
    return (uint32_t)clock_ns();
}

// ------------------------------------------------------------------------------------------------
// The lock

struct weft_lock {
    mutex mutex;
};

weft_lock *weft_lock_open(weft_heap *heap)
{
    weft_lock *lock = (weft_lock *)weft_allocate(heap, sizeof *lock);
    if (!lock || mutex_open(&lock->mutex)) return lock;
    weft_free(heap, lock, sizeof *lock);
    return NULL;
}

void weft_lock_close(weft_heap *heap, weft_lock *lock)
{
    if (lock) mutex_close(&lock->mutex);
    weft_free(heap, lock, sizeof *lock);
}

void weft_lock_take(weft_lock *lock)
{
    mutex_take(&lock->mutex);
}

void weft_lock_give(weft_lock *lock)
{
    mutex_give(&lock->mutex);
}

// ------------------------------------------------------------------------------------------------
// The pool

#define LOOKS 500u // polls for a job before a thread sleeps: about 20 us

struct weft_workers {
    mutex mutex;    // protects the members below
    signal_of work; // there is a job, or the pool is closing
    signal_of done; // all jobs have returned
    uint32_t asleep;
    atomic_uint waiting; // jobs not begun, all the same; also read without the mutex
    atomic_uint running; // jobs begun; also read without the mutex
    void (*job)(void *argument);
    void *argument;
    bool ending;
    uint32_t count;
    size_t bytes;
    thread threads[];
};

// Runs a waiting job. The caller holds the mutex, which is released during the job.
static void do_one(weft_workers *w)
{
    void (*job)(void *argument) = w->job;
    void *argument = w->argument;
    w->waiting--;
    w->running++;
    mutex_give(&w->mutex);
    job(argument);
    mutex_take(&w->mutex);
    w->running--;
}

// Spins for a moment until there is a job. Phases follow each other closely, and waking a thread
// takes as long as a short phase.
static void look_out(weft_workers *w)
{
    for (uint32_t looks = 0; looks < LOOKS; looks++) {
        if (atomic_load_explicit(&w->waiting, memory_order_relaxed) != 0) return;
        pause_a_moment();
    }
}

THREAD_BODY(thread_main, argument)
{
    weft_workers *w = (weft_workers *)argument;
    mutex_take(&w->mutex);
    while (!w->ending) {
        if (w->waiting == 0) {
            w->asleep++;
            signal_wait(&w->work, &w->mutex);
            w->asleep--;
            continue;
        }
        do_one(w);
        if (w->waiting == 0 && w->running == 0) signal_all(&w->done);
        mutex_give(&w->mutex);
        look_out(w);
        mutex_take(&w->mutex);
    }
    mutex_give(&w->mutex);
    THREAD_END;
}

static void start(void *user, uint32_t count, void (*job)(void *argument), void *argument)
{
    weft_workers *w = (weft_workers *)user;
    mutex_take(&w->mutex);
    w->job = job;
    w->argument = argument;
    w->waiting += count;
    for (uint32_t i = 0; i < count && i < w->asleep; i++) signal_one(&w->work);
    signal_one(&w->done); // the thread that waits for the end also runs jobs
    mutex_give(&w->mutex);
}

// Spins for a moment until no job runs, because the last jobs usually end at about the same time.
static void look_for_end(const weft_workers *w)
{
    for (uint32_t looks = 0; looks < LOOKS; looks++) {
        if (atomic_load_explicit(&w->running, memory_order_relaxed) == 0) return;
        pause_a_moment();
    }
}

static void wait_for_all(void *user)
{
    weft_workers *w = (weft_workers *)user;
    mutex_take(&w->mutex);
    while (w->waiting != 0 || w->running != 0) {
        if (w->waiting != 0) {
            do_one(w);
            continue;
        }
        mutex_give(&w->mutex);
        look_for_end(w);
        mutex_take(&w->mutex);
        if (w->waiting == 0 && w->running != 0) signal_wait(&w->done, &w->mutex);
    }
    mutex_give(&w->mutex);
}

static bool signals_open(weft_workers *w)
{
    if (!mutex_open(&w->mutex)) return false;
    if (signal_open(&w->work)) {
        if (signal_open(&w->done)) return true;
        signal_close(&w->work);
    }
    mutex_close(&w->mutex);
    return false;
}

weft_workers *weft_workers_open(weft_heap *heap, uint32_t threads)
{
    size_t bytes = sizeof(weft_workers) + threads * sizeof(thread);
    weft_workers *w = (weft_workers *)weft_allocate_zeroed(heap, bytes);
    if (!w) return NULL;
    w->bytes = bytes;
    if (!signals_open(w)) {
        weft_free(heap, w, bytes);
        return NULL;
    }
    while (w->count < threads && thread_start(&w->threads[w->count], thread_main, w)) w->count++;
    return w;
}

void weft_workers_close(weft_heap *heap, weft_workers *w)
{
    if (!w) return;
    mutex_take(&w->mutex);
    w->ending = true;
    signal_all(&w->work);
    mutex_give(&w->mutex);
    for (uint32_t i = 0; i < w->count; i++) thread_join(w->threads[i]);
    signal_close(&w->work);
    signal_close(&w->done);
    mutex_close(&w->mutex);
    weft_free(heap, w, w->bytes);
}

uint32_t weft_workers_count(const weft_workers *w)
{
    return w->count;
}

weft_executor weft_workers_executor(weft_workers *w)
{
    return (weft_executor){.start = start, .wait = wait_for_all, .user = w};
}

// ------------------------------------------------------------------------------------------------
// A thread for one job

struct weft_thread {
    void (*job)(void *argument);
    void *argument;
    atomic_bool ended;
    thread thread;
};

THREAD_BODY(job_main, argument)
{
    weft_thread *t = (weft_thread *)argument;
    t->job(t->argument);
    atomic_store_explicit(&t->ended, true, memory_order_release);
    THREAD_END;
}

weft_thread *weft_thread_open(weft_heap *heap, void (*job)(void *argument), void *argument)
{
    weft_thread *t = (weft_thread *)weft_allocate_zeroed(heap, sizeof *t);
    if (!t) return NULL;
    t->job = job;
    t->argument = argument;
    if (thread_start(&t->thread, job_main, t)) return t;
    weft_free(heap, t, sizeof *t);
    return NULL;
}

bool weft_thread_ended(const weft_thread *t)
{
    return atomic_load_explicit(&t->ended, memory_order_acquire);
}

void weft_thread_close(weft_heap *heap, weft_thread *t)
{
    if (!t) return;
    thread_join(t->thread);
    weft_free(heap, t, sizeof *t);
}
