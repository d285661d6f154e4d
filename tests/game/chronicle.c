// Writing down what happened.
#include "chronicle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void chronicle_tell(colony_chronicle *chronicle, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    memset(chronicle->news, 0, sizeof chronicle->news); // equal news are equal bytes
    vsnprintf(chronicle->news, sizeof chronicle->news, format, arguments);
    va_end(arguments);
}
