// Thread operations that differ between systems: mutexes, signals (condition variables), and
// threads. Each is a macro for one call of the system. There is one set of macros for each system.
//
// WEFT_NO_THREADS selects the set for machines without threads, such as WebAssembly. Only
// base/workers.c may include this file, and before any header of the system.
#ifndef WEFT_THREAD_H
#define WEFT_THREAD_H

#if defined(__wasm__) && !defined(__wasm_atomics__)
#define WEFT_NO_THREADS
#endif

#include "features.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(WEFT_NO_THREADS)

typedef char mutex;
typedef char signal_of;
typedef char thread;
#define THREAD_BODY(name, argument) static void name(void *argument)
#define THREAD_END

#define mutex_open(m) (*(m) = 0, true)
#define mutex_close(m) ((void)(m))
#define mutex_take(m) ((void)(m))
#define mutex_give(m) ((void)(m))
#define signal_open(s) (*(s) = 0, true)
#define signal_close(s) ((void)(s))
#define signal_wait(s, m) ((void)(s), (void)(m)) // there is no other thread to wait for
#define signal_one(s) ((void)(s))
#define signal_all(s) ((void)(s))
#define thread_start(t, body, argument) ((void)(t), (void)(body), (void)(argument), false)
#define thread_join(t) ((void)(t))
#define pause_a_moment() ((void)0)

static inline uint64_t clock_ns(void)
{
    return 0; // there is no thread to share work with
}

#elif defined(_WIN32)

#include <process.h>
#include <windows.h>

typedef CRITICAL_SECTION mutex;
typedef CONDITION_VARIABLE signal_of;
typedef HANDLE thread;
#define THREAD_BODY(name, argument) static unsigned __stdcall name(void *argument)
#define THREAD_END return 0

#define mutex_open(m) (InitializeCriticalSection(m), true)
#define mutex_close(m) DeleteCriticalSection(m)
#define mutex_take(m) EnterCriticalSection(m)
#define mutex_give(m) LeaveCriticalSection(m)
#define signal_open(s) (InitializeConditionVariable(s), true)
#define signal_close(s) ((void)(s))
#define signal_wait(s, m) SleepConditionVariableCS(s, m, INFINITE)
#define signal_one(s) WakeConditionVariable(s)
#define signal_all(s) WakeAllConditionVariable(s)
#define thread_start(t, body, argument)                                                            \
    ((*(t) = (HANDLE)_beginthreadex(NULL, 0, body, argument, 0, NULL)) != NULL)
#define thread_join(t) (WaitForSingleObject(t, INFINITE), CloseHandle(t))
#define pause_a_moment() YieldProcessor()

static inline uint64_t clock_ns(void)
{
    LARGE_INTEGER now, each_second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&each_second);
    return (uint64_t)((double)now.QuadPart * (1e9 / (double)each_second.QuadPart));
}

#else

#include <pthread.h>
#include <time.h>

typedef pthread_mutex_t mutex;
typedef pthread_cond_t signal_of;
typedef pthread_t thread;
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

#define mutex_close(m) pthread_mutex_destroy(m)
#define mutex_take(m) pthread_mutex_lock(m)
#define mutex_give(m) pthread_mutex_unlock(m)
#define signal_open(s) (pthread_cond_init(s, NULL) == 0)
#define signal_close(s) pthread_cond_destroy(s)
#define signal_wait(s, m) pthread_cond_wait(s, m)
#define signal_one(s) pthread_cond_signal(s)
#define signal_all(s) pthread_cond_broadcast(s)
#define thread_start(t, body, argument) (pthread_create(t, NULL, body, argument) == 0)
#define thread_join(t) pthread_join(t, NULL)

#if defined(__x86_64__) || defined(__i386__)
#define pause_a_moment() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define pause_a_moment() __asm__ volatile("yield")
#else
#define pause_a_moment() ((void)0)
#endif

static inline uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif

#endif
