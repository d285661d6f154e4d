// Threads: a lock, a pool of threads, and a thread for one job. The pool is the executor of every
// world whose game provides none. base/thread.h declares the calls that differ between systems.
#ifndef WEFT_WORKERS_H
#define WEFT_WORKERS_H

#include "memory.h"

// The address of this byte identifies a running thread.
extern WEFT_THREAD_LOCAL char weft_this_thread;

// Returns nanoseconds of a monotonic clock. The value wraps: differences up to 4 s are correct.
uint32_t weft_clock_ns(void);

// A recursive lock: its holder may take it again, and must give it back as often.
typedef struct weft_lock weft_lock;

weft_lock *weft_lock_open(weft_heap *heap); // NULL: no memory
void weft_lock_close(weft_heap *heap, weft_lock *lock);
void weft_lock_take(weft_lock *lock);
void weft_lock_give(weft_lock *lock);

// A pool of threads that sleep until there is a job. After a job, a thread spins for about 20 us in
// case another follows, and then sleeps. The thread that waits for the last job spins and sleeps
// too.
typedef struct weft_workers weft_workers;

// Starts at most `threads` threads, fewer if the system refuses more. Returns NULL without memory.
weft_workers *weft_workers_open(weft_heap *heap, uint32_t threads);
void weft_workers_close(weft_heap *heap, weft_workers *workers);

uint32_t weft_workers_count(const weft_workers *workers);
weft_executor weft_workers_executor(weft_workers *workers);

// A thread for one job that takes too long for a worker, for example waiting for a disk.
typedef struct weft_thread weft_thread;

// Calls the job on its own thread. Returns NULL if there is no memory or no thread.
weft_thread *weft_thread_open(weft_heap *heap, void (*job)(void *argument), void *argument);
bool weft_thread_ended(const weft_thread *thread);            // whether the job has returned
void weft_thread_close(weft_heap *heap, weft_thread *thread); // waits for the job; NULL is allowed

#endif
