// Writes events of the colony into the chronicle. No other system reads events.
#ifndef CHRONICLE_H
#define CHRONICLE_H

#include "colony_chronicle.h"

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
// Writes the news like printf. Text that is too long for the field is cut.
void chronicle_tell(colony_chronicle *chronicle, const char *format, ...);

#endif
