// A walk over all tables of the world in pieces. The world can run between two pieces: a row that
// moves to another table meanwhile may be visited twice or not at all.
#ifndef WEFT_SERVE_WALK_H
#define WEFT_SERVE_WALK_H

#include "rpc.h"

typedef struct serve_walk {
    const weft_table *table; // NULL before the walk has found its next table
    uint32_t place;          // of this table in canonical order
    uint32_t row;            // the next row; the caller advances it
    uint32_t version;        // of the world, when the table was found
} serve_walk;

void serve_walk_begin(const weft_world *world, serve_walk *walk);

// Finds the table where the walk continues, because its place in the order of tables may have
// changed. Returns false after the last table. `begins` is set if programs must be bound to the
// table (again).
bool serve_walk_table(const weft_world *world, serve_walk *walk, bool *begins);

// Goes to the next table.
void serve_walk_next(serve_walk *walk);

#endif
