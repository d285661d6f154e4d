// The messages for mistakes about values, so that the same mistake is always reported in the same
// words. Functions write the reason to `why` and return false; their caller knows the place and
// reports it.
#ifndef WEFT_MISTAKE_H
#define WEFT_MISTAKE_H

#include "../base/compiler.h"
#include "names.h"

#define WEFT_WHY_BYTES 192 // of a reason, with its NUL
#define WEFT_WORD_SHOWN 32 // bytes of a word that a reason shows, for "%.*s"

bool weft_value_refuse(char why[WEFT_WHY_BYTES], const char *format, ...) WEFT_PRINTS(2, 3);

// Returns how many bytes of a word a reason shows.
static inline int weft_word_shown(size_t length)
{
    return length < WEFT_WORD_SHOWN ? (int)length : WEFT_WORD_SHOWN;
}

// Refuses a word that is not among the names of `count` sets. If a name is near, the reason
// proposes it. Otherwise, if there is only one set, it lists the first names of the set.
//
//     there is no component or relation 'aslep', did you mean 'asleep'?
//     'place' has no field 'z': there is x, y
bool weft_name_refuse(char why[WEFT_WHY_BYTES], const weft_names *names, uint32_t count,
                      const char *word, size_t length);

// Adds a hint to a reason: the nearest name if there is one, or the first names of a set, if given.
void weft_name_hint(char why[WEFT_WHY_BYTES], weft_nearest nearest, const weft_names *names);

// Messages that several places use. The caller writes the subject before them.
#define WEFT_CANNOT_HOLD "is %s, which cannot hold %.*s"
#define WEFT_TOO_LONG "has %zu bytes, and there is room for %" PRIu32
#define WEFT_NO_ROOM "there is room for %" PRIu32 " items"

#endif
