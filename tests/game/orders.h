// Orders of the player, from a file or a window. Each is the input `order` of the schema, given
// before a certain tick. A world with equal orders at equal ticks is therefore equal to the bit.
//
// A file has a line for each order, in the order of their ticks; `#` begins a comment:
//
//   96 build 30 12        # after 96 ticks: build a house at tile 30, 12
//   100 send Islin 20 11  # she goes there, whatever she was doing
//   200 pause             # time stands still (ticks are counted, and nothing happens)
//   204 go
//   300 menu              # the same for a game without a window
//   300 play
#ifndef ORDERS_H
#define ORDERS_H

#include "colony_order.h"
#include "colony_world.h"
#include "options.h"

#include <stdio.h>

enum { ORDERS_A_TICK = 64 }; // as many as may wait: `max` of the schema

typedef struct timed_order {
    uint64_t tick; // that many are done
    colony_order order;
} timed_order;

typedef struct orders {
    timed_order *all;
    size_t count, next; // the next one to give
    FILE *record;       // NULL: they are not written down
} orders;

// Reads the file of orders and opens the one to record them, where the options name them. False:
// what is wrong, and what to write instead, has been written to stderr.
bool orders_open(orders *o, const options *wanted);

// False: the record could not be written.
bool orders_close(orders *o);

// Those up to now are over: a save that was loaded has them in it.
void orders_skip(orders *o, const colony_world *world);

// Gives the orders of the file that are due before the next tick. False: there were none.
bool orders_give_due(orders *o, colony_world *world);

// Gives one order now. False: so many wait already, and it is lost.
bool orders_give(orders *o, colony_world *world, colony_order order);

#endif
