// Threads: a lock, and a pool of threads that do jobs, which is the executor of a world to which
// the game gives none. What a system calls its own stands in the first part of base/workers.c.
#ifndef WEFT_WORKERS_H
#define WEFT_WORKERS_H

#include "memory.h"

// Whoever holds a lock may take it again, and gives it back as often.
typedef struct weft_lock weft_lock;

weft_lock *weft_lock_open(weft_heap *heap); // NULL: no memory
void weft_lock_close(weft_heap *heap, weft_lock *lock);
void weft_lock_take(weft_lock *lock);
void weft_lock_give(weft_lock *lock);

// Threads that sleep until there is something to do; who has just done something looks out for more
// for a moment before it does.
typedef struct weft_workers weft_workers;

// As many threads as the system gives, at most `threads`. NULL: no memory.
weft_workers *weft_workers_open(weft_heap *heap, uint32_t threads);
void weft_workers_close(weft_heap *heap, weft_workers *workers);

uint32_t weft_workers_count(const weft_workers *workers);
weft_executor weft_workers_executor(weft_workers *workers);

#endif
