// Writing down what happened: what others emit is heard here, and nowhere else told.
#ifndef CHRONICLE_H
#define CHRONICLE_H

#include "colony_chronicle.h"

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
// Makes this the news, as printf would write it; cut off where the field ends.
void chronicle_tell(colony_chronicle *chronicle, const char *format, ...);

#endif
