// The monotonic clock of each system, and thread numbers.
#include "features.h" // first

#include "clock.h"
#include "compiler.h"

#include <stdatomic.h>
#include <time.h>

#if defined(_WIN32)
#include <windows.h>
#endif

#define NS_PER_SECOND 1000000000u

uint64_t weft_now_ns(void)
{
#if defined(_WIN32)
    LARGE_INTEGER now;
    LARGE_INTEGER rate; // ticks per second
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&rate);
    uint64_t seconds = (uint64_t)(now.QuadPart / rate.QuadPart);
    uint64_t rest = (uint64_t)(now.QuadPart % rate.QuadPart);
    return seconds * NS_PER_SECOND + rest * NS_PER_SECOND / (uint64_t)rate.QuadPart;
#else
    struct timespec now;
#if defined(CLOCK_MONOTONIC)
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
#endif
}

uint32_t weft_thread_number(void)
{
    static atomic_uint given;
    static WEFT_THREAD_LOCAL uint32_t number; // number + 1; 0: not assigned yet
    if (number == 0) number = 1 + atomic_fetch_add(&given, 1);
    return number - 1;
}
