// Lists of entities: the entities that match an expression, in the order of a value or of the
// world. A list is made in slices, some in each poll, so that the game never waits for a list of a
// million entities. It is kept for some time for the windows of pages, and still shown while the
// next one is made.
//
// An entity that moves between tables between two slices may be missing until the list is made
// again. No entity is in a list twice. While time is paused, nothing moves.
#ifndef WEFT_SERVE_LIST_H
#define WEFT_SERVE_LIST_H

#include "rpc.h"

// Finds a list, or begins one, and continues to make it as far as this poll allows. Returns NULL if
// it is refused. While `making` is set, `rows` are those of the list before, or NULL.
const serve_list *serve_list_of(serve_call *call, const serve_list_key *key);

// Return the number of entities in a list, and the handle at a position in it.
uint64_t serve_list_total(const serve_list *list);
uint64_t serve_list_handle(const serve_list *list, uint64_t number);

// Returns the share of a list that is made, from 0 to 1.
double serve_list_share(const serve_list *list);

// Returns the time. The first call in a poll begins the time that all slices of the poll share, which
// ends at `slice_end`.
double serve_slice_begin(serve_state *state);

// Begins a poll, and continues to make lists that are not ready.
void serve_lists_poll(serve_state *state, double now);

// Makes all lists again, because a request has changed the world.
void serve_lists_renew(serve_state *state);
void serve_lists_close(serve_state *state);

#endif
