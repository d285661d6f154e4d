// A monotonic clock for measurements. The state of a world never depends on it.
#ifndef WEFT_CLOCK_H
#define WEFT_CLOCK_H

#include <stdint.h>

// Returns nanoseconds since some moment before the program started. A call takes 20 to 40 ns.
uint64_t weft_now_ns(void);

// Returns the permanent number of the calling thread. Threads are numbered from 0, in the order of
// their first call.
uint32_t weft_thread_number(void);

#endif
