// Reports a failed comparison: the difference, and the position in the run, so that it can be
// repeated.
#ifndef FAIL_H
#define FAIL_H

#include <stdint.h>

// Prints the position in the run and the difference, counts one failed test, and ends the program.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
_Noreturn void
fail(const char *format, ...);

// Sets the position in the run. `program` is the command that repeats it; `what` names the current
// operation.
void fail_run(const char *program);
void fail_operation(uint64_t number, const char *what);

#endif
