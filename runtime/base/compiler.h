// Extensions of gcc and clang. Other compilers get empty or portable definitions.
#ifndef WEFT_COMPILER_H
#define WEFT_COMPILER_H

#include "../weft.h"

#if defined(__GNUC__)
#define WEFT_APART __attribute__((__noinline__)) // keeps a rare branch out of a short function
#define WEFT_COLD __attribute__((__noinline__, __cold__)) // rarely called, so optimised for size
#define WEFT_NO_RETURN __attribute__((__noreturn__, __cold__))
#define WEFT_PURE __attribute__((__pure__)) // reads memory but changes nothing
#define WEFT_THREAD_LOCAL __thread
#define WEFT_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WEFT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define WEFT_TAKEN(condition) ((condition) ? (void)0 : __builtin_unreachable()) // assumed to hold
#define WEFT_PREFETCH(memory) __builtin_prefetch(memory)
#if defined(__MINGW32__)
#define WEFT_PRINTS(text, first) __attribute__((__format__(__gnu_printf__, text, first)))
#else
#define WEFT_PRINTS(text, first) __attribute__((__format__(__printf__, text, first)))
#endif

// Access to memory that other threads may read at the same time. Relaxed access orders nothing. A
// thread that acquires a value sees everything that was written before that value was released.
#define WEFT_LOAD_RELAXED(from) __atomic_load_n(from, __ATOMIC_RELAXED)
#define WEFT_LOAD_ACQUIRE(from) __atomic_load_n(from, __ATOMIC_ACQUIRE)
#define WEFT_STORE_RELAXED(to, value) __atomic_store_n(to, value, __ATOMIC_RELAXED)
#define WEFT_STORE_RELEASE(to, value) __atomic_store_n(to, value, __ATOMIC_RELEASE)
#else
#define WEFT_LOAD_RELAXED(from) (*(from))
#define WEFT_LOAD_ACQUIRE(from) (*(from))
#define WEFT_STORE_RELAXED(to, value) ((void)(*(to) = (value)))
#define WEFT_STORE_RELEASE(to, value) ((void)(*(to) = (value)))
#define WEFT_APART
#define WEFT_COLD
#define WEFT_PURE
#define WEFT_NO_RETURN
#define WEFT_THREAD_LOCAL
#define WEFT_LIKELY(condition) (condition)
#define WEFT_UNLIKELY(condition) (condition)
#define WEFT_TAKEN(condition) ((void)0)
#define WEFT_PREFETCH(memory) ((void)(memory))
#define WEFT_PRINTS(text, first)
#endif

// Declares a function that a game may define or leave out, and tests whether it exists. Objects
// other than ELF have no such weak references, so there the test is always false. The pragma
// silences a wrong warning of clang if the file has already defined the function, which happens
// when a program is compiled as one file.
#if defined(__clang__) && defined(__ELF__)
#define WEFT_PERHAPS(...)                                                                          \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wignored-attributes\"")  \
        __attribute__((__weak__)) __VA_ARGS__ _Pragma("clang diagnostic pop")
#define WEFT_IS_THERE(function) ((function) != NULL)
#elif defined(__GNUC__) && defined(__ELF__)
#define WEFT_PERHAPS(...) __attribute__((__weak__)) __VA_ARGS__
#define WEFT_IS_THERE(function) ((function) != NULL)
#else
#define WEFT_PERHAPS(...) __VA_ARGS__
#define WEFT_IS_THERE(function) false
#endif

#endif
