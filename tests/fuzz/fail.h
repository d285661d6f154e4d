// A failed comparison says what differs and where in the run it happened: enough to run it again.
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
