// Writes events of the colony into the chronicle. All events that systems emit are heard here, and
// in no other place.
#ifndef CHRONICLE_H
#define CHRONICLE_H

#include "colony_chronicle.h"

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
// Writes the news like printf; cut at the end of the field.
void chronicle_tell(colony_chronicle *chronicle, const char *format, ...);

#endif
