// Lists of entities: those of an expression, in the order of a value or of the world. A list is
// made in slices, a few in each poll, so that the game never waits for one of a million entities.
// It is kept for some time for the windows of pages, and shown while the next one is made.
//
// What moves between tables from one slice to the next may be missing until the list is made anew;
// nothing is in it twice. While time is paused nothing moves.
#ifndef WEFT_SERVE_LIST_H
#define WEFT_SERVE_LIST_H

#include "rpc.h"

// Finds a list that was asked for, or begins one, and works on it as far as this poll may. NULL: it
// is refused. `rows` are NULL, or of the list before, until `making` is.
const serve_list *serve_list_of(serve_call *call, const serve_list_key *key);

// Returns how many entities a list has, and the handle of one of them, in its order.
uint64_t serve_list_total(const serve_list *list);
uint64_t serve_list_handle(const serve_list *list, uint64_t number);

// Returns which share of a list is made: 0 to 1.
double serve_list_share(const serve_list *list);

// Begins a poll, and works on lists that are not ready.
void serve_lists_poll(serve_state *state, double now);

// Has all lists made anew, since the world was changed through here.
void serve_lists_renew(serve_state *state);
void serve_lists_close(serve_state *state);

#endif
