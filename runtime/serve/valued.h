// A value of a component, by its path, in many rows: the sort key of a list, or the value that a
// series sums up.
#ifndef WEFT_SERVE_VALUED_H
#define WEFT_SERVE_VALUED_H

#include "rpc.h"

#include "../select/expression.h"
#include "../select/path.h"

typedef struct serve_valued {
    weft_select_program *program; // passes the rows that have the value; NULL if there is no path
    weft_select_value value;
    bool whole; // the path is a component, not a value in it
} serve_valued;

// Reads a path. Refuses the call if it is wrong, and names `param`. Close it in any case.
bool serve_valued_open(serve_call *call, const char *param, const char *path, serve_valued *valued);
void serve_valued_close(weft_world *world, serve_valued *valued);

// Returns the value of an entity with a row in a table, or NULL if it lacks the component.
const unsigned char *serve_valued_find(const weft_world *world, const serve_valued *valued,
                                       uint64_t handle, weft_place at);

// Returns a value that was found as a double. The path must be that of a number.
double serve_valued_number(const serve_valued *valued, const unsigned char *found);

#endif
