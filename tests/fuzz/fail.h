// Reports a failed comparison: the difference, and the position in the run, so that it can be
// repeated.
#ifndef FAIL_H
#define FAIL_H

#include <stdint.h>

// Ends the program: prints where the run is and what differs, and counts one failed test.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
_Noreturn void
fail(const char *format, ...);

// Says where the run is. `program` is how to run it again; `what` names the operation at hand.
void fail_run(const char *program);
void fail_operation(uint64_t number, const char *what);

#endif
