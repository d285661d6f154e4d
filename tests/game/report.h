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

// People, goods, houses, roads and the state hash. Programs read the lines `people`, `goods` and
// `colony_hash`.
void report_summary(colony_world *world, uint64_t ticks);

#endif
