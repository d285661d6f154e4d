// Prints the state of the colony in words and numbers.
#ifndef REPORT_H
#define REPORT_H

#include "colony_world.h"

#include <stdint.h>

// One line: "Day 3, spring, 06:15", then a line feed.
void report_date(colony_world *world);

// The head of the progress lines, and one such line.
void report_progress_head(void);
void report_progress(colony_world *world);

// The bread in all stocks at the end of a day, or at the start of the run.
typedef struct bread_count {
    uint32_t day, loaves;
} bread_count;

// Returns the current count.
bread_count report_count_bread(colony_world *world);

// Does nothing until the day of `last` is over. Then it sets `last` to the current count, and prints
// a line if the colony has less bread than it had: "day 12: bread fell from 310 to 270".
void report_bread(colony_world *world, bread_count *last);

// People, goods, houses, roads and the state hash. Programs read the lines `people`, `goods` and
// `colony_hash`.
void report_summary(colony_world *world, uint64_t ticks);

#endif
