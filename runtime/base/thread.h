// What the systems call differently of threads: locks, signals to wait for, threads themselves, one
// set a system. WEFT_NO_THREADS is for where there are none, as on WebAssembly: none can be started
// then. Only for base/workers.c, which includes it before any header of the system.
#ifndef WEFT_THREAD_H
#define WEFT_THREAD_H

#if defined(__wasm__) && !defined(__wasm_atomics__)
#define WEFT_NO_THREADS
#endif

#include "features.h"

#include <stdbool.h>
#include <stddef.h>

#if defined(WEFT_NO_THREADS)

typedef struct mutex {
    char none;
} mutex;
typedef mutex signal_of;
typedef mutex thread;
typedef void (*thread_body)(void *);
#define THREAD_BODY(name, argument) static void name(void *argument)
#define THREAD_END

static inline bool mutex_open(mutex *m)
{
    m->none = 0;
    return true;
}

static inline void mutex_close(mutex *m)
{
    (void)m;
}

static inline void mutex_take(mutex *m)
{
    (void)m;
}

static inline void mutex_give(mutex *m)
{
    (void)m;
}

static inline bool signal_open(signal_of *s)
{
    return mutex_open(s);
}

static inline void signal_close(signal_of *s)
{
    (void)s;
}

// Nobody else is there to wait for.
static inline void signal_wait(signal_of *s, mutex *m)
{
    (void)s;
    (void)m;
}

static inline void signal_one(signal_of *s)
{
    (void)s;
}

static inline void signal_all(signal_of *s)
{
    (void)s;
}

static inline bool thread_start(thread *t, thread_body body, void *argument)
{
    (void)t;
    (void)body;
    (void)argument;
    return false;
}

static inline void thread_join(thread t)
{
    (void)t;
}

static inline void pause_a_moment(void) {}

#elif defined(_WIN32)

#include <process.h>
#include <windows.h>

typedef CRITICAL_SECTION mutex;
typedef CONDITION_VARIABLE signal_of;
typedef HANDLE thread;
typedef unsigned(__stdcall *thread_body)(void *);
#define THREAD_BODY(name, argument) static unsigned __stdcall name(void *argument)
#define THREAD_END return 0

static inline bool mutex_open(mutex *m)
{
    InitializeCriticalSection(m);
    return true;
}

static inline void mutex_close(mutex *m)
{
    DeleteCriticalSection(m);
}

static inline void mutex_take(mutex *m)
{
    EnterCriticalSection(m);
}

static inline void mutex_give(mutex *m)
{
    LeaveCriticalSection(m);
}

static inline bool signal_open(signal_of *s)
{
    InitializeConditionVariable(s);
    return true;
}

static inline void signal_close(signal_of *s)
{
    (void)s;
}

static inline void signal_wait(signal_of *s, mutex *m)
{
    SleepConditionVariableCS(s, m, INFINITE);
}

static inline void signal_one(signal_of *s)
{
    WakeConditionVariable(s);
}

static inline void signal_all(signal_of *s)
{
    WakeAllConditionVariable(s);
}

static inline bool thread_start(thread *t, thread_body body, void *argument)
{
    *t = (HANDLE)_beginthreadex(NULL, 0, body, argument, 0, NULL);
    return *t != NULL;
}

static inline void thread_join(thread t)
{
    WaitForSingleObject(t, INFINITE);
    CloseHandle(t);
}

static inline void pause_a_moment(void)
{
    YieldProcessor();
}

#else

#include <pthread.h>

typedef pthread_mutex_t mutex;
typedef pthread_cond_t signal_of;
typedef pthread_t thread;
typedef void *(*thread_body)(void *);
#define THREAD_BODY(name, argument) static void *name(void *argument)
#define THREAD_END return NULL

static inline bool mutex_open(mutex *m)
{
    pthread_mutexattr_t kind;
    if (pthread_mutexattr_init(&kind) != 0) return false;
    bool opened = pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE) == 0 &&
                  pthread_mutex_init(m, &kind) == 0;
    pthread_mutexattr_destroy(&kind);
    return opened;
}

static inline void mutex_close(mutex *m)
{
    pthread_mutex_destroy(m);
}

static inline void mutex_take(mutex *m)
{
    pthread_mutex_lock(m);
}

static inline void mutex_give(mutex *m)
{
    pthread_mutex_unlock(m);
}

static inline bool signal_open(signal_of *s)
{
    return pthread_cond_init(s, NULL) == 0;
}

static inline void signal_close(signal_of *s)
{
    pthread_cond_destroy(s);
}

static inline void signal_wait(signal_of *s, mutex *m)
{
    pthread_cond_wait(s, m);
}

static inline void signal_one(signal_of *s)
{
    pthread_cond_signal(s);
}

static inline void signal_all(signal_of *s)
{
    pthread_cond_broadcast(s);
}

static inline bool thread_start(thread *t, thread_body body, void *argument)
{
    return pthread_create(t, NULL, body, argument) == 0;
}

static inline void thread_join(thread t)
{
    pthread_join(t, NULL);
}

static inline void pause_a_moment(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif

#endif
