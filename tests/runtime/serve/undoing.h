// Random desks, their whole content as text, and calls that can be undone.
#ifndef UNDOING_H
#define UNDOING_H

#include "desk_test.h"

enum { REFUSED = -32000, DESKS = 40, TEXT_MAX = 1 << 20 };

// Returns all entities with their children, links and parents, as the inspector shows them. The
// caller frees the text.
char *world_text(const desk *d);

// Throws a die, whose state a test sets.
extern uint32_t state_of_dice;
uint32_t below(uint32_t bound);

desk_entity entity(uint32_t index, uint32_t generation);

// Writes a handle as text, which is valid until the fourth next call.
const char *handle_text(desk_entity e);

// Fills a desk with people who are related and linked at random.
void fill(const desk *d, desk_entity *people);

// Returns the number of the undo in an answer; 0 if it has none.
unsigned undo_of(const char *answer);

// Undoes a change, and returns the answer.
const char *undo(const desk *d, unsigned number);

#endif
