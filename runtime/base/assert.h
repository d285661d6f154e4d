// Asserts: a mistake of the programmer ends a debug build. The message shows the place in the
// code, the mistake, and both values of the condition that failed:
//
//   runtime/query/cursor.h:134: an iterator was used after a structural change
//       (c->version == weft_version(c->world): 7, 9)
//
// With NDEBUG an assert compiles to nothing. Its condition is not evaluated, so the caller must
// still refuse the wrong call.
#ifndef WEFT_ASSERT_H
#define WEFT_ASSERT_H

#include "compiler.h"

// Prints the message to stderr and aborts. `condition` is the text of the condition in the code.
// The function exists with NDEBUG too, because a debug build of a game may be linked to a release
// build of the runtime.
void weft_assert_failed(const char *file, int line, const char *words, const char *condition,
                        uint64_t left, uint64_t right) WEFT_NO_RETURN;

// Usage: WEFT_ASSERT(row, <, count, "a row beyond the range"). Both operands are numbers. They are
// evaluated a second time if the assert fails.
#ifdef NDEBUG
#define WEFT_ASSERT(left, holds, right, words) ((void)0)
#else
#define WEFT_ASSERT(left, holds, right, words)                                                     \
    (WEFT_LIKELY((left)holds(right))                                                               \
         ? (void)0                                                                                 \
         : weft_assert_failed(__FILE__, __LINE__, words, #left " " #holds " " #right,              \
                              (uint64_t)(left), (uint64_t)(right)))
#endif

// Asserts at compile time that `items`, with one item for each value of an enum, ends with `last`.
#define WEFT_NAMES_ALL(items, last)                                                                \
    WEFT_STATIC_ASSERT(sizeof(items) / sizeof *(items) == (size_t)(last) + 1,                      \
                       #items " does not end with " #last)

#endif
