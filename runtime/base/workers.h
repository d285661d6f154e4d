// Threads: a lock, a pool of threads that run jobs, which is the executor of every world whose game
// gives none, and a thread for one job. base/thread.h has the calls that systems name differently.
#ifndef WEFT_WORKERS_H
#define WEFT_WORKERS_H

#include "memory.h"

// A byte of each thread, whose address tells threads apart while they run.
extern WEFT_THREAD_LOCAL char weft_this_thread;

// Returns nanoseconds of a clock that only goes forward, wrapping; differences up to 4 s are right.
uint32_t weft_clock_ns(void);

// A lock is recursive: the thread that holds it may take it again, and gives it back as often.
typedef struct weft_lock weft_lock;

weft_lock *weft_lock_open(weft_heap *heap); // NULL: no memory
void weft_lock_close(weft_heap *heap, weft_lock *lock);
void weft_lock_take(weft_lock *lock);
void weft_lock_give(weft_lock *lock);

// Threads that sleep until there is a job. A thread that has just run one spins for about 20 us in
// case another follows, and then sleeps; so does the thread that waits for the last one to end.
typedef struct weft_workers weft_workers;

// Starts as many threads as the system gives, at most `threads`. NULL: no memory.
weft_workers *weft_workers_open(weft_heap *heap, uint32_t threads);
void weft_workers_close(weft_heap *heap, weft_workers *workers);

uint32_t weft_workers_count(const weft_workers *workers);
weft_executor weft_workers_executor(weft_workers *workers);

// A thread for one job that takes too long for a worker, such as waiting for a disk.
typedef struct weft_thread weft_thread;

// Calls the job on a thread of its own. NULL: no memory, or the system gives no thread.
weft_thread *weft_thread_open(weft_heap *heap, void (*job)(void *argument), void *argument);
bool weft_thread_ended(const weft_thread *thread);            // whether the job has returned
void weft_thread_close(weft_heap *heap, weft_thread *thread); // waits for that; NULL is allowed

#endif
