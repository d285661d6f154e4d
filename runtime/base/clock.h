// Clock: time that only goes forward, for measurements. Nothing in a world depends on it.
#ifndef WEFT_CLOCK_H
#define WEFT_CLOCK_H

#include <stdint.h>

// Returns nanoseconds since some moment before the program. It takes 20 to 40 ns.
uint64_t weft_now_ns(void);

// Returns a number that the calling thread has for good. They are given from 0 on, to threads as
// they ask for the first time.
uint32_t weft_thread_number(void);

#endif
