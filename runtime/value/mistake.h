// The words of mistakes about values, so that each mistake is reported in one way by whoever finds
// it. Functions write the reason to `why` and return false: their caller knows the place and
// reports it.
#ifndef WEFT_MISTAKE_H
#define WEFT_MISTAKE_H

#include "../base/compiler.h"
#include "names.h"

#define WEFT_WHY_BYTES 192 // of a reason, with its NUL
#define WEFT_WORD_SHOWN 32 // bytes of a word in a reason, for "%.*s"

bool weft_value_refuse(char why[WEFT_WHY_BYTES], const char *format, ...) WEFT_PRINTS(2, 3);

// Returns how many bytes of a word a reason shows.
static inline int weft_word_shown(size_t length)
{
    return length < WEFT_WORD_SHOWN ? (int)length : WEFT_WORD_SHOWN;
}

// Refuses a word that is none of the names in `count` sets. It adds the name that was meant if one
// is near; otherwise, if there is one set, its first names.
//
//     there is no component or relation 'aslep', did you mean 'asleep'?
//     'place' has no field 'z': there is x, y
bool weft_name_refuse(char why[WEFT_WHY_BYTES], const weft_names *names, uint32_t count,
                      const char *word, size_t length);

// Continues a reason with a hint: the nearest name, or the first names of a set, or nothing.
void weft_name_hint(char why[WEFT_WHY_BYTES], weft_nearest nearest, const weft_names *names);

// Words of mistakes that are found in several places. What they are about comes before them.
#define WEFT_CANNOT_HOLD "is %s, which cannot hold %.*s"
#define WEFT_TOO_LONG "has %zu bytes, and there is room for %" PRIu32
#define WEFT_NO_ROOM "there is room for %" PRIu32 " items"

#endif
