// A test asks a system of the tavern to do something once, in its next turn.
#ifndef TAVERN_WORK_H
#define TAVERN_WORK_H

#include "tavern_insight.h"

#include <stdatomic.h>

#define LINES 64

typedef struct work {
    _Atomic(const char *) system; // that does it; NULL: none. Systems that run beside it ask, too
    int what;                     // its number among what that system can do
    tavern_entity at;
    tavern_entity row; // on which a parallel system does it; none: any of the first call
    int filled;        // coins that the hook gives the next purse, by a command; 0: none
    uint32_t line_count;
    char lines[LINES][256];
} work;

void keep_line(void *user, const char *line);

// Opens a world that keeps this many writes.
tavern_world *open_watched(work *w, uint32_t writes);

// Returns whether a system must do something, and what; the request is then done.
int asked(work *w, const char *system);

// Tells this for a call of a parallel system. Its rows are cut into calls in one way or another, so
// the call with w->row does it, if that is given, in each turn; *row becomes its place there.
int asked_row(work *w, const char *system, const tavern_entity *entities, uint32_t count,
              uint32_t *row);

#endif
