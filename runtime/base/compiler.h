// Compiler: what gcc and clang are told beyond the language, and nothing for other compilers.
#ifndef WEFT_COMPILER_H
#define WEFT_COMPILER_H

#include "../weft.h"

#if defined(__GNUC__)
#define WEFT_APART __attribute__((__noinline__)) // keeps a rare branch out of a short function
#define WEFT_NO_RETURN __attribute__((__noreturn__, __cold__))
#define WEFT_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WEFT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define WEFT_TAKEN(condition) ((condition) ? (void)0 : __builtin_unreachable()) // for granted
#if defined(__MINGW32__)
#define WEFT_PRINTS(text, first) __attribute__((__format__(__gnu_printf__, text, first)))
#else
#define WEFT_PRINTS(text, first) __attribute__((__format__(__printf__, text, first)))
#endif
#else
#define WEFT_APART
#define WEFT_NO_RETURN
#define WEFT_LIKELY(condition) (condition)
#define WEFT_UNLIKELY(condition) (condition)
#define WEFT_TAKEN(condition) ((void)0)
#define WEFT_PRINTS(text, first)
#endif

#endif
