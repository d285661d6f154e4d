// Orders of the player, from a file or a window. Each is the input `order` of the schema, given
// before a certain tick. A world with equal orders at equal ticks is therefore equal to the bit.
//
// A file has a line for each order, in the order of their ticks; `#` begins a comment:
//
//   96 build 30 12        # after 96 ticks: build a house at tile 30, 12
//   100 send Islin 20 11  # she stops her work and goes there
//   200 pause             # time stands still (ticks are counted, but nothing happens)
//   204 go
//   300 menu              # the same for a game without a window
//   300 play
#ifndef ORDERS_H
#define ORDERS_H

#include "colony_order.h"
#include "colony_world.h"
#include "options.h"

#include <stdio.h>

enum { ORDERS_A_TICK = 64 }; // `max` of the input in the schema

typedef struct timed_order {
    uint64_t tick; // the order is due after this many ticks
    colony_order order;
} timed_order;

typedef struct orders {
    timed_order *all;
    size_t count, next; // the next one to give
    FILE *record;       // NULL if orders are not recorded
} orders;

// Reads the file of orders and opens the file to record them, if the options name them. Returns
// false after writing the mistake and its cure to stderr.
bool orders_open(orders *o, const options *wanted);

// Returns false if the record could not be written.
bool orders_close(orders *o);

// Skips orders up to the current tick, because a loaded save already contains their effects.
void orders_skip(orders *o, const colony_world *world);

// Gives the orders of the file that are due before the next tick. Returns false if there are none.
bool orders_give_due(orders *o, colony_world *world);

// Gives one order now. Returns false if the input is full; the order is then lost.
bool orders_give(orders *o, colony_world *world, colony_order order);

#endif
