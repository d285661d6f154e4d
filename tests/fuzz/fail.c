#include "fail.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    const char *program;
    const char *what;
    uint64_t number;
} at = {"", "start", 0};

void fail_run(const char *program)
{
    at.program = program;
}

void fail_operation(uint64_t number, const char *what)
{
    at.number = number;
    at.what = what;
}

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("operation %" PRIu64 " (%s): ", at.number, at.what);
    vprintf(format, arguments);
    printf("\nrun again with: %s --count %" PRIu64 "\n0 passed, 1 failed\n", at.program,
           at.number + 1);
    va_end(arguments);
    exit(1);
}
