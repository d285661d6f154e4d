// The time that passes in a tick. One second of world time is one hour in the colony.
#ifndef HOURS_H
#define HOURS_H

#define HOURS_A_TICK 0.25 // the `step` of the schema

#endif
